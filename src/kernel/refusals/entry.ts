import type { Problem } from '../result.ts'

export interface Entry<F> {
  /** Exit status of the command line; SPEC OUT-3 has the table. */
  exit: number
  http: number
  retryable?: boolean
  message(facts: F): string
  /** A command to run next. Never one that destroys something. */
  fix?(facts: F): string | undefined
  alternatives?(facts: F): string[]
}

export const entry = <F>(shape: Entry<F>): Entry<F> => shape

export const sentence = ({ path, message }: Problem): string => (path ? `${path}: ${message}` : message)
