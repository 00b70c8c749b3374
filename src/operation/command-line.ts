import { shellQuote } from '../print/shell-quote.ts'
import type { Command } from './command-table.ts'

/** Leaves out fields of the input that have no flag. */
export const commandLine = ({ words, flags }: Command, input: Readonly<Record<string, unknown>>): string => {
  const places = flags.filter(({ at }) => at !== undefined).sort((a, b) => a.at! - b.at!)
  // The names of some commands contain a flag: `verify --waive`, `verify --gate`. A flag without a value, such as
  // `--waive`, is printed after the positional arguments. A flag with a value is printed with the other flags.
  const [verb, ...marks] = words.split(' --')
  return [
    'cleo',
    verb,
    ...places.flatMap(({ key }) => wordsOf(input[key])),
    ...marks.map((mark) => `--${mark}`).filter((mark) => flags.every(({ name }) => name !== mark)),
    ...flags.flatMap(({ key, name, at }) => (at === undefined ? flagged(name, input[key]) : [])),
  ].join(' ')
}

const flagged = (flag: string, value: unknown): string[] => {
  if (typeof value === 'boolean') return value ? [flag] : []
  return (Array.isArray(value) ? value : [value]).flatMap((each) =>
    wordsOf(each).map((word) => `${flag} ${word}`),
  )
}

const wordsOf = (value: unknown): string[] =>
  typeof value === 'string' || typeof value === 'number' ? [shellQuote(String(value))] : []
