/** One flag or positional of a command, for the argument parser, the help and the completion. */
export interface Flag {
  /** The key in the operation's input, such as `addLabels`. */
  key: string
  /** The flag as typed, such as `--add-labels`. */
  name: string
  /** `list`: repeated or separated by commas. `lines`: only repeated. `rows`: JSON from standard input. */
  kind: 'text' | 'number' | 'switch' | 'list' | 'lines' | 'choice' | 'rows'
  about: string
  choices?: readonly string[]
  required?: true
  /** Position among the positional arguments. */
  at?: number
  /** True if this positional takes all remaining positional arguments. */
  rest?: true
  /** True if `-` is an ordinary value and does not mean standard input. */
  dash?: true
  fallback?: string | number | boolean
  /** The longest text that the flag accepts: `200 characters` or `65536 bytes`. */
  limit?: string
}

/**
 * Says when only a person may run a command. One of two conditions is enough: a field in `when` is given, or none of
 * the fields in `unless` is given. A switch that is off does not count as given.
 */
export interface PersonRule<K extends string = string> {
  when?: readonly K[]
  unless?: readonly K[]
}

/** Facts about an operation that the command line and the MCP server need before they load the operation. */
export interface Command {
  /** The command's words: `session start`. */
  words: string
  /** Other words for the command that people try, such as `ls`. */
  also?: readonly string[]
  operation: string
  kind: 'query' | 'mutate'
  tier: 0 | 1 | 2
  summary: string
  flags: readonly Flag[]
  /** Set if only a person may run the command: `true` for every call, or a rule that says for which calls. */
  personOnly?: true | PersonRule
}

/** Facts about a command that only help and usage errors need. They are in a table that other commands do not load. */
export interface CommandHelp {
  /**
   * Words that are not commands, some with a flag: `rename --title`. If someone types one of them, the error message
   * suggests this command.
   */
  suggestedFor?: readonly string[]
  examples: readonly string[]
  sample?: Sample
}

/** An example of a file that a command reads: its lines, and what they mean. */
export interface Sample {
  about: string
  lines: readonly string[]
}

/** Maps a command's words to its help. */
export type HelpTable = Readonly<Record<string, CommandHelp>>

/**
 * All commands without their words, one per line as JSON text. A call needs only one command, so only the line of
 * this command is parsed. This is one text, because a text costs no start-up time. An object or an array with several
 * hundred texts would have to be built at every call.
 */
export type CommandTable = string

/**
 * One line for each command: its words, a tab, and the position at which the command's line starts in the table.
 */
export type CommandPlaces = string

/**
 * Other names of commands, one per line: the name, a tab and the command's words. This is one text, because a text
 * costs no start-up time. An object with several hundred names would have to be built at every call.
 */
export type OtherNames = string
