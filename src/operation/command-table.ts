/** One flag or positional of a command, as the argument parser, the help and the completion see it. */
export interface Flag {
  /** The input's key, `addLabels`. */
  key: string
  /** The flag, `--add-labels`. */
  name: string
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

/** Each command by its words, as JSON: a call needs one of them, and text costs nothing until it is read. */
export type CommandTable = Record<string, string>
