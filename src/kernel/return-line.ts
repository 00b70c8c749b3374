import { contracts, type Protocol, stageWork } from './protocol.ts'
import type { Stage } from './task.ts'

export type ReturnStatus = 'complete' | 'partial' | 'blocked'

const endings: Readonly<Record<ReturnStatus, string>> = {
  complete: 'complete. See MANIFEST.jsonl for summary.',
  partial: 'partial. See MANIFEST.jsonl for details.',
  blocked: 'blocked. See MANIFEST.jsonl for blocker details.',
}
const statuses: readonly ReturnStatus[] = ['complete', 'partial', 'blocked']

/** The words that may begin a return line. The prompt gives the first of them. */
export const returnWords = (protocol: Protocol, stage: Stage): string[] => {
  const { word, protocol: usual } = stageWork[stage]
  const ofStage = word ?? contracts[usual].word
  const ofProtocol = contracts[protocol].word
  const words = usual === protocol ? [ofStage, ofProtocol] : [ofProtocol, ofStage]
  // Agents that follow an older version of the consensus protocol return votes as "Analysis", so accept that word too.
  return [...new Set(protocol === 'consensus' ? [...words, 'Analysis'] : words)]
}

export const returnLines = (word: string): string[] => statuses.map((status) => `${word} ${endings[status]}`)

/**
 * A request that a subagent returns instead of a result. It asks for a new skill, or for a higher level of a skill
 * that it already has.
 */
export interface Need {
  skill: string
  level: 'L1' | 'L2'
}

/** The parsed reply of a subagent. The reply does not decide anything: it is only compared with the submitted work. */
export interface Reply {
  /** The status in the return line; undefined if there is no return line, or if several contradict each other. */
  said?: ReturnStatus
  need?: Need
  /**
   * True if the reply consists only of the return line or the request. Lines and tags that a client adds do not count.
   */
  alone: boolean
}

/** Takes time proportional to the length of the reply. */
export const readReply = (message: string, words: readonly string[]): Reply => {
  const lines = linesIn(withoutFrame(unwrapped(message)))
  const needs = lines.flatMap((line) => readNeed(line) ?? [])
  const said = statusesIn(message, words)
  const allowed = new Set(words.flatMap(returnLines))
  const isLine = (line: string) => allowed.has(line) || readNeed(line) !== undefined
  const sole = said.length === 1 ? said[0] : undefined
  const need = said.length === 0 ? needs[0] : undefined
  return {
    ...(sole && { said: sole }),
    ...(need && { need }),
    alone: (sole ?? need) !== undefined && lines.every(isLine),
  }
}

/**
 * Codex sometimes reports the status of agents as JSON. Replaces such a report in a message with the replies inside
 * the report.
 */
const unwrapped = (message: string): string => {
  const from = message.indexOf('{')
  const to = message.lastIndexOf('}')
  if (from < 0 || !message.includes('"completed"')) return message
  try {
    const replies: string[] = []
    JSON.parse(message.slice(from, to + 1), (key, value) => {
      if (key === 'completed' && typeof value === 'string') replies.push(value)
      return value
    })
    return [message.slice(0, from), ...replies, message.slice(to + 1)].join('\n')
  } catch {
    return message
  }
}

/** Finds return lines even in the middle of a line or inside JSON. */
const statusesIn = (message: string, words: readonly string[]): ReturnStatus[] => {
  const text = message.replaceAll(/\s+/g, ' ')
  return statuses.filter((status) => words.some((word) => hasSentence(text, `${word} ${endings[status]}`)))
}

const hasSentence = (text: string, sentence: string): boolean => {
  for (let at = text.indexOf(sentence); at >= 0; at = text.indexOf(sentence, at + sentence.length))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!)) return true
  return false
}

const readNeed = (line: string): Need | undefined => {
  const skill = /^[Nn]eed skill: ([a-z0-9-]{1,64})\.?$/.exec(line)?.[1]
  if (skill) return { skill, level: 'L1' }
  const [, name, level] = /^[Nn]eed level: ([a-z0-9-]{1,64}) (L[12])\.?$/.exec(line) ?? []
  return name ? { skill: name, level: level as Need['level'] } : undefined
}

/** Elements that clients such as Claude Code add to a reply. Their content is not from the agent. */
const clientElements = new Set([
  'tools-used-before-summary',
  'usage',
  'task-id',
  'tool-use-id',
  'output-file',
  'status',
  'summary',
  'note',
])

/** Removes the tags from a reply, and also the content of elements that a client adds. */
const withoutFrame = (message: string): string => {
  const kept: string[] = []
  let from = 0
  let inside: string | undefined
  // The pattern limits all lengths. Without limits, the search would read to the end of the text for each opening
  // bracket that is not closed.
  for (const tag of message.matchAll(/<(\/?)([a-z][a-z_-]{0,40})(?: [^<>\n]{0,200})?>/g)) {
    const [whole, slash, name] = tag
    if (inside === undefined) kept.push(message.slice(from, tag.index))
    if (inside === undefined && slash === '' && clientElements.has(name!)) inside = name
    else if (inside === name && slash === '/') inside = undefined
    from = tag.index + whole.length
  }
  if (inside === undefined) kept.push(message.slice(from))
  return kept.join('\n')
}

/** Returns the agent's lines in a reply, without the marks of quotes, lists and emphasis. */
const linesIn = (text: string): string[] => {
  const lines: string[] = []
  for (const each of text.split(/[\r\n]+/)) {
    const line = withoutMarks(each.replaceAll(/\s+/g, ' '))
    if (line !== '' && !isClientLine(line)) lines.push(line)
  }
  return lines
}

/** Whether Claude Code or Gemini added this line to the reply of a subagent. */
const isClientLine = (line: string): boolean =>
  line.startsWith('[Subagent hand-back]') ||
  /^(agentId: |Termination Reason: [A-Z_]+$|Result:$|Subagent '[^']{1,100}' finished\.$)/.test(line)

const openingMarks = ' \t>-*_#`~"\u201c\u2018\'\u00ab\u2022'
const closingMarks = ' \t*_`~"\u201d\u2019\'\u00bb'

const withoutMarks = (line: string): string => {
  let from = /^ ?\d{1,3}[.)] /.exec(line)?.[0].length ?? 0
  let to = line.length
  while (from < to && openingMarks.includes(line[from]!)) from++
  while (to > from && closingMarks.includes(line[to - 1]!)) to--
  return isFence(line, from, to) ? '' : line.slice(from, to)
}

/** A code fence can name a language. If more words follow, the line is text. */
const isFence = (line: string, from: number, to: number): boolean =>
  line.trimStart().startsWith('```') && !line.slice(from, to).includes(' ')
