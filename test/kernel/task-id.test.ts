import { expect, test } from 'vitest'
import { parseSpawnId, parseTaskId, taskId } from '../../src/kernel/task-id.ts'
import fc, { runs } from '../support/properties.ts'

test('[TASK-2] t12, 12 and T012 name the same task', () => {
  for (const written of ['t12', '12', 'T012', 'T12', ' T0012 ', '012'])
    expect(parseTaskId(written)).toBe('T012')
  expect(taskId(7)).toBe('T007')
  expect(taskId(1234)).toBe('T1234')
})

test('[TASK-2] nothing else is an id', () => {
  const others = [
    '',
    'T',
    'T0',
    '0',
    '-1',
    'T-1',
    '1.5',
    'T1x',
    'TT1',
    '１２',
    'T1 2',
    '1e3',
    '9'.repeat(13),
    'T012.1',
  ]
  for (const other of others) expect(parseTaskId(other)).toBeUndefined()
})

test('[TASK-2] an id reads back as itself, and arbitrary text never slips through as one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), (n) => {
      expect(parseTaskId(taskId(n))).toBe(taskId(n))
    }),
    { numRuns: runs(10_000) },
  )
  fc.assert(
    fc.property(fc.string(), (text) => {
      const id = parseTaskId(text)
      if (id !== undefined) expect(/^[Tt]?\d+$/.test(text.trim())).toBe(true)
    }),
    { numRuns: runs(10_000) },
  )
})

test('[SESS-3] a spawn id is a task and an attempt', () => {
  for (const id of ['T012.1', 'T1234.12']) expect(parseSpawnId(id)).toBeDefined()
  for (const id of ['T012', 'T12.1', 'T012.', 't012.1', 'T012.1.2', 'alice', 'T012.x'])
    expect(parseSpawnId(id)).toBeUndefined()
})
