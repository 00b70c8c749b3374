import type { CandidateKind } from './candidates.ts'

/** A word that can come next, and what it does. */
export interface Word {
  word: string
  about: string
}

/**
 * What a flag or positional takes: one of several words, a file, a folder, or anything. `ask:` means the words that
 * `cleo completion values` prints.
 */
export type CompletionValue = readonly string[] | 'file' | 'folder' | `ask:${CandidateKind}` | 'anything'

export interface FlagWord extends Word {
  /** The letters that stand for the flag, without a dash. */
  letters?: readonly string[]
  /** The values of the flag; missing for a switch. */
  value?: CompletionValue
}

export const formats = ['json', 'human']

/** Flags of every command. A test compares them with the table of the command line. */
export const commonFlags: readonly FlagWord[] = [
  { word: '--json', about: 'print JSON' },
  { word: '--human', about: 'print text for people' },
  { word: '--format', about: 'json or human', value: formats },
  { word: '--raw', about: 'print only the data' },
  { word: '--quiet', about: 'print nothing', letters: ['q'] },
  { word: '--field', about: 'print one value', value: 'anything' },
  { word: '--fields', about: 'print only these fields', value: 'anything' },
  { word: '--project', about: 'the folder of the project', value: 'folder', letters: ['C'] },
  { word: '--session', about: 'session of this command', value: 'ask:sessions' },
  { word: '--as', about: 'agent or person to act as', value: 'ask:spawns' },
  { word: '--verbose', about: 'print more details', letters: ['v'] },
  { word: '--help', about: 'explain this command', letters: ['h'] },
]
