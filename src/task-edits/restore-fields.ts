import type { Fault } from '../kernel/result.ts'
import type { Write } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import { criteriaIn } from '../tasks/acceptance.ts'
import { emptyValue } from '../tasks/field-table.ts'
import * as criteria from '../tasks/sql/criteria.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import type { Task } from '../tasks/task-shape.ts'
import { applyChanges, type Changes } from './apply-changes.ts'

/**
 * Sets the fields of a task to the values that an audit row recorded. Empties a field that had no value at that time.
 * Collects the reasons why a value is no longer possible.
 */
export const restoreFields = async (
  write: Write,
  row: TaskRow,
  before: Readonly<Record<string, unknown>>,
  faults: Fault[],
): Promise<void> => {
  const { acceptance, ...fields } = before
  const changes = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value ?? emptyValue(name)]),
  ) as Changes
  const were = acceptance === undefined ? undefined : await criteria.read(write.db, row.id)
  await applyChanges(write, row, changes, faults as never)
  if (were === undefined) return
  const { description } = (await tasks.find(write.db, row.id))!
  const sources = new Map(were.map(({ text, source }) => [text, source]))
  const inText = new Set(criteriaIn(description))
  const restored = ((acceptance ?? []) as NonNullable<Task['acceptance']>).map(({ n, text, state }) => ({
    n,
    text,
    state,
    source: sources.get(text) ?? (inText.has(text) ? ('description' as const) : ('given' as const)),
  }))
  await criteria.replace(write.db, row.id, restored)
}
