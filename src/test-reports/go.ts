import { isObject } from '../kernel/json-object.ts'
import {
  type Counts,
  type InvalidReport,
  noCounts,
  type Outcome,
  outcomeIn,
  type TestReport,
  toTestReport,
} from './test-report.ts'

const outcomes: Record<string, Outcome> = { pass: 'passed', fail: 'failed', skip: 'skipped' }

interface Run {
  counts: Counts
  /** For each test, by package and name: how many of its runs have not ended. */
  open: Map<string, number>
  /** The packages that started, and how many of their tests failed. */
  packages: Map<string, { failed: number; ended: boolean }>
}

/** Reads the output of `go test -json`: one event per line. */
export const readGo = (text: string): TestReport | InvalidReport => {
  const run: Run = { counts: noCounts(), open: new Map(), packages: new Map() }
  let at = 0
  for (const line of text.split('\n')) {
    at++
    if (line.trim() === '') continue
    const event = parse(line)
    if (!event)
      return { problem: `line ${at} of the report is cut short or not an event of \`go test -json\`` }
    const problem = addEvent(run, event)
    if (problem) return { problem }
  }
  for (const [name, { ended }] of run.packages)
    if (!ended) return { problem: `the report is cut short: package ${name} never ends` }
  // If a test failed, ignore tests without an end event. A test that panics has no end event, and its failure is
  // counted for its package.
  for (const [name, running] of run.open)
    if (running > 0 && run.counts.failed === 0)
      return { problem: `the report is cut short: ${name.replace('\0', ' ')} never ends` }
  return toTestReport('go', run.counts)
}

const parse = (line: string): Record<string, unknown> | undefined => {
  try {
    const event: unknown = JSON.parse(line)
    return isObject(event) && typeof event.Action === 'string' ? event : undefined
  } catch {
    // Ignore the error, because the caller reports the number of the invalid line.
    return undefined
  }
}

const addEvent = (run: Run, event: Record<string, unknown>): string | undefined => {
  const action = String(event.Action)
  if (typeof event.Package !== 'string') return undefined
  const at = run.packages.get(event.Package) ?? { failed: 0, ended: false }
  run.packages.set(event.Package, at)
  const outcome = outcomeIn(outcomes, action)
  if (typeof event.Test !== 'string') {
    if (!outcome) return undefined
    at.ended = true
    // After a build failure, a panic or a failing TestMain, the package failed although no test did. Count this as
    // one failure.
    if (outcome === 'failed' && at.failed === 0) run.counts.failed++
    return undefined
  }
  const name = `${event.Package}\0${event.Test}`
  const running = run.open.get(name) ?? 0
  if (action === 'run') run.open.set(name, running + 1)
  if (!outcome) return undefined
  if (running === 0) return `the report ends ${event.Test} of ${event.Package}, which never began`
  run.open.set(name, running - 1)
  run.counts[outcome]++
  if (outcome === 'failed') at.failed++
  return undefined
}
