import { shellQuote } from '../print/shell-quote.ts'
import type { Operation } from './operation.ts'

/** Whether a flag or field asks for a time estimate, which CLEO never accepts. */
export const isEstimate = (name: string): boolean =>
  /^(time-?)?(estimates?d?|eta|hours?|days?|weeks?|minutes?|months?|sprints?|duration|due|due-?(date|on|by)|dead-?line|finish-?by|time|effort-?(hours|days))$/i.test(
    name.replace(/^-+/, ''),
  )

/** Returns the given command with a size instead of the time estimate. */
export const estimateFix = ({ cli, input }: Operation, given: unknown): string => {
  const words = (cli.positional ?? [])
    .map((key: string) => (given as Record<string, unknown>)[key])
    .filter((word: unknown) => typeof word === 'string')
  if (!('size' in input.entries) || words.length === 0) return `cleo ${cli.command} --help`
  return ['cleo', cli.command, ...words.map(shellQuote), '--size medium'].join(' ')
}
