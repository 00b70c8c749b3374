import type { Config } from '../kernel/config.ts'
import { type Protocol, protocols, stageWork } from '../kernel/protocol.ts'
import type { Stage, TaskType } from '../kernel/task.ts'
import { firstHit, phrases, wordsOf } from './phrases.ts'
import type { SkillEntry } from './skill-entry.ts'

type ProtocolWords = Readonly<Partial<Record<Protocol, readonly string[]>>>

/** First words of a title that decide the protocol. */
const titleVerbs: ProtocolWords = {
  research: ['research', 'investigate', 'explore', 'compare'],
  consensus: ['vote', 'decide'],
  specification: ['specify', 'design'],
  decomposition: ['plan', 'decompose'],
  contribution: ['contribute'],
}

/** First words that mean implementation, unless the title has one of `protocolNouns`: "Write the RFC for sign-in". */
const implementationVerbs = ['implement', 'build', 'create', 'add', 'fix', 'write', 'refactor'] as const

/** Nouns that decide the protocol anywhere in a title, or in the first sentence of a description. */
const protocolNouns: ProtocolWords = {
  research: ['research', 'investigation'],
  consensus: ['consensus', 'vote'],
  specification: ['spec', 'specification', 'rfc', 'adr'],
  decomposition: ['epic', 'breakdown', 'decomposition'],
  contribution: ['pr', 'pull request', 'contribution'],
}

/** `words` mean a release only if the text has a version or one of `with`: "Release connections" is no release. */
const releaseWords = { words: ['release', 'publish'], with: ['notes', 'package', 'changelog'] }

/** Verbs that are too common to choose a skill, so they are ignored as triggers. */
const ambiguousVerbs = ['validate', 'merge', 'release', 'version', 'record', 'share'] as const

/** Verbs that make a poor trigger, because too many titles contain them. */
export const everydayVerbs: readonly string[] = [...ambiguousVerbs, ...implementationVerbs]

export interface DispatchedTask {
  type: TaskType
  title: string
  description: string
  labels: readonly string[]
  stage?: Stage
}

export const dispatchRules = [
  'label',
  'stage',
  'type',
  'trigger',
  'leading word',
  'title',
  'description',
  'fallback',
] as const

interface Work {
  protocol: Protocol
  skill: string
}

export interface Dispatch extends Work {
  /** The rule that decided. */
  rule: (typeof dispatchRules)[number]
  /** The words that matched. */
  matched: string[]
}

/** Chooses protocol and skill for a task, and says why. Of several matching skills the first one wins. */
export const dispatch = (
  task: DispatchedTask,
  skills: readonly SkillEntry[],
  words: Config['dispatch'] = {},
): Dispatch =>
  byLabel(task, skills) ??
  byType(task) ??
  byTrigger(task, skills) ??
  byTitle(task, words) ??
  byDescription(task) ?? { ...workOf('implementation'), rule: 'fallback', matched: [] }

/** Tries in order: a label naming a skill, the task's stage, a label naming a stage, a label that is a tag. */
const byLabel = ({ labels, stage }: DispatchedTask, skills: readonly SkillEntry[]): Dispatch | undefined => {
  const first = (find: (word: string) => Work | undefined): Dispatch | undefined => {
    for (const label of labels) {
      const work = find(label.toLowerCase())
      if (work) return { ...work, rule: 'label', matched: [label] }
    }
    return undefined
  }
  const skillWith = (has: (skill: SkillEntry) => boolean) => {
    const skill = skills.find(has)
    return skill && workFor(skill, stage)
  }
  return (
    first((word) => skillWith(({ name }) => name.toLowerCase() === word)) ??
    (stage && { ...workOf(stage), rule: 'stage', matched: [stage] }) ??
    first((word) => (Object.hasOwn(stageWork, word) ? workOf(word as Stage) : undefined)) ??
    first((word) => skillWith(({ tags }) => tags.some((tag) => tag.toLowerCase() === word)))
  )
}

const byType = ({ type }: DispatchedTask): Dispatch | undefined =>
  type === 'epic' ? { ...workOf('decomposition'), rule: 'type', matched: [type] } : undefined

const byTrigger = (
  { title, description }: DispatchedTask,
  skills: readonly SkillEntry[],
): Dispatch | undefined => {
  const triggers = phrases(
    skills.flatMap((skill) => {
      const own = skill.capabilities.dispatch_triggers.filter((trigger) => !isAmbiguous(trigger))
      return own.map((trigger) => [trigger, skill] as const)
    }),
  )
  if (triggers.size === 0) return undefined
  const hit = firstHit(wordsOf(title), triggers) ?? firstHit(wordsOf(description), triggers)
  return hit && { ...workFor(hit.means), rule: 'trigger', matched: [hit.phrase] }
}

const isAmbiguous = (trigger: string) => ambiguousVerbs.some((word) => word === trigger.toLowerCase())

const byTitle = ({ title }: DispatchedTask, more: ProtocolWords): Dispatch | undefined => {
  const words = wordsOf(title)
  const first = words[0] ?? ''
  const kind = protocols.find((protocol) => titleVerbs[protocol]?.includes(first))
  if (kind) return { ...workOf(kind), rule: 'leading word', matched: [first] }
  const noun = byNoun(words, 'title', more)
  if (noun) return noun
  if (!implementationVerbs.some((verb) => verb === first)) return undefined
  return { ...workOf('implementation'), rule: 'leading word', matched: [first] }
}

const byDescription = ({ description }: DispatchedTask): Dispatch | undefined =>
  byNoun(wordsOf(firstSentence(description)), 'description', {})

const byNoun = (
  words: readonly string[],
  rule: 'title' | 'description',
  more: ProtocolWords,
): Dispatch | undefined => {
  const companion = words.find((word, i) => releaseWords.with.includes(word) || isVersion(word, words[i - 1]))
  const nouns = phrases([
    ...wordsWithProtocol(protocolNouns),
    ...wordsWithProtocol(more),
    ...(companion === undefined ? [] : wordsWithProtocol({ release: releaseWords.words })),
  ])
  const hit = firstHit(words, nouns)
  if (!hit) return undefined
  const matched =
    companion !== undefined && releaseWords.words.includes(hit.phrase)
      ? [hit.phrase, companion]
      : [hit.phrase]
  return { ...workOf(hit.means), rule, matched }
}

const wordsWithProtocol = (table: ProtocolWords): (readonly [string, Protocol])[] =>
  protocols.flatMap((protocol) => (table[protocol] ?? []).map((word) => [word, protocol] as const))

/** `2.1`, `v3`, and the 3 of "version 3", but not the 2 of "2 connections". */
const isVersion = (word: string, before: string | undefined): boolean =>
  /^v?\d+(\.\d+)+([-+].*)?$|^v\d+$/.test(word) || (before === 'version' && /^\d/.test(word))

/** The text up to the end of its first sentence or its first paragraph, whichever comes first. */
const firstSentence = (description: string): string => {
  const text = description.trimStart()
  const end = text.search(/[.!?](?:\s|$)|\n[ \t\r]*\n/)
  return end < 0 ? text : text.slice(0, end)
}

const workOf = (stage: Stage): Work => ({
  protocol: stageWork[stage].protocol,
  skill: stageWork[stage].skill,
})

const workFor = ({ name, protocol }: SkillEntry, stage: Stage = 'implementation'): Work => {
  const own = Object.values(stageWork).find(({ skill }) => skill === name)
  return { protocol: protocol ?? (own ?? stageWork[stage]).protocol, skill: name }
}
