import type { Config } from '../../kernel/config.ts'
import { type Protocol, protocols, stageWork } from '../../kernel/protocol.ts'
import type { Stage, TaskType } from '../../kernel/task.ts'
import type { Entry } from '../entry.ts'
import { leading, making, misleading, releasing, telling, type Words } from './table.ts'
import { firstHit, phrases, wordsOf } from './words.ts'

export interface Dispatchable {
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

export interface Dispatched extends Work {
  /** What decided. */
  rule: (typeof dispatchRules)[number]
  /** The words it decided by. */
  matched: string[]
}

/** Which protocol and which skill a task asks for, and why. Of skills that ask for the same task the first one wins. */
export const dispatch = (
  task: Dispatchable,
  skills: readonly Entry[],
  words: Config['dispatch'] = {},
): Dispatched =>
  byLabel(task, skills) ??
  byType(task) ??
  byTrigger(task, skills) ??
  byTitle(task, words) ??
  byDescription(task) ?? { ...workOf('implementation'), rule: 'fallback', matched: [] }

/** The most telling first: a skill's own name, then a stage, which the name of a protocol always is, then a tag. */
const byLabel = ({ labels, stage }: Dispatchable, skills: readonly Entry[]): Dispatched | undefined => {
  const first = (find: (word: string) => Work | undefined): Dispatched | undefined => {
    for (const label of labels) {
      const work = find(label.toLowerCase())
      if (work) return { ...work, rule: 'label', matched: [label] }
    }
    return undefined
  }
  const skillWith = (has: (skill: Entry) => boolean) => {
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

const byType = ({ type }: Dispatchable): Dispatched | undefined =>
  type === 'epic' ? { ...workOf('decomposition'), rule: 'type', matched: [type] } : undefined

const byTrigger = (
  { title, description }: Dispatchable,
  skills: readonly Entry[],
): Dispatched | undefined => {
  const triggers = phrases(
    skills.flatMap((skill) => {
      const own = skill.capabilities.dispatch_triggers.filter((trigger) => !misleads(trigger))
      return own.map((trigger) => [trigger, skill] as const)
    }),
  )
  if (triggers.size === 0) return undefined
  const hit = firstHit(wordsOf(title), triggers) ?? firstHit(wordsOf(description), triggers)
  return hit && { ...workFor(hit.means), rule: 'trigger', matched: [hit.phrase] }
}

const misleads = (trigger: string) => misleading.some((word) => word === trigger.toLowerCase())

const byTitle = ({ title }: Dispatchable, more: Words): Dispatched | undefined => {
  const words = wordsOf(title)
  const first = words[0] ?? ''
  const kind = protocols.find((protocol) => leading[protocol]?.includes(first))
  if (kind) return { ...workOf(kind), rule: 'leading word', matched: [first] }
  const noun = byNoun(words, 'title', more)
  if (noun) return noun
  if (!making.some((verb) => verb === first)) return undefined
  return { ...workOf('implementation'), rule: 'leading word', matched: [first] }
}

const byDescription = ({ description }: Dispatchable): Dispatched | undefined =>
  byNoun(wordsOf(firstSentence(description)), 'description', {})

const byNoun = (
  words: readonly string[],
  rule: 'title' | 'description',
  more: Words,
): Dispatched | undefined => {
  const company = words.find((word, i) => releasing.with.includes(word) || isVersion(word, words[i - 1]))
  const nouns = phrases([
    ...pairs(telling),
    ...pairs(more),
    ...(company === undefined ? [] : pairs({ release: releasing.words })),
  ])
  const hit = firstHit(words, nouns)
  if (!hit) return undefined
  const matched =
    company !== undefined && releasing.words.includes(hit.phrase) ? [hit.phrase, company] : [hit.phrase]
  return { ...workOf(hit.means), rule, matched }
}

const pairs = (table: Words): (readonly [string, Protocol])[] =>
  protocols.flatMap((protocol) => (table[protocol] ?? []).map((word) => [word, protocol] as const))

/** `2.1`, `v3`, and the 3 of "version 3"; the 2 of "2 connections" is none. */
const isVersion = (word: string, before: string | undefined): boolean =>
  /^v?\d+(\.\d+)+([-+].*)?$|^v\d+$/.test(word) || (before === 'version' && /^\d/.test(word))

/** Up to the end of its first sentence, or of its first paragraph where that comes first. */
const firstSentence = (description: string): string => {
  const text = description.trimStart()
  const end = text.search(/[.!?](?:\s|$)|\n[ \t\r]*\n/)
  return end < 0 ? text : text.slice(0, end)
}

const workOf = (stage: Stage): Work => ({
  protocol: stageWork[stage].protocol,
  skill: stageWork[stage].skill,
})

const workFor = ({ name, protocol }: Entry, stage: Stage = 'implementation'): Work => {
  const own = Object.values(stageWork).find(({ skill }) => skill === name)
  return { protocol: protocol ?? (own ?? stageWork[stage]).protocol, skill: name }
}
