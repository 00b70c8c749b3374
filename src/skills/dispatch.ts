import type { Config } from '../kernel/config.ts'
import { type Protocol, protocols, stageWork } from '../kernel/protocol.ts'
import type { Stage, TaskType } from '../kernel/task.ts'
import { leadingVerbs } from './dispatch-table.ts'
import { leadingPhrase, startsWith, type TitleWord, titleWords } from './leading-phrase.ts'
import { firstHit, phrases } from './phrases.ts'
import type { SkillEntry } from './skill-entry.ts'

/** Triggers that `dispatch` ignores, because these verbs are too common to choose a skill. */
const ambiguousVerbs = ['validate', 'merge', 'release', 'version', 'record', 'share'] as const

/**
 * Triggers that `skills validate` warns about: `ambiguousVerbs`, and the verbs with which titles of implementation
 * tasks usually begin.
 */
export const everydayVerbs: readonly string[] = [
  ...ambiguousVerbs,
  ...leadingVerbs.flatMap(({ stage, verbs }) => (stage === 'implementation' ? verbs : [])),
]

export interface DispatchedTask {
  type: TaskType
  title: string
  labels: readonly string[]
  /** The files that the task declares it will change. */
  files: readonly string[]
  stage?: Stage
}

export interface DispatchSettings {
  words?: NonNullable<Config['dispatch']>['words']
  /** The folders of output files and specifications. A file that a task declares in these folders is not code. */
  documentFolders: readonly string[]
}

export const dispatchRules = ['label', 'stage', 'type', 'title', 'files', 'trigger', 'fallback'] as const

interface Work {
  protocol: Protocol
  skill: string
}

export interface Dispatch extends Work {
  rule: (typeof dispatchRules)[number]
  /** What matched the rule: words of the title, labels, the stage or the type. */
  matched: string[]
}

/**
 * Chooses the protocol and skill for a task, and says why. If no rule matches, it chooses implementation, which
 * requires the most evidence. If several skills match, the first one wins.
 */
export const dispatch = (
  task: DispatchedTask,
  skills: readonly SkillEntry[],
  settings: DispatchSettings = { documentFolders: [] },
): Dispatch => {
  const title = titleWords(task.title)
  const chosen =
    byLabel(task, skills) ??
    byStage(task) ??
    byType(task) ??
    byTitle(title, settings.words) ??
    byFiles(task, settings.documentFolders)
  if (chosen && (chosen.protocol !== 'implementation' || isExplicit(chosen))) return chosen
  return byTrigger(title, skills) ?? chosen ?? { ...workOf('implementation'), rule: 'fallback', matched: [] }
}

/** Whether a person chose the protocol by a label or a stage. A trigger does not change such a choice. */
const isExplicit = ({ rule }: Dispatch): boolean => rule === 'label' || rule === 'stage'

/** Returns the reason as one phrase: `title: "Compare"`; `default` if no rule matched. */
export const reasonOf = ({ rule, matched }: Pick<Dispatch, 'rule' | 'matched'>): string =>
  rule === 'fallback' ? 'default' : matched.length === 0 ? rule : `${rule}: "${matched.join(' … ')}"`

/**
 * Chooses by a label: the name of a protocol or a stage, the name of a skill, or a tag of a skill. One label can
 * choose the protocol and another one the skill.
 */
const byLabel = ({ labels, stage }: DispatchedTask, skills: readonly SkillEntry[]): Dispatch | undefined => {
  const first = <T>(find: (word: string) => T | undefined): { label: string; found: T } | undefined => {
    for (const label of labels) {
      const found = find(label.toLowerCase())
      if (found !== undefined) return { label, found }
    }
    return undefined
  }
  const work = first((word) => (Object.hasOwn(stageWork, word) ? workOf(word as Stage) : undefined))
  const named = first((word) => skills.find(({ name }) => name.toLowerCase() === word))
  if (work)
    return {
      ...work.found,
      ...(named && { skill: named.found.name }),
      rule: 'label',
      matched: [work.label, ...(named ? [named.label] : [])],
    }
  const skill =
    named ?? first((word) => skills.find(({ tags }) => tags.some((tag) => tag.toLowerCase() === word)))
  return skill && { ...workFor(skill.found, stage), rule: 'label', matched: [skill.label] }
}

const byStage = ({ stage }: DispatchedTask): Dispatch | undefined =>
  stage && { ...workOf(stage), rule: 'stage', matched: [stage] }

const byType = ({ type }: DispatchedTask): Dispatch | undefined =>
  type === 'epic' ? { ...workOf('decomposition'), rule: 'type', matched: [type] } : undefined

const byTitle = (title: readonly TitleWord[], more: DispatchSettings['words'] = {}): Dispatch | undefined => {
  for (const protocol of protocols)
    for (const phrase of more[protocol] ?? []) {
      const length = startsWith(title, phrase)
      const matched = title.slice(0, length).map(({ text }) => text)
      if (length > 0) return { ...workOf(protocol), rule: 'title', matched: [matched.join(' ')] }
    }
  const phrase = leadingPhrase(title)
  return phrase && { ...workOf(phrase.stage), rule: 'title', matched: phrase.matched }
}

const byFiles = ({ files }: DispatchedTask, documents: readonly string[]): Dispatch | undefined => {
  const code = files.find((file) => !documents.some((folder) => isIn(file, folder)))
  return code === undefined ? undefined : { ...workOf('implementation'), rule: 'files', matched: [code] }
}

const isIn = (file: string, folder: string): boolean => {
  const [path, within] = [file, folder].map((each) => each.replace(/^(\.\/)+/, '').replace(/\/+$/, ''))
  return path === within || path!.startsWith(`${within}/`)
}

/**
 * Chooses a skill by a trigger in the title. Called only if the protocol is implementation. A trigger must not
 * change the protocol, so a skill for another protocol is ignored. Such a skill can be chosen only by a label, a
 * stage or `--skills`.
 */
const byTrigger = (title: readonly TitleWord[], skills: readonly SkillEntry[]): Dispatch | undefined => {
  const triggers = phrases(
    skills.flatMap((skill) => {
      if (workFor(skill).protocol !== 'implementation') return []
      const own = skill.capabilities.dispatch_triggers.filter((trigger) => !isAmbiguous(trigger))
      return own.map((trigger) => [trigger, skill] as const)
    }),
  )
  if (triggers.size === 0) return undefined
  const hit = firstHit(
    title.map(({ word }) => word),
    triggers,
  )
  return hit && { protocol: 'implementation', skill: hit.means.name, rule: 'trigger', matched: [hit.phrase] }
}

const isAmbiguous = (trigger: string) => ambiguousVerbs.some((word) => word === trigger.toLowerCase())

const workOf = (stage: Stage): Work => ({
  protocol: stageWork[stage].protocol,
  skill: stageWork[stage].skill,
})

const workFor = ({ name, protocol }: SkillEntry, stage: Stage = 'implementation'): Work => {
  const own = Object.values(stageWork).find(({ skill }) => skill === name)
  return { protocol: protocol ?? (own ?? stageWork[stage]).protocol, skill: name }
}
