import { isObject, type JsonObject } from '../kernel/json-object.ts'

/** The outcome of a test run, counted from the individual tests in its report. */
export interface TestReport {
  format: 'jest' | 'junit' | 'tap' | 'go' | 'pytest'
  tests: number
  passed: number
  failed: number
  skipped: number
}

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

export const rowsOf = (value: unknown): JsonObject[] | undefined =>
  Array.isArray(value) && value.every(isObject) ? value : undefined
