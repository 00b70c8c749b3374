import { contracts, type Protocol, stageWork } from './protocol.ts'
import type { Stage } from './task.ts'

export type ReturnStatus = 'complete' | 'partial' | 'blocked'

const endings: Readonly<Record<ReturnStatus, string>> = {
  complete: 'complete. See MANIFEST.jsonl for summary.',
  partial: 'partial. See MANIFEST.jsonl for details.',
  blocked: 'blocked. See MANIFEST.jsonl for blocker details.',
}
const statuses: readonly ReturnStatus[] = ['complete', 'partial', 'blocked']

/** The words that may begin a return line of this protocol and stage. The word that the prompt gives comes first. */
export const returnWords = (protocol: Protocol, stage: Stage): string[] => {
  const { word, protocol: usual } = stageWork[stage]
  const ofStage = word ?? contracts[usual].word
  const ofProtocol = contracts[protocol].word
  const words = usual === protocol ? [ofStage, ofProtocol] : [ofProtocol, ofStage]
  // Agents of the older protocol return votes as "Analysis".
  return [...new Set(protocol === 'consensus' ? [...words, 'Analysis'] : words)]
}

/** The three return lines that begin with this word. */
export const returnLines = (word: string): string[] => statuses.map((status) => `${word} ${endings[status]}`)

/** Removes only the line break that a pipe adds at the end. */
export const withoutLineEnd = (message: string): string => {
  const line = message.endsWith('\n') ? message.slice(0, -1) : message
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

/** Returns the status of an allowed return line, compared letter by letter; undefined for any other text. */
export const readReturn = (message: string, words: readonly string[]): ReturnStatus | undefined => {
  const line = withoutLineEnd(message)
  for (const word of words)
    for (const status of statuses) if (line === `${word} ${endings[status]}`) return status
  return undefined
}

/** What a subagent may request instead of returning a result: a new skill, or a higher level of a skill it has. */
export interface Need {
  skill: string
  level: 'L1' | 'L2'
}

/** Reads `need skill: X` or `need level: X L2`; undefined for any other line. */
export const readNeed = (line: string): Need | undefined => {
  const skill = /^need skill: ([a-z0-9-]{1,64})$/.exec(line)?.[1]
  if (skill) return { skill, level: 'L1' }
  const [, name, level] = /^need level: ([a-z0-9-]{1,64}) (L[12])$/.exec(line) ?? []
  return name ? { skill: name, level: level as Need['level'] } : undefined
}
