import { expect, test } from 'vitest'
import { columnsOf, type FullColumn, fieldsToRow, toRecord, toRow } from '../../src/store/columns/column.ts'
import { taskColumns } from '../../src/store/columns/tasks.ts'
import { recordKinds, tables } from '../../src/store/tables.ts'
import fc from '../support/properties.ts'

/** Any value that a column can have in the database. */
const valueIn = (column: FullColumn): fc.Arbitrary<unknown> => {
  const { kind, words, ranks, optional } = column
  const value: fc.Arbitrary<unknown> = ranks
    ? fc.nat({ max: ranks.length - 1 })
    : kind === 'words'
      ? fc.constantFrom(...words)
      : kind === 'json'
        ? fc.json()
        : kind === 'time' || kind === 'count'
          ? fc.nat()
          : kind === 'number'
            ? fc.nat().map((n) => n / 8)
            : fc.string()
  return optional ? fc.option(value) : value
}

test.each(recordKinds)('[PROJ-5] a row of %s becomes a record and the same row again', (kind) => {
  const { columns } = tables[kind]
  const full = columnsOf(columns).filter(({ derived }) => !derived)
  const rows = fc.record(Object.fromEntries(full.map((column) => [column.name, valueIn(column)])))
  fc.assert(
    fc.property(rows, (row) => {
      const record = JSON.parse(JSON.stringify(toRecord(columns, row))) as Record<string, unknown>
      for (const { as, default: omitted } of full) if (omitted !== undefined) record[as] ??= omitted
      const again = toRow(columns, record)
      for (const { name, kind } of full)
        if (kind === 'json' && row[name] !== null)
          expect(JSON.parse(again[name] as string)).toEqual(JSON.parse(row[name] as string))
        else expect(again[name]).toEqual(row[name])
    }),
    { numRuns: 50 },
  )
})

test('fields that are not given stay as they are, and start with their initial value', () => {
  expect(fieldsToRow(taskColumns(), { priority: 'high', id: 'T009', depends: ['T001'] })).toEqual({
    priority: 1,
  })
  expect(fieldsToRow(taskColumns(), { title: 'Form' }, 'initial')).toMatchObject({
    title: 'Form',
    description: '',
    priority: 2,
    size: 'medium',
    stage: null,
    completes: 'auto',
  })
})

test('what commands print of a task leaves out counts, defaults and what is empty', () => {
  const row = { id: 'T001', title: 'Form', description: '', completes: 'auto', stage: null, epoch: 3 }
  const others = { type: 'task', parent: null, reason: null, outcome: null, completed_at: null, root: 'T001' }
  const times = { created_at: 0, updated_at: 1 }
  const shown = toRecord(
    taskColumns(),
    { ...row, ...others, ...times, status: 'done', priority: 0, size: 'small', origin: 'ada', blockers: 1 },
    'shown',
  )
  expect(shown).toEqual({
    id: 'T001',
    title: 'Form',
    type: 'task',
    status: 'done',
    priority: 'critical',
    size: 'small',
    origin: 'ada',
    createdAt: '1970-01-01T00:00:00.000Z',
    updatedAt: '1970-01-01T00:00:00.001Z',
  })
})
