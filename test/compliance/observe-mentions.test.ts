import { expect, test } from 'vitest'
import { mentionsIn } from '../../src/compliance/observe-mentions.ts'
import { cpuTime } from '../support/cpu-time.ts'
import fc, { runs } from '../support/properties.ts'

test('[PROT-1] finds the paths and commits that a text claims to exist', () => {
  const text = [
    'Sessions live in `src/session/store.ts:41`, tested by test/session.test.ts.',
    'See ./docs/adr/0001-ids.md (commit 4f0c2a1) and ../shared/a.py:3-9; built at commit: `89abcdef0123`.',
  ]
  expect(mentionsIn(text.join('\n'))).toEqual({
    paths: ['src/session/store.ts', 'test/session.test.ts', './docs/adr/0001-ids.md', '../shared/a.py'],
    commits: ['4f0c2a1', '89abcdef0123'],
  })
})

test.each([
  'There is no src/auth.ts here.',
  'The former lib/old.js was removed.',
  'A plan should add src/new.ts.',
  "It isn't in src/a.ts.",
  'Read https://example.com/docs/a.html and example.com/b.html.',
  'Use @scope/package.json5 or and/or, TCP/IP, n/a, 1/2.',
  'The commit convention of 2026 is short.',
  'src/**/*.ts and src/<name>.ts',
])('[PROT-1] %j claims nothing', (text) => {
  expect(mentionsIn(text)).toEqual({ paths: [], commits: [] })
})

test('[PROT-1] ends quickly, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const { paths, commits } = mentionsIn(text)
      return paths.length + commits.length <= 200
    }),
    { numRuns: runs(10_000) },
  )
  const took = cpuTime(() => {
    for (const piece of ['a/', 'a.', 'commit ', '/.', 'a:1:'])
      mentionsIn(`${piece.repeat(500)}\n`.repeat(400))
  })
  expect(took).toBeLessThan(4000)
})
