import { describe, expect, test } from 'vitest'
import { printedFailures } from '../../src/test-reports/printed-failures.ts'

const cases: [name: string, output: string, names: string[]][] = [
  [
    'Vitest',
    ' FAIL  src/b.test.ts [ src/b.test.ts ]\nError: x\n FAIL  src/a.test.ts > group > adds\n\n Test Files  2 failed (2)\n      Tests  1 failed | 1 passed (2)\n',
    ['src/a.test.ts > group > adds', 'src/b.test.ts (could not be loaded)'],
  ],
  [
    'Jest',
    'PASS src/c.test.js\nFAIL src/a.test.js (5.1 s)\n  ● sums › adds\n\n    expect(1)\n\n  ● Test suite failed to run\n\nSummary of all failing tests\nFAIL src/a.test.js\n  ● sums › adds\n\nTests:       1 failed, 4 passed, 5 total\n',
    ['src/a.test.js (could not be loaded)', 'src/a.test.js › sums › adds'],
  ],
  [
    'pytest',
    'FAILED tests/test_a.py::test_b[x y] - AssertionError: assert 1 == 2\nFAILED tests/test_a.py::test_c\n=== 2 failed, 3 passed in 0.10s ===\n',
    ['tests/test_a.py::test_b[x y]', 'tests/test_a.py::test_c'],
  ],
  [
    'unittest',
    'FE.F\nERROR: test_err (test_a.A.test_err)\nFAIL: test_bad (test_a.A)\nFAIL: test_sub (test_a.A.test_sub) (i=1)\nERROR: test_x (unittest.loader._FailedTest.test_x)\nRan 6 tests in 0.003s\n\nFAILED (failures=2, errors=2)\n',
    ['test_a.A.test_bad', 'test_a.A.test_err', 'test_a.A.test_sub (i=1)', 'test_x (could not be loaded)'],
  ],
  [
    'Go',
    'ok  \texample.com/a\t0.01s\n--- FAIL: TestB (0.00s)\n    --- FAIL: TestB/one (0.00s)\nFAIL\nFAIL\texample.com/b\t0.01s\nFAIL\texample.com/c [build failed]\nFAIL\n',
    ['example.com/b TestB', 'example.com/b TestB/one', 'example.com/c (could not be loaded)'],
  ],
  [
    'Cargo',
    '     Running unittests src/lib.rs (target/debug/deps/demo-1a)\ntest tests::bad ... FAILED\ntest tests::ok ... ok\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\n     Running tests/it.rs (target/debug/deps/it-2b)\ntest it ... FAILED\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n',
    ['src/lib.rs tests::bad', 'tests/it.rs it'],
  ],
  [
    'TAP',
    'TAP version 13\nok 1 - one\nnot ok 2 - two\n# Subtest: g\n    not ok 1 - three\n    1..1\nnot ok 3 - g\nnot ok 4 - two\nnot ok 5 - later # TODO\n1..5\n# pass 1\n# fail 3\n',
    ['three', 'two', 'two (2)'],
  ],
  [
    'node --test',
    '✔ one (0.7ms)\n✖ two (0.8ms)\nℹ pass 1\nℹ fail 2\n\n✖ failing tests:\n\ntest at a.test.js:2:21\n✖ two (0.84ms)\n  AssertionError\n\ntest at a.test.js:2:76\n✖ three (7.2ms)\n',
    ['a.test.js three', 'a.test.js two'],
  ],
]

describe('failing tests that a test program printed', () => {
  test.each(cases)('[GATE-5] %s', (_, output, names) => {
    expect(printedFailures(output)).toMatchObject({ names, ran: true })
  })

  test('[GATE-5] only their number where not all are named', () => {
    expect(printedFailures('  3 passing (5ms)\n  2 failing\n\n  1) adds\n')).toEqual({ failed: 2, ran: true })
    expect(printedFailures('FAILED tests/test_a.py::test_b\n=== 3 failed, 1 passed in 1s ===')).toEqual({
      failed: 3,
      ran: true,
    })
  })

  test('[GATE-5] a run that stopped before any test did not run tests', () => {
    expect(printedFailures('ERROR tests/test_a.py\n=== 1 error in 1.73s ===\n')).toMatchObject({ ran: false })
    expect(printedFailures('error[E0425]: cannot find value\nerror: could not compile')).toEqual({
      ran: false,
    })
    expect(printedFailures('FAIL\texample.com/c [build failed]\n')).toMatchObject({ ran: false })
    expect(printedFailures('')).toEqual({ ran: false })
  })
})
