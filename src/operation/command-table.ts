/** One flag or positional of a command, for the argument parser, the help and the completion. */
export interface Flag {
  /** The key in the operation's input, such as `addLabels`. */
  key: string
  /** The flag as typed, such as `--add-labels`. */
  name: string
  /** `list` is repeated or separated by commas, `lines` only repeated, `rows` is JSON from standard input. */
  kind: 'text' | 'number' | 'switch' | 'list' | 'lines' | 'choice' | 'rows'
  about: string
  choices?: readonly string[]
  required?: true
  /** Position among the positional arguments. */
  at?: number
  fallback?: string | number | boolean
  /** The most that a text may have: `200 characters` or `65536 bytes`. */
  limit?: string
}

/** What surfaces know about an operation before they load it. */
export interface Command {
  /** The command's words: `session start`. */
  words: string
  /** Other words that people try, such as `ls`. */
  also?: readonly string[]
  /** Words that are not commands. For one of them, the error message suggests this command. */
  suggestedFor?: readonly string[]
  operation: string
  kind: 'query' | 'mutate'
  tier: 0 | 1 | 2
  summary: string
  flags: readonly Flag[]
  examples: readonly string[]
}

/** Maps a command's words to the command as JSON text. A call needs one command, so only that text is parsed. */
export type CommandTable = Record<string, string>

/**
 * Other names of commands, each as a line `\nname\twords\n`. One text, because the program creates it at no cost; an
 * object with some hundred names would be built by every call.
 */
export type OtherNames = string
