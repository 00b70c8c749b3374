import { isObject } from '../kernel/json-object.ts'
import {
  type InvalidReport,
  noCounts,
  type Outcome,
  outcomeIn,
  rowsOf,
  type TestReport,
  toTestReport,
} from './test-report.ts'

const outcomes: Record<string, Outcome> = {
  passed: 'passed',
  xpassed: 'passed',
  failed: 'failed',
  error: 'failed',
  skipped: 'skipped',
  xfailed: 'skipped',
}

/** Reads the report that pytest-json-report writes. */
export const readPytest = (report: Record<string, unknown>): TestReport | InvalidReport => {
  const { summary, exitcode } = report
  const tests = rowsOf(report.tests ?? [])
  const collectors = rowsOf(report.collectors ?? [])
  if (!isObject(summary) || !tests || !collectors)
    return { problem: 'the report does not have the shape of pytest-json-report' }
  const counts = noCounts()
  const seen = new Map<string, number>()
  for (const test of tests) {
    const word = String(test.outcome)
    const outcome = outcomeIn(outcomes, word)
    if (!outcome) return { problem: `the report has a test with the unknown outcome "${word}"` }
    counts[outcome]++
    seen.set(word, (seen.get(word) ?? 0) + 1)
  }
  for (const [word, listed] of [
    ...Object.keys(outcomes).map(countOfWord(seen)),
    ['total', tests.length] as const,
  ]) {
    const declared = summary[word] ?? 0
    if (declared !== listed) return { problem: `the report says ${declared} ${word}, but lists ${listed}` }
  }
  // A file that could not be collected lists no tests. Count it as one failure.
  counts.failed += collectors.filter(({ outcome }) => outcome === 'failed').length
  if (exitcode !== 0 && counts.failed === 0)
    return { problem: `the report says that pytest exited with ${exitcode}, but lists no failed test` }
  return toTestReport('pytest', counts)
}

const countOfWord =
  (seen: ReadonlyMap<string, number>) =>
  (word: string): readonly [string, number] => [word, seen.get(word) ?? 0]
