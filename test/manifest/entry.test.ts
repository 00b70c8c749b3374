import { expect, test } from 'vitest'
import { parseEntryId } from '../../src/kernel/entry-id.ts'
import { isSameEntry, maxEntryBytes, readEntry } from '../../src/manifest/entry.ts'
import fc, { runs } from '../support/properties.ts'

const defaults = { id: 'T012-x', file: 'T012-x.md', title: 'x', date: '2026-01-31', agent_type: 'analysis' }
const read = (given: Record<string, unknown>, lenient = true) =>
  readEntry(given, { defaults, lenient, research: given['agent_type'] === 'research' })

const names = [
  ...['id', 'file', 'title', 'date', 'status', 'agent_type', 'topics', 'key_findings', 'actionable'],
  ...['needs_followup', 'linked_tasks', 'blocker', 'warnings', 'revises', 'spawnId', '__proto__', 'other'],
]
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    'complete',
    'partial',
    'blocked',
    'research',
    'T012-a',
    'T13',
    '2026-02-28',
    '2026-02-29',
    true,
  ),
  fc.array(fc.constantFrom('One.', 'T012', '', ' '), { maxLength: 9 }),
  fc.constantFrom({ category: 'missing context', text: 'x' }, { category: 'Missing_Context' }, { text: 'x' }),
)
const fields = fc
  .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 8 })
  .map((pairs) => Object.fromEntries(pairs))

test('[MANI-3] whatever the fields, an accepted entry is valid and stays the same when it is read again', () =>
  fc.assert(
    fc.property(fields, fc.boolean(), (given, lenient) => {
      const { entry, problems } = read(given, lenient)
      if (problems.length > 0) {
        expect(problems.every(({ message }) => message.length > 0)).toBe(true)
        return
      }
      const text = JSON.stringify(entry)
      expect(text.includes('\n') || text.length > maxEntryBytes).toBe(false)
      expect(parseEntryId(entry.id)?.id).toBe(entry.id)
      expect(['complete', 'partial', 'blocked']).toContain(entry.status)
      if (entry.status === 'partial') expect(entry.needs_followup!.length).toBeGreaterThan(0)
      if (entry.status === 'blocked') expect(entry.blocker!.text).not.toBe('')
      if (
        entry.status === 'complete' &&
        entry.agent_type === 'research' &&
        given['agent_type'] === 'research'
      )
        expect([3, 4, 5, 6, 7]).toContain(entry.key_findings!.length)
      for (const key of ['other', '__proto__'])
        if (Object.hasOwn(given, key)) expect(Object.hasOwn(entry, key)).toBe(true)
      expect(Object.getPrototypeOf(entry)).toBe(Object.prototype)
      const again = read(JSON.parse(text) as Record<string, unknown>, true)
      expect(again.problems).toEqual([])
      expect(isSameEntry(again.entry, entry)).toBe(true)
    }),
    { numRuns: runs(10_000) },
  ))

test.each([
  ['T012-sign-up', 'T012-sign-up', 'T012'],
  ['t12-Sign.up_2', 'T012-Sign.up_2', 'T012'],
  ['T1234-x', 'T1234-x', 'T1234'],
])('[MANI-3] %s is an id', (text, id, task) => expect(parseEntryId(text)).toEqual({ id, task }))

test.each([
  '',
  'T012',
  'T012-',
  '-x',
  '12-x',
  'T0-x',
  'Tx-y',
  'T012- x',
  'T012-../x',
  'T012--x',
  'T012-é',
  `T012-${'x'.repeat(101)}`,
])('[MANI-3] "%s" is not an id', (text) => expect(parseEntryId(text)).toBeUndefined())
