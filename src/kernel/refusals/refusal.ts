/** One problem, and the field or file that has it. */
export interface Problem {
  path: string
  message: string
  fix?: string
}

export interface Refusal<F> {
  /** Exit status of the command line; SPEC OUT-3 has the table. */
  exit: number
  retryable?: boolean
  message(facts: F): string
  /** A command to run next, which must never destroy data. */
  fix?(facts: F): string | undefined
  alternatives?(facts: F): string[]
}

export const refusal = <F>(shape: Refusal<F>): Refusal<F> => shape

export const problemSentence = ({ path, message }: Problem): string =>
  path ? `${path}: ${message}` : message
