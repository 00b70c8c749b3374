import { readGo } from './go.ts'
import { readJest } from './jest.ts'
import { readJunit } from './junit.ts'
import { readPytest } from './pytest.ts'
import { isFields, type Report, type Unfit } from './report.ts'
import { isTap, readTap } from './tap.ts'

export const maxReportSize = 16 * 1024 * 1024

/**
 * Reads what a test run wrote; its format is told by its content. Counts come from the single tests, never from the sums
 * beside them, and where the two disagree it is no report. One with failures is: `failed` says how many.
 */
export const readReport = (text: string): Report | Unfit => {
  if (text.length > maxReportSize) return { problem: 'the report is larger than 16 MiB' }
  const content = text.trim()
  if (content === '') return { problem: 'the report is empty' }
  const report = readAny(content)
  if ('problem' in report) return report
  if (report.tests === 0) return { problem: 'the report lists no test' }
  // Nothing that was left out can show that something works.
  if (report.skipped === report.tests)
    return { problem: `all ${report.tests} tests of the report were skipped` }
  return report
}

const readAny = (content: string): Report | Unfit => {
  if (content.startsWith('<')) return readJunit(content)
  if (content.startsWith('{')) return readJson(content)
  if (isTap(content)) return readTap(content)
  return { problem: 'this is neither Jest JSON, JUnit XML, TAP, `go test -json` nor pytest JSON' }
}

const readJson = (content: string): Report | Unfit => {
  const firstLine = content.slice(0, content.indexOf('\n') + 1 || undefined)
  const first = parse(firstLine)
  if (isFields(first) && typeof first.Action === 'string') return readGo(content)
  const whole = parse(content)
  if (whole === undefined) return { problem: 'the report is cut short or not JSON' }
  if (!isFields(whole)) return { problem: 'the report is not a JSON object' }
  if ('numTotalTests' in whole) return readJest(whole)
  if ('summary' in whole && 'exitcode' in whole) return readPytest(whole)
  return { problem: 'this JSON is neither a report of Jest or Vitest, nor of `go test -json`, nor of pytest' }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // What is not JSON is told by the caller, who knows what it should have been.
    return undefined
  }
}
