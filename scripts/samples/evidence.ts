import type { Samples } from '../error-page.ts'

const missing = (path: string, message: string, fix: string) => ({
  id: 'T012',
  problems: [{ path, message, fix }],
})
const verify = 'cleo verify T012'

export const evidence: Samples = {
  'manifest.missing': missing(
    'manifest entry',
    'T012.1 appended no manifest entry',
    'cleo manifest append --status complete --as T012.1',
  ),
  'output.missing': missing('output file', 'T012-form.md does not exist', 'cleo output new T012 --as T012.1'),
  'focus.unset': missing('focus', 'T012.1 never set focus', 'cleo focus set T012 --as T012.1'),
  'rule.broken': missing(
    'IMPL-001',
    'there is no test file, only src/form.ts',
    'cleo finish T012 --no-tests "<why>" --as T012.1',
  ),
  'evidence.missing': missing(
    'testsPassed',
    'no evidence',
    `${verify} --gate testsPassed --evidence "tool:test"`,
  ),
  'evidence.stale': missing(
    'testsPassed',
    'stale: src/a.ts changed after the run',
    `${verify} --gate testsPassed --evidence "tool:test"`,
  ),
  'vote.missing': missing(
    'vote',
    'T012.1 has not voted on C1; CONS-001 requires a vote',
    'cleo consensus vote C1 --option 1 --accept --confidence 0.8 --rationale "<why>" --evidence "<what you checked>" --as T012.1',
  ),
  'gate.unmet': missing('criterion 2', 'no evidence', `${verify} --criterion 2 --evidence "files:<paths>"`),
  'entry.blocked': missing(
    'status',
    'manifest entry T012-sign-up-form has status blocked, so the task cannot be marked done',
    'cleo finish T012 --status blocked --as T012.1',
  ),
  'evidence.invalid': {
    what: 'testsPassed',
    problems: [{ path: 'tool:test', message: 'npm test exited with 1 in /home/me/shop at 3f0c2ab' }],
  },
  'gate.unknown': { gate: 'testPassed', near: 'testsPassed', id: 'T012', known: [] },
  'criterion.not_found': { id: 'T012', n: 7, count: 3 },
}
