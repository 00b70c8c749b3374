import type { Command } from './command-table.ts'
import { prefixes, table } from './generated/commands.ts'

/** Returns the command with these words, if it exists. */
export const commandAt = (words: string): Command | undefined => {
  const row: unknown = table[words]
  // The table is an object, so it also has inherited names, such as `constructor`.
  return typeof row === 'string' ? (JSON.parse(row) as Command) : undefined
}

export const isPrefix = (words: string): boolean => prefixes.includes(words)

export const allCommands = (): Command[] => Object.values(table).map((row) => JSON.parse(row) as Command)

export const allWords = (): string[] => Object.keys(table)

/** Returns the words that begin commands but are not a command themselves, such as `session`. */
export const groups = (): readonly string[] => prefixes
