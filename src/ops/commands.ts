import type { Command } from './command-table.ts'
import { prefixes, table } from './generated/commands.ts'

/** The command these words call, if they call one. */
export const commandAt = (words: string): Command | undefined => {
  const row = Object.hasOwn(table, words) ? table[words] : undefined
  return row === undefined ? undefined : (JSON.parse(row) as Command)
}

export const isPrefix = (words: string): boolean => prefixes.includes(words)

export const allCommands = (): Command[] => Object.values(table).map((row) => JSON.parse(row) as Command)

export const allWords = (): string[] => Object.keys(table)

/** Words that start commands without being one: `session`. */
export const groups = (): readonly string[] => prefixes
