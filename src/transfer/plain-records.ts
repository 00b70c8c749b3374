import * as v from 'valibot'
import type { Problem } from '../kernel/result.ts'
import { TaskId } from '../kernel/task-id.ts'
import { iso } from '../kernel/time.ts'
import { type Column, keysOf, type PlainRow, type PlainTable, plainTables } from '../store/plain-tables.ts'
import type { Param } from '../store/port.ts'
import { Count, Time } from './record-fields.ts'

/** One line of an export that is one row of a plain table; the table's name is the word in `record`. */
export interface PlainRecord {
  record: PlainTable
  [column: string]: Param
}

export const isPlain = (word: string): word is PlainTable => Object.hasOwn(plainTables, word)

const columnsOf = (table: PlainTable) => Object.entries<Column>(plainTables[table])

const schemaOf = (column: Column): v.GenericSchema => {
  if (typeof column === 'object') return v.picklist(column)
  if (column.endsWith('?')) return v.optional(schemaOf(column.slice(0, -1) as Column))
  switch (column) {
    case 'count':
      return Count
    case 'number':
      return v.number()
    case 'task':
      return TaskId
    case 'time':
      return Time
    default:
      return v.string()
  }
}

export const plainSchema = (table: PlainTable) =>
  v.strictObject({
    record: v.literal(table),
    ...Object.fromEntries(columnsOf(table).map(([name, column]) => [name, schemaOf(column)])),
  })

const isTime = (column: Column) => column === 'time' || column === 'time?'

export const plainRecord = (table: PlainTable, row: PlainRow): object =>
  Object.fromEntries([
    ['record', table],
    ...columnsOf(table).flatMap(([name, column]) => {
      const value = row[name]!
      if (value === null) return []
      return [[name, isTime(column) ? iso(value as number) : value]]
    }),
  ])

export const plainRow = (record: PlainRecord): PlainRow =>
  Object.fromEntries(
    columnsOf(record.record).map(([name, column]) => {
      const value = record[name] ?? null
      return [name, isTime(column) && value !== null ? Date.parse(value as string) : value]
    }),
  )

/** Rows that say a thing twice, or speak of a task that is not there. */
export const wrongPlain = (
  records: readonly (PlainRecord & { line: number })[],
  hasTask: (id: string) => boolean,
): Problem[] => {
  const problems: Problem[] = []
  const seen = new Set<string>()
  for (const record of records) {
    const { record: table, line } = record
    const key = JSON.stringify([table, ...keysOf[table].map((name) => record[name])])
    if (seen.has(key)) problems.push({ path: `line ${line}`, message: 'its key stood on an earlier line' })
    seen.add(key)
    for (const [name, column] of columnsOf(table)) {
      const value = record[name]
      if ((column === 'task' || column === 'task?') && typeof value === 'string' && !hasTask(value))
        problems.push({ path: `line ${line}, ${name}`, message: `${value} is not in the document` })
    }
  }
  return problems
}
