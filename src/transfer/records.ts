import * as v from 'valibot'
import { inputLimits } from '../kernel/input-limits.ts'
import { limits } from '../kernel/task.ts'
import { Description, Files, Labels, NoteText, Title } from '../kernel/task-fields.ts'
import { TaskId } from '../kernel/task-id.ts'
import { isDeeper } from '../manifest/parse-object.ts'
import { type Columns, columnsOf, type FullColumn, type RecordOf } from '../store/columns/column.ts'
import { criteria, notes } from '../store/columns/tasks.ts'
import { type RecordKind, tables } from '../store/tables.ts'

/** The first line of an export. */
export const header = { cleo: 'export', version: 1 } as const

/** Returns undefined if the text is not JSON. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // The error message is dropped, because each runtime words it differently.
    return undefined
  }
}

/** The lists that are exported inside a task or session record. */
interface Within {
  task: {
    depends: string[]
    labels: string[]
    files: string[]
    criteria: RecordOf<typeof criteria>[]
    notes: Note[]
  }
  session: { notes: Note[] }
}
type Note = RecordOf<typeof notes>

/** One line of an export. */
export type ExportRecord<K extends RecordKind> = RecordOf<(typeof tables)[K]['columns']> &
  (K extends keyof Within ? Within[K] : unknown)

export type NumberedRecord<K extends RecordKind> = ExportRecord<K> & { line: number }

export type Document = { [K in RecordKind]: NumberedRecord<K>[] }

const schemas = new Map<string, v.GenericSchema>()

/** With `limited`, the schema also limits the length of lists. */
export const schemaOf = (kind: RecordKind, limited: boolean): v.GenericSchema => {
  const key = `${kind} ${limited}`
  const known = schemas.get(key)
  if (known) return known
  const fields: v.ObjectEntries = {
    record: v.literal(kind),
    ...fieldsOf(tables[kind].columns),
    ...(kind === 'task' || kind === 'session' ? within[kind](limited ? listLimits : unlimited) : {}),
  }
  const made = v.strictObject(fields)
  schemas.set(key, made)
  return made
}

const fieldsOf = (columns: Columns): v.ObjectEntries =>
  Object.fromEntries(
    columnsOf(columns)
      .filter(({ derived }) => !derived)
      .map((column) => [column.as, fieldSchema(column)]),
  )

const fieldSchema = (column: FullColumn): v.GenericSchema => {
  const schema = valueSchema(column)
  const fallback = column.default ?? column.older
  if (fallback !== undefined) return v.optional(schema, fallback)
  return column.optional ? v.optional(schema) : schema
}

const valueSchema = ({ kind, words, ranks }: FullColumn): v.GenericSchema => {
  if (ranks) return v.picklist(ranks)
  switch (kind) {
    case 'words':
      return v.picklist(words)
    case 'text':
      return v.string()
    case 'name':
      return v.pipe(v.string(), v.minLength(1, 'is empty'))
    case 'title':
      return Title
    case 'description':
      return Description
    case 'note':
      return NoteText
    case 'count':
      return v.pipe(v.number(), v.safeInteger(), v.minValue(0))
    case 'number':
      return v.number()
    case 'task':
      return TaskId
    case 'time':
      return v.pipe(v.string(), v.check(isTime, 'must be a time such as 2026-01-31T12:00:00.000Z'))
    case 'json':
      return v.pipe(
        v.unknown(),
        v.check(
          (value) => !isDeeper(value, inputLimits.jsonDepth),
          `is nested more than ${inputLimits.jsonDepth} levels deep`,
        ),
      )
  }
}

/** True if a text is a time in the only format that exports use. */
const isTime = (text: string): boolean => {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text
}

/**
 * The most items that each list of a task may have in an import. The limits of criteria and notes are higher than
 * the limits of `add`, because old tasks can have many of them.
 */
const listLimits = {
  depends: limits.depends,
  labels: limits.labels,
  files: limits.files,
  criteria: 10_000,
  notes: 100_000,
}
type ListLimits = Record<keyof typeof listLimits, number>
const most = Number.MAX_SAFE_INTEGER
const unlimited: ListLimits = { depends: most, labels: most, files: most, criteria: most, notes: most }

const limitedTo = <T>(limit: number) =>
  v.maxLength<T[], number, string>(limit, `is limited to ${limit} items`)

const distinct = <S extends v.GenericSchema<string, string>>(item: S, limit: number) =>
  v.optional(
    v.pipe(
      v.array(item),
      limitedTo(limit),
      v.check((all) => new Set(all).size === all.length, 'contains a duplicate'),
    ),
    [],
  )
const rows = (columns: Columns, limit: number) =>
  v.optional(v.pipe(v.array(v.strictObject(fieldsOf(columns))), limitedTo(limit)), [])

const within = {
  task: (limit: ListLimits) => ({
    depends: distinct(TaskId, limit.depends),
    labels: distinct(Labels.pipe[0].item, limit.labels),
    files: distinct(Files.pipe[0].item, limit.files),
    criteria: rows(criteria, limit.criteria),
    notes: rows(notes, limit.notes),
  }),
  session: (limit: ListLimits) => ({ notes: rows(notes, limit.notes) }),
}
