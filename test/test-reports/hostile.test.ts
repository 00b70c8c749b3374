import { expect, test } from 'vitest'
import { readReport } from '../../src/test-reports/read-report.ts'
import { cpuTime } from '../support/cpu-time.ts'
import fc, { runs } from '../support/properties.ts'

const problemOf = (text: string): unknown => (readReport(text) as { problem?: string }).problem

test('[GATE-3] a document type, an entity and deep nesting are refused', () => {
  const bomb =
    '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>'
  expect(problemOf(bomb)).toContain('document type')
  expect(problemOf('<testsuite><!ENTITY a "b"><testcase/></testsuite>')).toContain('document type')
  expect(problemOf('<testsuite>'.repeat(2000))).toContain('nested deeper')
  expect(problemOf(`1..1\n${' '.repeat(4 * 80)}ok 1`)).toContain('nested deeper')
  const many = Array.from({ length: 200 }, (_, n) => `a${n}="1"`).join(' ')
  expect(problemOf(`<testsuite ${many}/>`)).toContain('attributes')
})

test('[GATE-3] failures in comments, texts or CDATA do not count and cannot hide one', () => {
  const quiet =
    '<testsuite><testcase><system-out><![CDATA[</testcase><testcase><failure/>]]></system-out></testcase></testsuite>'
  expect(readReport(quiet)).toMatchObject({ tests: 1, failed: 0 })
  expect(readReport('<testsuite><!-- <testcase> --><testcase/></testsuite>')).toMatchObject({ tests: 1 })
  const hidden = '<testsuite><testcase name="a>b"><failure>x</failure></testcase></testsuite>'
  expect(readReport(hidden)).toMatchObject({ failed: 1 })
})

test.each([
  ['two roots', '<testsuite/><testsuite/>'],
  ['text behind', '<testsuite/>x'],
  ['the wrong end', '<testsuite><testcase></testsuite></testcase>'],
  ['an attribute twice', '<testsuite a="1" a="2"/>'],
  ['an attribute without quotes', '<testsuite a=1/>'],
  ['a bare attribute', '<testsuite a/>'],
  ['no name', '<testsuite>< ></testsuite>'],
])('[GATE-3] XML with %s is refused', (_, text) => {
  expect(problemOf(text)).toBeTypeOf('string')
})

const xmlPiece = fc.constantFrom(
  ...['<testsuites>', '</testsuites>', '<testsuite tests="1">', '</testsuite>', '<testcase>', '</testcase>'],
  ...['<testcase/>', '<failure/>', '<skipped/>', '<!--', '-->', '<![CDATA[', ']]>', '<!DOCTYPE', '<?', '?>'],
  ...['"', "'", '=', '/', '>', '<', '&#0;', '&lt;', 'x', ' ', '\n', '\0', '\u{1F600}'],
)
const tapPiece = fc.constantFrom(
  ...['TAP version 14', '1..1', '1..2', 'ok', 'ok 1', 'ok 2 - b', 'not ok 1', 'not ok 2 # TODO', 'ok # SKIP'],
  ...[
    '    ',
    '  ---',
    '  ...',
    '\n',
    '\n',
    '\n',
    '\r\n',
    '# Subtest: a',
    'Bail out!',
    '\\#',
    '1..99999999999999999999',
  ],
)
const texts = (piece: fc.Arbitrary<string>, before: string) =>
  fc
    .array(fc.oneof({ weight: 9, arbitrary: piece }, fc.string({ unit: 'binary' })), { maxLength: 60 })
    .map((pieces) => before + pieces.join(''))

test.each([
  ['XML', texts(xmlPiece, '<')],
  ['XML of JUnit', texts(xmlPiece, '<testsuite>')],
  ['TAP', texts(tapPiece, 'TAP version 13\n')],
])('[GATE-3] whatever %s says is answered, with counts that add up or with a problem', (_, text) => {
  fc.assert(
    fc.property(text, (content) => {
      const report = readReport(content)
      if ('problem' in report) return report.problem.length > 0 && report.problem.length < 250
      return report.tests === report.passed + report.failed + report.skipped && report.tests > 0
    }),
    { numRuns: runs(10_000) },
  )
})

test.each([
  ['openings', '<testsuite>', '<', ''],
  ['comments that do not end', '<testsuite>', '<!-- ', ''],
  ['attributes', '<testsuite ', 'a="', ''],
  ['blanks in a tag', '<testsuite ', ' ', ''],
  ['suites side by side', '<testsuites>', '<testsuite><testcase/></testsuite>', '</testsuites>'],
  ['deep and shallow lines of TAP', 'TAP version 14\n', `${' '.repeat(240)}ok\nok\n`, ''],
  ['directives that are none', '1..1\nok 1 ', '#   ', ''],
  ['blanks behind ok', '1..1\nok', ' ', ''],
])('[GATE-3] reading is linear in %s', (_, before, piece, after) => {
  const text = (size: number) => before + piece.repeat(Math.floor(size / piece.length)) + after
  const best = (size: number, times: number) => {
    const content = text(size)
    const spent = () =>
      cpuTime(() => {
        for (let i = 0; i < times; i++) readReport(content)
      })
    return Math.min(spent(), spent(), spent())
  }
  best(100_000, 1)
  // Reads the same amount of text once as a whole and once in eight parts. If reading took quadratic time, the
  // whole would take eight times as long.
  expect(best(4_000_000, 1)).toBeLessThan(4 * best(500_000, 8) + 20)
})
