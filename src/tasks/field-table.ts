import { columnsOf, type FullColumn, toRecord } from '../store/columns/column.ts'
import { taskColumns } from '../store/columns/tasks.ts'
import type { TaskRow } from '../store/rows.ts'
import { editableFields } from './editable-fields.ts'

type FieldName = keyof typeof editableFields

const fieldColumns: readonly (FullColumn & { as: FieldName })[] = columnsOf(taskColumns()).filter(
  (column): column is FullColumn & { as: FieldName } => column.as in editableFields,
)

/** The editable fields that hold one value on a single line: all columns except the description. */
export const singleFields = fieldColumns.filter(({ as }) => as !== 'description')

/** The criteria are not a list field, because each criterion also has a state. */
export type ListField = 'depends' | 'labels' | 'files'
export const isListField = (name: string): name is ListField =>
  name in editableFields && !(name in taskColumns()) && name !== 'acceptance'
export const listFields = Object.keys(editableFields).filter(isListField)

/** The value `none` empties these fields. */
export type OptionalField = {
  [K in FieldName & keyof TaskRow]: null extends TaskRow[K] ? K : never
}[FieldName & keyof TaskRow]
export const optionalFields = fieldColumns.flatMap(({ as, optional }) =>
  optional ? [as as OptionalField] : [],
)

/** The default of each field that has a default. A database row stores this value, but `toRecord` leaves it out. */
export const fieldDefaults: Readonly<Record<string, string>> = Object.fromEntries(
  fieldColumns.flatMap(({ as, default: value }) => (value === undefined ? [] : [[as, value]])),
)

/** Returns the value that empties a field, or undefined if the field must have a value. */
export const emptyValue = (name: string): string | [] | undefined => {
  if (isListField(name)) return []
  return optionalFields.some((each) => each === name) ? 'none' : fieldDefaults[name]
}

/**
 * Returns the fields of a stored task in the form in which `add` and `update` take them. Leaves out fields that the
 * task lacks.
 */
export const fieldValues = (row: TaskRow): Readonly<Record<string, unknown>> => ({
  ...fieldDefaults,
  ...toRecord(taskColumns(), row),
})
