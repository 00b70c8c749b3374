import { stageWork } from '../kernel/protocol.ts'
import type { Project } from '../operation/context.ts'
import type { Catalogue, Skill } from './catalogue.ts'
import { type Dispatchable, type Dispatched, dispatch } from './dispatch/dispatch.ts'

export interface Choice {
  dispatched: Dispatched
  /** None only where the shipped ones are gone, too. */
  skill?: Skill
  warnings: string[]
}

/** A project that brings more untrusted skills for one task than this has none that take part in it. */
const mostAsked = 10

/** The skill a task is matched with, among those that may act; says where another one would have made a difference. */
export const choose = ({ config }: Project, catalogue: Catalogue, task: Dispatchable): Choice => {
  const refused = new Set<Skill>()
  const warnings: string[] = []
  for (;;) {
    const mayAct = (each: Skill) =>
      !refused.has(each) && (each.origin !== 'project' || refused.size < mostAsked)
    const pool = catalogue.list().flatMap(({ name }) => catalogue.all(name).find(mayAct) ?? [])
    const dispatched = dispatch(task, pool, config.dispatch)
    const skill = pool.find(({ name }) => name === dispatched.skill)
    if (!skill) return withFallback(catalogue, dispatched, warnings)
    if (skill.trust === 'trusted') return { dispatched, skill, warnings }
    // Whether one is trusted is asked of those that would be chosen, not of all.
    refused.add(skill)
    warnings.push(
      `skill ${skill.name} (${skill.path}) ${stateWords[skill.trust]} and took no part; see: cleo trust`,
    )
  }
}

const stateWords = { new: 'is not trusted', changed: 'has changed since it was trusted' }

const fallback = stageWork.implementation.skill

const withFallback = (catalogue: Catalogue, dispatched: Dispatched, warnings: string[]): Choice => ({
  dispatched: { ...dispatched, skill: fallback },
  skill: catalogue.all(fallback).find(({ trust }) => trust === 'trusted'),
  warnings: [...warnings, `skill ${dispatched.skill} is not there; ${fallback} takes its place`],
})
