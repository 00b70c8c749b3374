import { iso } from '../../kernel/time.ts'

export type Param = string | number | null

/**
 * The type of a column's values. `name`: text that is not empty. `task`: the id of a task. `json`: any value, as JSON
 * text.
 */
type Kind = 'text' | 'name' | 'title' | 'description' | 'note' | 'count' | 'number' | 'task' | 'time' | 'json'

/** A kind, followed by `?` if the column can be NULL; or a list of the words that the column can contain. */
type Short = Kind | `${Kind}?` | readonly string[]

interface Options {
  is: Short
  /** For a list of words: the column can be NULL. */
  optional?: true
  /** The column contains the position of a word in this list. Exported and printed rows contain the word itself. */
  ranks?: readonly string[]
  /** The column's name in exported and printed rows, if it differs from the name in SQL. */
  as?: string
  /** The value that exported and printed rows leave out. A row without the field has this value. */
  default?: string
  /** The value that import gives this column in rows that were exported before the column existed. */
  older?: string
  /** Import computes this column from other rows, so it is never exported. */
  derived?: true
  /** The column is exported, but commands do not print it. */
  hidden?: true
  /** `add` and `update` accept this column as an option of the same name. */
  field?: true
  /** For a field: the value of a new task if the caller does not give one. */
  initial?: string
}

/** One column described as plain data. It decides how rows are inserted, changed, exported, imported and printed. */
export type Column = Short | Options
export type Columns = Readonly<Record<string, Column>>

type Is<C> = C extends { is: infer S } ? S : C
type Base<S> = S extends readonly (infer W)[]
  ? W
  : S extends 'count' | 'number' | 'time' | 'count?' | 'number?' | 'time?'
    ? number
    : string
type Nullable<C> = Is<C> extends `${string}?` ? true : C extends { optional: true } ? true : false

/** A row as the database returns it. */
export type RowOf<T extends Columns> = {
  -readonly [K in keyof T]: Nullable<T[K]> extends true ? Base<Is<T[K]>> | null : Base<Is<T[K]>>
}

type NameIn<C, K> = C extends { as: infer N extends string } ? N : K
type InRecord<C> = C extends { ranks: readonly (infer W)[] }
  ? W
  : Is<C> extends 'json' | 'json?'
    ? unknown
    : Is<C> extends 'time' | 'time?'
      ? string
      : Base<Is<C>>
type Exported<T, K extends keyof T> = T[K] extends { derived: true } ? never : NameIn<T[K], K>

/** A row that import read from an export, with the defaults filled in. */
export type RecordOf<T extends Columns> = {
  [K in keyof T as Nullable<T[K]> extends true ? never : Exported<T, K>]: InRecord<T[K]>
} & {
  [K in keyof T as Nullable<T[K]> extends true ? Exported<T, K> : never]?: InRecord<T[K]>
}

type Omittable<C> = Nullable<C> extends true ? true : C extends { default: string } ? true : false
type ShownName<T, K extends keyof T> = T[K] extends { derived: true } | { hidden: true }
  ? never
  : NameIn<T[K], K>
/** The type of a printed value. It excludes the default, because commands do not print defaults. */
type Printed<C> = C extends { default: infer D }
  ? Exclude<InRecord<C>, D> | Widened<InRecord<C>>
  : InRecord<C>
/** For a plain text column, adds `string` again, because `Exclude` removes it if the default has the type `string`. */
type Widened<T> = string extends T ? T : never

/** A row as commands print it, without NULLs and default values. */
export type ShownOf<T extends Columns> = {
  [K in keyof T as Omittable<T[K]> extends true ? never : ShownName<T, K>]: InRecord<T[K]>
} & {
  [K in keyof T as Omittable<T[K]> extends true ? ShownName<T, K> : never]?: Printed<T[K]>
}

/** The fields that `add` and `update` accept, with the values as the caller gives them. */
export type FieldsOf<T extends Columns> = {
  [K in keyof T as T[K] extends { field: true } ? NameIn<T[K], K> : never]?: InRecord<T[K]>
}

/** A column with every option spelled out. */
export interface FullColumn extends Omit<Options, 'is' | 'optional' | 'as'> {
  /** The column's name in SQL. */
  name: string
  /** The column's name in exported and printed rows. */
  as: string
  kind: Kind | 'words'
  words: readonly string[]
  optional: boolean
}

const known: { columns: Columns; full: FullColumn[] }[] = []

export const columnsOf = (columns: Columns): readonly FullColumn[] => {
  for (const each of known) if (each.columns === columns) return each.full
  const made: FullColumn[] = []
  for (const name in columns) made.push(fullColumn(name, columns[name]!))
  known.push({ columns, full: made })
  return made
}

const fullColumn = (name: string, column: Column): FullColumn => {
  const options: Options = isOptions(column) ? column : { is: column }
  const { is, optional = false, as = name } = options
  // Every column has these fields. They always come first and in the same order, so that the engine makes few kinds
  // of objects.
  if (typeof is !== 'string') return { name, as, kind: 'words', words: is, optional, ...options }
  const nullable = is.endsWith('?')
  const kind = (nullable ? is.slice(0, -1) : is) as Kind
  return { name, as, kind, words: noWords, optional: optional || nullable, ...options }
}
const noWords: readonly string[] = []

const isOptions = (column: Column): column is Options => typeof column === 'object' && 'is' in column

type Row = Readonly<Record<string, unknown>>

/**
 * Turns a database row into a row as it is exported. If `shown` is set, leaves out the fields that commands do not
 * print.
 */
export const toRecord = (columns: Columns, row: Row, shown?: 'shown'): Record<string, unknown> => {
  const record: Record<string, unknown> = {}
  for (const column of columnsOf(columns)) {
    const value = row[column.name]
    if (column.derived || (shown && column.hidden) || value === null || value === column.default) continue
    record[column.as] = decoded(column, value)
  }
  return record
}

const decoded = ({ kind, ranks }: FullColumn, value: unknown): unknown => {
  if (ranks) return ranks[value as number]
  if (kind === 'time') return iso(value as number)
  return kind === 'json' ? (JSON.parse(value as string) as unknown) : value
}

export const toRow = (columns: Columns, record: Row): Record<string, Param> => {
  const row: Record<string, Param> = {}
  for (const column of columnsOf(columns))
    if (!column.derived) row[column.name] = encoded(column, record[column.as])
  return row
}

/**
 * Turns the given fields into columns; null empties a field. `initial` adds the initial values of the fields that were
 * not given.
 */
export const fieldsToRow = (columns: Columns, given: Row, initial?: 'initial'): Record<string, Param> => {
  const row: Record<string, Param> = {}
  for (const column of columnsOf(columns)) {
    const own = given[column.as]
    const value = own ?? (initial && column.initial)
    if (column.field && (initial || own === null || value !== undefined))
      row[column.name] = encoded(column, value)
  }
  return row
}

const encoded = ({ kind, ranks }: FullColumn, value: unknown): Param => {
  if (value === undefined) return null
  if (ranks) return ranks.indexOf(value as string)
  if (kind === 'time') return Date.parse(value as string)
  return kind === 'json' ? JSON.stringify(value) : (value as Param)
}
