import { stageWork } from '../../model/protocol.ts'
import { type Dispatchable, type Dispatched, dispatch } from '../../prompt/dispatch/dispatch.ts'
import type { Project } from '../context.ts'
import type { Catalogue, Skill } from './catalogue.ts'

export interface Choice {
  dispatched: Dispatched
  /** None only where the shipped ones are gone, too. */
  skill?: Skill
  warnings: string[]
}

/** The skill a task is matched with, among those that may act; says where others would have made a difference. */
export const choose = ({ config }: Project, catalogue: Catalogue, task: Dispatchable): Choice => {
  const words = config.dispatch
  const dispatched = dispatch(task, catalogue.dispatchable(), words)
  const wished = dispatch(task, catalogue.list(), words)
  const other = catalogue.find(wished.skill)
  const warnings =
    other && other.trust !== 'trusted'
      ? [`skill ${other.name} (${other.path}) ${stateWords[other.trust]} and took no part; see: cleo trust`]
      : []
  const skill = catalogue.findTrusted(dispatched.skill)
  if (skill) return { dispatched, skill, warnings }
  const fallback = stageWork.implementation.skill
  return {
    dispatched: { ...dispatched, skill: fallback },
    skill: catalogue.findTrusted(fallback),
    warnings: [...warnings, `skill ${dispatched.skill} is not there; ${fallback} takes its place`],
  }
}

const stateWords = { new: 'is not trusted', changed: 'has changed since it was trusted' }
