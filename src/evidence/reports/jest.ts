import { noCounts, type Outcome, outcomeIn, type Report, rowsOf, toReport, type Unfit } from './report.ts'

const outcomes: Record<string, Outcome> = {
  passed: 'passed',
  failed: 'failed',
  pending: 'skipped',
  skipped: 'skipped',
  todo: 'skipped',
  disabled: 'skipped',
}

/** What Jest and Vitest write with their JSON reporters. */
export const readJest = (report: Record<string, unknown>): Report | Unfit => {
  const files = rowsOf(report.testResults)
  if (!files) return { problem: 'the report gives sums but lists no tests' }
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
    // A file that could not be loaded has no tests of its own and still failed.
    if (file.status === 'failed' && failed === 0) broken++
  }
  const listed = { ...counts, tests: counts.passed + counts.failed + counts.skipped }
  for (const [sum, of] of sums) {
    if (report[sum] !== listed[of])
      return { problem: `the report says ${sum} ${report[sum]}, but lists ${listed[of]}` }
  }
  counts.failed += broken
  if (report.success !== true && counts.failed === 0)
    return { problem: 'the report says that the run did not succeed, though no test failed' }
  if (report.success !== false && counts.failed > 0)
    return { problem: `the report says that the run succeeded, but ${counts.failed} failed` }
  return toReport('jest', counts)
}

const sums = [
  ['numTotalTests', 'tests'],
  ['numPassedTests', 'passed'],
  ['numFailedTests', 'failed'],
] as const
