import * as v from 'valibot'
import { type Columns, columnsOf, type FullColumn } from './column.ts'

/** Builds the schema of a row as commands print it, on demand, because only help and servers need it. */
export const shapeOf = (columns: Columns): v.ObjectEntries =>
  Object.fromEntries(
    columnsOf(columns)
      .filter(({ derived, hidden }) => !derived && !hidden)
      .map((column) => [column.as, entryOf(column)]),
  )

const entryOf = (column: FullColumn): v.GenericSchema =>
  column.optional || column.default !== undefined ? v.optional(printed(column)) : printed(column)

const printed = ({ kind, words, ranks, default: omitted }: FullColumn): v.GenericSchema => {
  if (ranks) return v.picklist(ranks)
  if (kind === 'words') return v.picklist(words.filter((word) => word !== omitted))
  return kind === 'count' || kind === 'number' ? v.number() : v.string()
}
