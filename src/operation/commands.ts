import type { Command } from './command-table.ts'
import { prefixes, table } from './generated/commands.ts'

/** The command these words call, if they call one. */
export const commandAt = (words: string): Command | undefined => {
  const row: unknown = table[words]
  // Not every name on an object is a row of it: there is no command `constructor`.
  return typeof row === 'string' ? (JSON.parse(row) as Command) : undefined
}

export const isPrefix = (words: string): boolean => prefixes.includes(words)

export const allCommands = (): Command[] => Object.values(table).map((row) => JSON.parse(row) as Command)

export const allWords = (): string[] => Object.keys(table)

/** Words that start commands without being one: `session`. */
export const groups = (): readonly string[] => prefixes
