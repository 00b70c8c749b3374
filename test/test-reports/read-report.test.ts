import { expect, test } from 'vitest'
import { maxReportSize, readReport } from '../../src/test-reports/read-report.ts'

const problemOf = (text: string): string => {
  const report = readReport(text)
  return 'problem' in report ? report.problem : `no problem: ${JSON.stringify(report)}`
}

const jest = (statuses: readonly string[], more: object = {}): string => {
  const of = (status: string) => statuses.filter((each) => each === status).length
  return JSON.stringify({
    numTotalTests: statuses.length,
    numPassedTests: of('passed'),
    numFailedTests: of('failed'),
    success: of('failed') === 0,
    testResults: [{ assertionResults: statuses.map((status) => ({ status })) }],
    ...more,
  })
}

const junit = (cases: string, attributes = ''): string =>
  `<?xml version="1.0"?><testsuites><testsuite ${attributes}>${cases}</testsuite></testsuites>`

const go = (...events: object[]): string => events.map((event) => JSON.stringify(event)).join('\n')
const pkg = { Package: 'shop/cart' }

const pytest = (outcomes: readonly string[], more: object = {}): string => {
  const summary: Record<string, number> = { total: outcomes.length, collected: outcomes.length }
  for (const outcome of outcomes) summary[outcome] = (summary[outcome] ?? 0) + 1
  return JSON.stringify({ exitcode: 0, summary, tests: outcomes.map((outcome) => ({ outcome })), ...more })
}

test('[GATE-3] detects each format and counts test by test', () => {
  const counted = (passed: number, failed: number, skipped: number) => ({
    tests: passed + failed + skipped,
    passed,
    failed,
    skipped,
  })
  expect(readReport(jest(['passed', 'failed', 'pending', 'todo']))).toEqual({
    format: 'jest',
    ...counted(1, 1, 2),
  })
  const cases =
    '<testcase name="a"/><testcase name="b"><failure message="1 &lt; 2"/></testcase>' +
    '<testsuite><testcase name="c"><error/></testcase><testcase name="d"><skipped/></testcase></testsuite>'
  expect(readReport(junit(cases, 'tests="4" failures="1" errors="1"'))).toEqual({
    format: 'junit',
    ...counted(1, 2, 1),
  })
  const tap =
    'TAP version 14\n1..4\nok 1 - a\nnot ok 2 - b\n  ---\n  ok: no\n  ...\nok 3 # SKIP why\nnot ok 4 # TODO x\n'
  expect(readReport(tap)).toEqual({ format: 'tap', ...counted(1, 1, 2) })
  const events = [
    { Action: 'start', ...pkg },
    ...['A', 'B', 'C'].map((Test) => ({ Action: 'run', ...pkg, Test })),
    { Action: 'output', ...pkg, Test: 'A', Output: 'ok\n' },
    { Action: 'pass', ...pkg, Test: 'A' },
    { Action: 'fail', ...pkg, Test: 'B' },
    { Action: 'skip', ...pkg, Test: 'C' },
    { Action: 'fail', ...pkg },
  ]
  expect(readReport(go(...events))).toEqual({ format: 'go', ...counted(1, 1, 1) })
  expect(
    readReport(pytest(['passed', 'failed', 'error', 'skipped', 'xfailed', 'xpassed'], { exitcode: 1 })),
  ).toEqual({ format: 'pytest', ...counted(2, 2, 2) })
})

test('[GATE-3] totals that disagree with the listed tests make a report invalid', () => {
  expect(problemOf(jest(['passed'], { numTotalTests: 40 }))).toBe(
    'the report says numTotalTests 40, but lists 1',
  )
  expect(problemOf(jest(['passed', 'failed'], { success: true }))).toContain('says that the run succeeded')
  expect(problemOf(jest(['passed'], { success: false }))).toContain('says that the run failed')
  expect(problemOf('{"numTotalTests":5,"numPassedTests":5,"success":true}')).toContain('lists no tests')
  expect(problemOf(junit('<testcase/>', 'tests="9"'))).toBe('the report says 9 tests, but lists 1')
  expect(problemOf(junit('<testcase/>', 'tests="1" failures="1"'))).toContain('lists none of them')
  expect(problemOf('TAP version 13\n1..3\nok 1\nok 2')).toBe('the report says 3 tests, but lists 2')
  expect(problemOf('1..2\nok 1\nok 1')).toBe('the report has test 1 twice')
  expect(problemOf(pytest(['passed'], { summary: { total: 7, passed: 7 } }))).toContain(
    'says 7 passed, but lists 1',
  )
  expect(
    problemOf(
      go({ Action: 'start', ...pkg }, { Action: 'pass', ...pkg, Test: 'A' }, { Action: 'pass', ...pkg }),
    ),
  ).toContain('never began')
})

test('[GATE-3] a report that is cut short is invalid', () => {
  const whole = [
    jest(['passed', 'passed']),
    junit('<testcase name="a"></testcase><testcase name="b"/>', 'tests="2"'),
    pytest(['passed']),
  ]
  for (const text of whole) {
    expect(readReport(text)).toHaveProperty('failed', 0)
    for (let cut = 1; cut < text.length; cut++)
      expect(readReport(text.slice(0, cut))).toHaveProperty('problem')
  }
  expect(problemOf('TAP version 14\nok 1\nok 2')).toContain('cut short')
  expect(problemOf('1..1\n    ok 1\nok 1 - with a subtest that has no plan')).toContain('cut short')
  expect(problemOf('1..1\nok 1\n  ---\n  a: 1')).toContain('cut short')
  expect(problemOf('1..1\nok 1\nBail out! no database')).toContain('bailed out')
  expect(problemOf(go({ Action: 'start', ...pkg }, { Action: 'run', ...pkg, Test: 'A' }))).toContain(
    'cut short',
  )
  expect(problemOf(`${go({ Action: 'start', ...pkg })}\n{"Action":"ru`)).toContain('line 2')
})

test('[GATE-3] a report without a test that ran proves nothing', () => {
  const empty = [
    jest([]),
    junit('', 'tests="0"'),
    'TAP version 13\n1..0 # SKIP none',
    pytest([], { exitcode: 5 }),
  ]
  for (const text of empty) expect(readReport(text)).toHaveProperty('problem')
  expect(problemOf(jest(['skipped', 'todo']))).toBe('all 2 tests in the report were skipped')
  expect(problemOf(junit('<testcase status="notrun"/>'))).toBe('all 1 tests in the report were skipped')
  expect(problemOf(' \n')).toBe('the report is empty')
  expect(problemOf('x'.repeat(maxReportSize + 1))).toContain('larger than 16 MiB')
  expect(problemOf('all tests passed, trust me')).toContain('neither Jest JSON')
  expect(problemOf('{"all":"passed"}')).toContain('neither a report')
  expect(problemOf('[1]')).toContain('neither')
  expect(problemOf('<html><body/></html>')).toContain('not a JUnit report')
})

test('[GATE-3] a failure outside of a test counts', () => {
  const failed = (text: string) => (readReport(text) as { failed?: number }).failed
  expect(failed(junit('<error message="cannot load"/>', 'tests="0" errors="1"'))).toBe(1)
  expect(failed(pytest([], { exitcode: 2, collectors: [{ outcome: 'failed' }] }))).toBe(1)
  expect(failed(go({ Action: 'start', ...pkg }, { Action: 'fail', ...pkg }))).toBe(1)
  expect(failed('1..1\n    1..1\n    ok 1\nnot ok 1 - the subtest itself')).toBe(1)
  expect(problemOf(pytest(['passed'], { exitcode: 3 }))).toContain('pytest exited with 3')
})

test('[GATE-3] TAP subtests are counted at any depth', () => {
  const text = [
    'TAP version 14',
    '# Subtest: outer',
    '    # Subtest: inner',
    '        ok 1 - a',
    '        not ok 2 - b',
    '        1..2',
    '    not ok 1 - inner',
    '    ok 2 - c # skip no network',
    '    1..2',
    'not ok 1 - outer',
    'ok 2 - d',
    '1..2',
  ]
  expect(readReport(text.join('\n'))).toEqual({ format: 'tap', tests: 4, passed: 2, failed: 1, skipped: 1 })
  const todo = text.with(9, 'not ok 1 - outer # TODO')
  expect(readReport(todo.join('\r\n'))).toEqual({ format: 'tap', tests: 4, passed: 2, failed: 0, skipped: 2 })
})

test('[GATE-3] names that every object has are not outcomes', () => {
  for (const word of ['constructor', '__proto__', 'toString']) {
    expect(problemOf(jest([word]))).toContain('unknown status')
    expect(problemOf(pytest([word]))).toContain('unknown outcome')
  }
})
