import type { Samples } from '../error-page.ts'

const lacking = (path: string, message: string, fix: string) => ({
  id: 'T012',
  problems: [{ path, message, fix }],
})
const verify = 'cleo verify T012'

export const evidence: Samples = {
  'manifest.missing': lacking(
    'manifest entry',
    'T012.1 appended none',
    'cleo manifest append --status complete --as T012.1',
  ),
  'output.missing': lacking('output file', 'T012-form.md is not there', 'cleo output new T012 --as T012.1'),
  'focus.unset': lacking('focus', 'T012.1 never set it', 'cleo focus set T012 --as T012.1'),
  'evidence.missing': lacking(
    'testsPassed',
    'no evidence',
    `${verify} --gate testsPassed --evidence "tool:test"`,
  ),
  'evidence.stale': lacking(
    'testsPassed',
    'stale: src/a.ts changed after the run',
    `${verify} --gate testsPassed --evidence "tool:test"`,
  ),
  'gate.unmet': lacking('criterion 2', 'no evidence', `${verify} --criterion 2 --evidence "files:<paths>"`),
  'entry.blocked': lacking('manifest entry', 'it says blocked', 'cleo orchestrate receive T012'),
  'evidence.invalid': {
    what: 'testsPassed',
    problems: [{ path: 'tool:test', message: 'npm test ended with 1 in /home/me/shop at 3f0c2ab' }],
  },
  'gate.unknown': { gate: 'testPassed', near: 'testsPassed', id: 'T012', known: [] },
  'gate.hard': { id: 'T012', gate: 'testsPassed' },
  'criterion.not_found': { id: 'T012', n: 7, count: 3 },
}
