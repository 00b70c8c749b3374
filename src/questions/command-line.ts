import { shellQuote } from '../kernel/print/shell-quote.ts'
import type { Operation } from '../operation/operation.ts'

const mostShown = 500

/** The command that asks for an operation with this input, to be read by a person; a long one only by its name. */
export const commandLine = ({ cli }: Operation, input: Readonly<Record<string, unknown>>): string => {
  const places: readonly string[] = cli.positional ?? []
  // Some commands are told apart by a flag, `verify --waive`: it stands behind what they are about.
  const [verb, ...marks] = cli.command.split(' --')
  const words = [
    ...places.flatMap((key) => wordsOf(input[key])),
    ...marks.map((mark) => `--${mark}`),
    ...Object.entries(input).flatMap(([key, value]) => (places.includes(key) ? [] : flagged(key, value))),
  ]
  const line = ['cleo', verb, ...words].join(' ')
  return line.length > mostShown ? `cleo ${verb} --help` : line
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
