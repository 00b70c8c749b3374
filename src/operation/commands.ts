import type { Command } from './command-table.ts'
import { otherNames, prefixes, table } from './generated/commands.ts'

/** Returns the command with these words or with this other name, if it exists. */
export const commandAt = (words: string): Command | undefined => {
  const row: unknown = table[words] ?? table[wordsOf(words)]
  // The table is an object, so it also has inherited names, such as `constructor`.
  return typeof row === 'string' ? (JSON.parse(row) as Command) : undefined
}

/** Returns the words of the command that has this other name, or an empty text. */
const wordsOf = (name: string): string => {
  const at = otherNames.indexOf(`\n${name}\t`)
  if (at < 0) return ''
  const start = at + name.length + 2
  return otherNames.slice(start, otherNames.indexOf('\n', start))
}

export const isPrefix = (words: string): boolean => prefixes.includes(words)

export const allCommands = (): Command[] => Object.values(table).map((row) => JSON.parse(row) as Command)

export const allWords = (): string[] => Object.keys(table)

/** Returns every name of a command with the command's words: its words, and its other names. */
export const allNames = (): Map<string, string> => {
  const names = new Map(allWords().map((words) => [words, words]))
  for (const line of otherNames.split('\n')) {
    const [name, words] = line.split('\t')
    if (name && words) names.set(name, words)
  }
  return names
}

/** Returns the words that begin commands but are not a command themselves, such as `session`. */
export const groups = (): readonly string[] => prefixes
