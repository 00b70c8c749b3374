import * as v from 'valibot'
import { Description, Files, Labels, NoteText, Title } from '../kernel/task-fields.ts'
import { TaskId } from '../kernel/task-id.ts'
import { type Columns, columnsOf, type FullColumn, type RecordOf } from '../store/columns/column.ts'
import { criteria, notes } from '../store/columns/tasks.ts'
import { type RecordKind, tables } from '../store/tables.ts'

/** The first line of an export. */
export const header = { cleo: 'export', version: 1 } as const

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

const schemas = new Map<RecordKind, v.GenericSchema>()

export const schemaOf = (kind: RecordKind): v.GenericSchema => {
  const known = schemas.get(kind)
  if (known) return known
  const fields: v.ObjectEntries = {
    record: v.literal(kind),
    ...fieldsOf(tables[kind].columns),
    ...(kind === 'task' || kind === 'session' ? within[kind]() : {}),
  }
  const made = v.strictObject(fields)
  schemas.set(kind, made)
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
      return v.unknown()
  }
}

/** True if a text is a time in the only format that exports use. */
const isTime = (text: string): boolean => {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text
}

const distinct = <S extends v.GenericSchema<string, string>>(item: S) =>
  v.optional(
    v.pipe(
      v.array(item),
      v.check((all) => new Set(all).size === all.length, 'contains a duplicate'),
    ),
    [],
  )
const rows = (columns: Columns) => v.optional(v.array(v.strictObject(fieldsOf(columns))), [])

/** The length of lists is not limited, so that everything stored can be imported. */
const within = {
  task: () => ({
    depends: distinct(TaskId),
    labels: distinct(Labels.pipe[0].item),
    files: distinct(Files.pipe[0].item),
    criteria: rows(criteria),
    notes: rows(notes),
  }),
  session: () => ({ notes: rows(notes) }),
}
