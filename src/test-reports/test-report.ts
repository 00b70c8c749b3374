/** The outcome of a test run, counted from the individual tests it lists. */
export interface TestReport {
  format: 'jest' | 'junit' | 'tap' | 'go' | 'pytest'
  tests: number
  passed: number
  failed: number
  skipped: number
}

/** Why a text cannot be used as a report. */
export interface InvalidReport {
  problem: string
}

export type Outcome = 'passed' | 'failed' | 'skipped'
export type Counts = Record<Outcome, number>

export const outcomeIn = (words: Record<string, Outcome>, word: unknown): Outcome | undefined =>
  typeof word === 'string' && Object.hasOwn(words, word) ? words[word] : undefined

export const noCounts = (): Counts => ({ passed: 0, failed: 0, skipped: 0 })

export const toTestReport = (format: TestReport['format'], counts: Counts): TestReport => ({
  format,
  tests: counts.passed + counts.failed + counts.skipped,
  ...counts,
})

type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the value if it is a list of objects. */
export const rowsOf = (value: unknown): Fields[] | undefined =>
  Array.isArray(value) && value.every(isFields) ? value : undefined
