/** One flag or positional of a command, as the argument parser, the help and the completion see it. */
export interface Flag {
  /** The input's key, `addLabels`; the flag is `--add-labels`. */
  key: string
  /** `list` takes commas and repeats, `lines` repeats only, `rows` reads JSON from standard input. */
  kind: 'text' | 'number' | 'switch' | 'list' | 'lines' | 'choice' | 'rows'
  about: string
  choices?: readonly string[]
  required?: true
  /** Place among the positional words. */
  at?: number
  fallback?: string | number | boolean
}

/** What the surfaces know of an operation before they load it. */
export interface Command {
  /** The words that call it. */
  words: string
  operation: string
  kind: 'query' | 'mutate'
  tier: 0 | 1 | 2
  summary: string
  flags: readonly Flag[]
  examples: readonly string[]
}

export const flagName = (key: string): string => `--${key.replace(/[A-Z]/g, (upper) => `-${upper.toLowerCase()}`)}`
