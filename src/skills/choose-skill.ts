import { trustAdvice } from '../kernel/actor.ts'
import { stageWork } from '../kernel/protocol.ts'
import type { Stage } from '../kernel/task.ts'
import type { Project } from '../operation/context.ts'
import { defaults } from '../prompt/tokens/names.ts'
import { type Dispatch, type DispatchedTask, type DispatchSettings, dispatch } from './dispatch.ts'
import type { Catalogue } from './skill-catalogue.ts'
import type { Skill } from './skill-entry.ts'

export interface SkillChoice {
  dispatched: Dispatch
  /** Undefined only if even the fallback skill is missing. */
  skill?: Skill
  warnings: string[]
}

/** After refusing this many untrusted skills for a task, CLEO considers only the user's and the shipped skills. */
const mostUntrusted = 10

/** Chooses a trusted skill for a task. Warns about each untrusted skill that would have been chosen. */
export const chooseSkill = (project: Project, catalogue: Catalogue, task: DispatchedTask): SkillChoice => {
  const settings = dispatchSettings(project)
  const refused = new Set<Skill>()
  const warnings: string[] = []
  for (;;) {
    const isCandidate = (each: Skill) =>
      !refused.has(each) && (each.origin !== 'project' || refused.size < mostUntrusted)
    const pool = catalogue.list().flatMap(({ name }) => catalogue.all(name).find(isCandidate) ?? [])
    const dispatched = dispatch(task, pool, settings)
    const skill = pool.find(({ name }) => name === dispatched.skill)
    if (!skill) return withFallback(catalogue, dispatched, warnings)
    // Check trust only for a skill that would be chosen, because the check reads every file of the skill.
    if (skill.trust === 'trusted') return { dispatched, skill, warnings }
    refused.add(skill)
    warnings.push(
      `skill ${skill.name} (${skill.path}) ${trustWords[skill.trust]} and was not used; ${trustAdvice(project)}`,
    )
  }
}

/**
 * Returns a function that chooses the protocol of a task without reading skills. So the function does not know whether
 * a label is the name or a tag of a skill. If a task has labels, but none of them is the name of a protocol or a stage,
 * the function returns `implementation`. `chooseSkill` can choose another protocol for such a task.
 */
export const quickDispatch = (
  project: Project,
): ((
  task: Pick<DispatchedTask, 'type' | 'title'> & { stage: Stage | null },
  labels: readonly string[],
) => Dispatch['protocol']) => {
  const settings = dispatchSettings(project)
  return ({ type, title, stage }, labels) => {
    const { protocol, rule } = dispatch(
      { type, title, labels, files: [], ...(stage && { stage }) },
      [],
      settings,
    )
    return labels.length === 0 || rule === 'label' ? protocol : 'implementation'
  }
}

/**
 * Returns a function that chooses the same protocol as `chooseSkill`, but is faster for many tasks. A skill can decide
 * the protocol only if a label of the task names a stage, a skill or a tag. For any other task, the function considers
 * no skills and takes 2 µs instead of 50.
 */
export const protocolChooser = (
  project: Project,
  catalogue: Catalogue,
): ((task: DispatchedTask) => Dispatch['protocol']) => {
  const settings = dispatchSettings(project)
  const deciding = new Set(Object.keys(stageWork))
  for (const { name } of catalogue.list())
    for (const skill of catalogue.all(name))
      for (const word of [skill.name, ...skill.tags]) deciding.add(word.toLowerCase())
  return (task) =>
    task.labels.some((label) => deciding.has(label.toLowerCase()))
      ? chooseSkill(project, catalogue, task).dispatched.protocol
      : dispatch({ ...task, labels: [] }, [], settings).protocol
}

const dispatchSettings = ({ config, host }: Project): DispatchSettings => ({
  words: config.dispatch?.words,
  documentFolders: [
    config.output?.dir ?? defaults['RESEARCH_DIR']!,
    host.env['SPECS_DIR'] ?? defaults['SPECS_DIR']!,
    ...(config.output?.roots ?? []),
  ],
})

const trustWords = { new: 'is not trusted', changed: 'has changed since it was trusted' }

const fallback = stageWork.implementation.skill

const withFallback = (catalogue: Catalogue, dispatched: Dispatch, warnings: string[]): SkillChoice => ({
  dispatched: { ...dispatched, skill: fallback },
  skill: catalogue.all(fallback).find(({ trust }) => trust === 'trusted'),
  warnings: [...warnings, `skill ${dispatched.skill} does not exist; using ${fallback}`],
})
