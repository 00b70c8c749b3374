/** Something wrong with a file that people write. An error breaks a rule; a warning is advice. */
export interface Finding {
  level: 'error' | 'warning'
  file: string
  line?: number
  message: string
}

/** The same before it is known in which file and how bad. */
export type Broken = Required<Pick<Finding, 'line' | 'message'>>

export const inLineOrder = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
