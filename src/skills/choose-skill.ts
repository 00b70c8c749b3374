import { stageWork } from '../kernel/protocol.ts'
import type { Project } from '../operation/context.ts'
import { type Dispatch, type DispatchedTask, dispatch } from './dispatch.ts'
import type { Catalogue } from './skill-catalogue.ts'
import type { Skill } from './skill-entry.ts'

export interface SkillChoice {
  dispatched: Dispatch
  /** Missing only if the shipped skills are missing too. */
  skill?: Skill
  warnings: string[]
}

/** After this many untrusted project skills for one task, no further project skill is considered. */
const mostUntrusted = 10

/** Chooses the skill for a task among trusted ones; warns about untrusted ones that would have been chosen. */
export const chooseSkill = ({ config }: Project, catalogue: Catalogue, task: DispatchedTask): SkillChoice => {
  const refused = new Set<Skill>()
  const warnings: string[] = []
  for (;;) {
    const isCandidate = (each: Skill) =>
      !refused.has(each) && (each.origin !== 'project' || refused.size < mostUntrusted)
    const pool = catalogue.list().flatMap(({ name }) => catalogue.all(name).find(isCandidate) ?? [])
    const dispatched = dispatch(task, pool, config.dispatch)
    const skill = pool.find(({ name }) => name === dispatched.skill)
    if (!skill) return withFallback(catalogue, dispatched, warnings)
    if (skill.trust === 'trusted') return { dispatched, skill, warnings }
    // Check trust only of skills that would be chosen: it reads all of their files.
    refused.add(skill)
    warnings.push(
      `skill ${skill.name} (${skill.path}) ${trustWords[skill.trust]} and was not used; see: cleo trust`,
    )
  }
}

const trustWords = { new: 'is not trusted', changed: 'has changed since it was trusted' }

const fallback = stageWork.implementation.skill

const withFallback = (catalogue: Catalogue, dispatched: Dispatch, warnings: string[]): SkillChoice => ({
  dispatched: { ...dispatched, skill: fallback },
  skill: catalogue.all(fallback).find(({ trust }) => trust === 'trusted'),
  warnings: [...warnings, `skill ${dispatched.skill} does not exist; using ${fallback}`],
})
