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
  failed: 'failed',
  pending: 'skipped',
  skipped: 'skipped',
  todo: 'skipped',
  disabled: 'skipped',
}

/** Reads the reports that the JSON reporters of Jest and Vitest write. */
export const readJest = (report: Record<string, unknown>): TestReport | InvalidReport => {
  const files = rowsOf(report.testResults)
  if (!files) return { problem: 'the report has totals but lists no tests' }
  const counts = noCounts()
  let broken = 0
  for (const file of files) {
    const tests = rowsOf(file.assertionResults)
    if (!tests) return { problem: 'the report has a file without a list of tests' }
    let failed = 0
    for (const { status } of tests) {
      const outcome = outcomeIn(outcomes, status)
      if (!outcome) return { problem: `the report has a test with the unknown status "${status}"` }
      counts[outcome]++
      if (outcome === 'failed') failed++
    }
    // A file that could not be loaded lists no tests. Count it as one failure.
    if (file.status === 'failed' && failed === 0) broken++
  }
  const listed = { ...counts, tests: counts.passed + counts.failed + counts.skipped }
  for (const [total, of] of totals) {
    if (report[total] !== listed[of])
      return { problem: `the report says ${total} ${report[total]}, but lists ${listed[of]}` }
  }
  counts.failed += broken
  if (report.success !== true && counts.failed === 0)
    return { problem: 'the report says that the run failed, but lists no failed test' }
  if (report.success !== false && counts.failed > 0)
    return { problem: `the report says that the run succeeded, but lists ${counts.failed} as failed` }
  return toTestReport('jest', counts)
}

const totals = [
  ['numTotalTests', 'tests'],
  ['numPassedTests', 'passed'],
  ['numFailedTests', 'failed'],
] as const
