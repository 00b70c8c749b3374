import { isObject } from '../kernel/json-object.ts'
import { readGo } from './go.ts'
import { readJest } from './jest.ts'
import { readJunit } from './junit.ts'
import { readPytest } from './pytest.ts'
import { isTap, readTap } from './tap.ts'
import type { InvalidReport, TestReport } from './test-report.ts'

export const maxReportSize = 16 * 1024 * 1024

/**
 * Reads the report of a test run and detects its format. Counts the individual tests. If the totals in the report
 * contradict these counts, the report is invalid. A report with failed tests is valid.
 */
export const readReport = (text: string): TestReport | InvalidReport => {
  if (text.length > maxReportSize) return { problem: 'the report is larger than 16 MiB' }
  const content = text.trim()
  if (content === '') return { problem: 'the report is empty' }
  const report = readAny(content)
  if ('problem' in report) return report
  if (report.tests === 0) return { problem: 'the report lists no tests' }
  // A report in which every test was skipped proves nothing.
  if (report.skipped === report.tests)
    return { problem: `all ${report.tests} tests in the report were skipped` }
  return report
}

const readAny = (content: string): TestReport | InvalidReport => {
  if (content.startsWith('<')) return readJunit(content)
  if (content.startsWith('{')) return readJson(content)
  if (isTap(content)) return readTap(content)
  return { problem: 'this is neither Jest JSON, JUnit XML, TAP, `go test -json` nor pytest JSON' }
}

const readJson = (content: string): TestReport | InvalidReport => {
  const firstLine = content.slice(0, content.indexOf('\n') + 1 || undefined)
  const first = parse(firstLine)
  if (isObject(first) && typeof first.Action === 'string') return readGo(content)
  const whole = parse(content)
  if (whole === undefined) return { problem: 'the report is cut short or not JSON' }
  if (!isObject(whole)) return { problem: 'the report is not a JSON object' }
  if ('numTotalTests' in whole) return readJest(whole)
  if ('summary' in whole && 'exitcode' in whole) return readPytest(whole)
  return { problem: 'this JSON is neither a report of Jest or Vitest, nor of `go test -json`, nor of pytest' }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // Ignore the error, because the caller knows the expected format and reports the problem.
    return undefined
  }
}
