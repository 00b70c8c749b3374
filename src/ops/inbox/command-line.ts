import { shellQuote } from '../../model/shell-quote.ts'
import type { Operation } from '../operation.ts'

const mostShown = 500

/** The command that asks for an operation with this input, to be read by a person; a long one only by its name. */
export const commandLine = ({ cli }: Operation, input: Readonly<Record<string, unknown>>): string => {
  const places: readonly string[] = cli.positional ?? []
  const words = [
    ...places.flatMap((key) => wordsOf(input[key])),
    ...Object.entries(input).flatMap(([key, value]) => (places.includes(key) ? [] : flagged(key, value))),
  ]
  const line = ['cleo', cli.command, ...words].join(' ')
  return line.length > mostShown ? `cleo ${cli.command} --help` : line
}

const flagged = (key: string, value: unknown): string[] => {
  const flag = `--${key.replace(/[A-Z]/g, (upper) => `-${upper.toLowerCase()}`)}`
  if (typeof value === 'boolean') return value ? [flag] : []
  return (Array.isArray(value) ? value : [value]).flatMap((each) =>
    wordsOf(each).map((word) => `${flag} ${word}`),
  )
}

const wordsOf = (value: unknown): string[] =>
  typeof value === 'string' || typeof value === 'number' ? [shellQuote(String(value))] : []
