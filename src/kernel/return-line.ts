import { contracts, type Protocol, stageWork } from './protocol.ts'
import type { Stage } from './task.ts'

export type Returned = 'complete' | 'partial' | 'blocked'

const endings: Readonly<Record<Returned, string>> = {
  complete: 'complete. See MANIFEST.jsonl for summary.',
  partial: 'partial. See MANIFEST.jsonl for details.',
  blocked: 'blocked. See MANIFEST.jsonl for blocker details.',
}
const statuses: readonly Returned[] = ['complete', 'partial', 'blocked']

/** The words a line may begin with: that of the stage and that of the protocol, the one the prompt names first. */
export const returnWords = (protocol: Protocol, stage: Stage): string[] => {
  const { word, protocol: usual } = stageWork[stage]
  const ofStage = word ?? contracts[usual].word
  const ofProtocol = contracts[protocol].word
  const words = usual === protocol ? [ofStage, ofProtocol] : [ofProtocol, ofStage]
  // Votes are an analysis to the agents of the older protocol.
  return [...new Set(protocol === 'consensus' ? [...words, 'Analysis'] : words)]
}

/** The lines that begin with a word. */
export const returnLines = (word: string): string[] => statuses.map((status) => `${word} ${endings[status]}`)

/** What came back, without the line break a pipe adds: nothing else is trimmed. */
export const withoutLineEnd = (message: string): string => {
  const line = message.endsWith('\n') ? message.slice(0, -1) : message
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

/** What a line says, where it is one of those allowed, letter by letter; undefined for anything else. */
export const readReturn = (message: string, words: readonly string[]): Returned | undefined => {
  const line = withoutLineEnd(message)
  for (const word of words)
    for (const status of statuses) if (line === `${word} ${endings[status]}`) return status
  return undefined
}
