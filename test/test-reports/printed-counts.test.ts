import { describe, expect, test } from 'vitest'
import { contradictionIn, printedCounts } from '../../src/test-reports/printed-counts.ts'

describe('counts that a test program printed', () => {
  test.each([
    ['      Tests  1 failed | 12 passed (13)\n Test Files  1 passed (1)', 12, 1, 0],
    ['Test Suites: 2 passed, 2 total\nTests:       1 skipped, 9 passed, 10 total', 9, 0, 1],
    ['==== 3 failed, 9 passed, 2 skipped in 0.42s ====', 9, 3, 2],
    ['# tests 4\n# pass 3\n# fail 1\n# skipped 0', 3, 1, 0],
    ['ℹ tests 4\nℹ pass 4\nℹ fail 0', 4, 0, 0],
    [
      'test result: ok. 5 passed; 0 failed; 1 ignored\n\ntest result: ok. 2 passed; 0 failed; 0 ignored',
      7,
      0,
      1,
    ],
    ['Ran 5 tests in 0.003s\n\nFAILED (failures=1, errors=1, skipped=1)', 2, 2, 1],
    ['Ran 1 test in 0.003s\n\nOK\n', 1, 0, 0],
    ['==== 1 failed, 2 passed, 1 error in 0.42s ====', 2, 2, 0],
    ['  12 passing (30ms)\n  1 pending', 12, 0, 1],
    ['\u001b[32m      Tests \u001b[39m \u001b[1m2 passed\u001b[22m (2)', 2, 0, 0],
  ])('[GATE-3] %j', (output, passed, failed, skipped) => {
    expect(printedCounts(output)).toEqual({ passed, failed, skipped })
  })

  test('[GATE-3] undefined where none were printed', () => {
    for (const output of ['', 'ok', 'we have 12 passed exams in the archive', 'PASS src/a.test.ts'])
      expect(printedCounts(output), output).toBeUndefined()
  })
})

describe('counts that contradict exit 0', () => {
  test.each([
    ['0 passed', 'it says that it ran 0 tests'],
    ['# tests 0\n# suites 0\n# pass 0\n# fail 0\n# cancelled 0', 'it says that it ran 0 tests'],
    ['Tests: 3 failed, 1 passed, 4 total', 'it says 3 failed, 1 passed'],
    ['  3 passing (5ms)\n  1 failing\n\n  1) adds', 'it says 1 failed, 3 passed'],
    ['# tests 3\n# suites 0\n# pass 1\n# fail 2', 'it says 2 failed, 1 passed'],
    ['Ran 0 tests in 0.000s\n\nOK\n', 'it says that it ran 0 tests'],
    ['Ran 0 tests in 0.000s\n\nNO TESTS RAN\n', 'it says that it ran 0 tests'],
    ['No test files found, exiting with code 0', 'it found no tests'],
  ])('[GATE-3] %j', (output, why) => {
    expect(contradictionIn(output)).toBe(why)
  })

  test.each([
    'ok',
    '0 errors',
    '✖ 0 problems (0 errors, 0 warnings)',
    '2 errors were expected\n12 passed',
    'Tests  1 failed | 2 passed (3)\nthat was to be seen\nTests  12 passed (12)',
    'test result: ok. 12 passed; 0 failed; 0 ignored\n\n   Doc-tests a\n\ntest result: ok. 0 passed; 0 failed',
    '# tests 2\n# pass 0\n# fail 0\n# skipped 2',
  ])('[GATE-3] not conclusive: %j', (output) => {
    expect(contradictionIn(output)).toBeUndefined()
  })
})
