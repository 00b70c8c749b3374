import {
  type Failure,
  type Fault,
  fail,
  ok,
  type Problem,
  problemsOf,
  type Result,
} from '../kernel/result.ts'
import { closed } from '../kernel/task.ts'
import type { Context, Write } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import { applyChanges, type Changes, difference, type UpdateCode } from '../task-edits/apply-changes.ts'
import type { FieldCode } from '../tasks/editable-fields.ts'
import { fieldValues } from '../tasks/field-table.ts'
import { type InsertedTask, insertTasks } from '../tasks/insert.ts'
import { refuseContractChange, refuseForeignTask } from '../tasks/own-work.ts'
import type { NewTaskRow } from '../tasks/plan-new.ts'
import { readTask } from '../tasks/read-task.ts'
import * as criteria from '../tasks/sql/criteria.ts'
import * as lists from '../tasks/sql/lists.ts'
import * as rows from '../tasks/sql/tasks.ts'
import type { Task } from '../tasks/task-shape.ts'
import { claimedByOther } from '../tasks/transition.ts'
import { findStored } from './find-stored.ts'
import type { Doubt } from './outline-shape.ts'
import type { OutlineTask } from './outline-tasks.ts'

export type OutlineCode = UpdateCode | FieldCode | 'outline.invalid'

export interface AppliedItem {
  task: OutlineTask
  id: string
  action: 'added' | 'updated' | 'unchanged'
  /** Names of fields. */
  changed: string[]
}

export interface Applied {
  items: AppliedItem[]
  /** Open tasks that have a key and are no longer in the outline. */
  left: { id: string; title: string; key: string }[]
  doubts: Doubt[]
  inserted: readonly InsertedTask[]
}

/**
 * Adds the items of an outline as tasks, and updates the tasks of items that were added earlier. Writes either all
 * of them or nothing.
 */
export const applyOutline = async (
  tx: Write,
  { actor }: Pick<Context, 'actor'>,
  tasks: readonly OutlineTask[],
  parent: TaskRow | undefined,
): Promise<Result<Applied, OutlineCode>> => {
  const problems: Problem[] = []
  const { stored, known } = await findStored(tx.db, tasks, parent, problems)
  if (problems.length > 0) return fail('outline.invalid', { problems })
  const faults: Fault[] = []
  const before = new Map<string, Task>()
  const changes = await changesOf(tx, stored, parent)
  for (const [task, change] of changes) {
    const row = stored.get(task)!
    const held = await refusedChange(tx, row, Object.keys(change), actor)
    if (held) return held
    before.set(row.id, await readTask(tx.db, row))
    // Remove dependencies before adding any, so that reversing a dependency does not make a cycle.
    const { depends, ...others } = change
    const kept = depends && before.get(row.id)!.depends?.filter((id) => depends.includes(id))
    await apply(tx, row, { ...others, ...(kept && { depends: kept }) }, task, faults)
  }
  const fresh = tasks.filter((task) => !stored.has(task))
  const inserted = fresh.length > 0 ? await insertNew(tx, fresh, stored, parent, actor) : []
  if (!Array.isArray(inserted)) return withLines(inserted, fresh)
  const added = new Map(inserted.map(({ id }, i) => [fresh[i]!, id]))
  const idOf = (task: OutlineTask | string): string =>
    typeof task === 'string' ? task : (stored.get(task)?.id ?? added.get(task)!)
  for (const [task, row] of stored) {
    const depends = task.depends?.map(idOf)
    const above = task.above && idOf(task.above)
    const isMoved = above !== undefined && above !== row.parent
    const isWaiting = depends !== undefined && changes.get(task)?.depends !== undefined
    if (!isMoved && !isWaiting) continue
    const held = isMoved ? await refusedChange(tx, row, ['parent'], actor) : undefined
    if (held) return held
    if (!before.has(row.id)) before.set(row.id, await readTask(tx.db, row))
    const now = (await rows.find(tx.db, row.id))!
    await apply(tx, now, { ...(isMoved && { parent: above }), ...(isWaiting && { depends }) }, task, faults)
  }
  if (faults.length > 0) return refusalOf(faults)
  const changed = await recordChanges(tx, before)
  const items = tasks.map((task): AppliedItem => {
    const id = idOf(task)
    if (added.has(task)) return { task, id, action: 'added', changed: [] }
    const fields = changed.get(id) ?? []
    return { task, id, action: fields.length > 0 ? 'updated' : 'unchanged', changed: fields }
  })
  const own = new Set(items.map(({ id }) => id))
  const left = known.filter(({ id, status }) => !own.has(id) && !closed(status))
  return ok({
    items,
    left: left.map(({ id, title, key }) => ({ id, title, key: key! })),
    doubts: tickedOpen(tasks, stored),
    inserted,
  })
}

/**
 * Refuses a change if the task belongs to another agent. Also refuses a change of the contract if the actor is the
 * task's own spawn.
 */
const refusedChange = async (
  tx: Write,
  row: TaskRow,
  fields: readonly string[],
  actor: Context['actor'],
): Promise<Awaited<ReturnType<typeof claimedByOther>>> => {
  const held = actor.agent ? await claimedByOther(tx, row.id, actor) : undefined
  if (held) return held
  await refuseForeignTask(tx, row, 'change')
  await refuseContractChange(tx, row, fields)
  return undefined
}

/** Warns about ticked items whose tasks are open. A tick does not complete a task, because completing needs checks. */
const tickedOpen = (tasks: readonly OutlineTask[], stored: ReadonlyMap<OutlineTask, TaskRow>): Doubt[] =>
  tasks.flatMap((task) => {
    const row = stored.get(task)
    if (!task.item.ticked || row?.status === 'done') return []
    const message = row
      ? `is ticked, but ${row.id} is ${row.status}; to complete it: cleo complete ${row.id}`
      : 'is ticked, but a new task is always open'
    return [{ line: task.item.line, message }]
  })

/** Leaves out the fields that the outline does not mention. */
const changesOf = async (
  { db }: Write,
  stored: ReadonlyMap<OutlineTask, TaskRow>,
  parent: TaskRow | undefined,
): Promise<Map<OutlineTask, Changes>> => {
  const ids = [...stored.values()].map(({ id }) => id)
  const [depends, labels, files] = [
    await lists.readMany(db, 'depends', ids),
    await lists.readMany(db, 'labels', ids),
    await lists.readMany(db, 'files', ids),
  ]
  const accepted = await criteria.readMany(db, ids)
  const changes = new Map<OutlineTask, Changes>()
  for (const [task, row] of stored) {
    const { fields } = task
    const given = (accepted.get(row.id) ?? []).flatMap(({ text, source }) =>
      source === 'given' ? [text] : [],
    )
    const current: Record<string, unknown> = {
      ...fieldValues(row),
      labels: labels.get(row.id) ?? [],
      files: files.get(row.id) ?? [],
      acceptance: given,
    }
    const change: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(fields))
      if (JSON.stringify(value) !== JSON.stringify(current[name])) change[name] = value
    const needs = task.depends?.map((need) => (typeof need === 'string' ? need : stored.get(need)?.id))
    const had = depends.get(row.id) ?? []
    if (needs && (needs.length !== had.length || needs.some((id) => id === undefined || !had.includes(id))))
      change['depends'] = needs.filter((id) => id !== undefined)
    if (!task.above && parent && row.parent !== parent.id) change['parent'] = parent.id
    if (Object.keys(change).length > 0) changes.set(task, change as Changes)
  }
  return changes
}

const apply = async (
  tx: Write,
  row: TaskRow,
  changes: Changes,
  { item }: OutlineTask,
  faults: Fault[],
): Promise<void> => {
  const own: Fault<UpdateCode>[] = []
  await applyChanges(tx, row, changes, own)
  for (const { path, failure } of own)
    faults.push({ path: `line ${item.line}, ${path}`, failure: atLine(failure, item.line) })
}

const atLine = <C extends Failure>(failure: C, line: number): C =>
  failure.problems
    ? {
        ...failure,
        problems: failure.problems.map((each) => ({ ...each, path: `line ${line}, ${each.path}` })),
      }
    : failure

const insertNew = (
  tx: Write,
  fresh: readonly OutlineTask[],
  stored: ReadonlyMap<OutlineTask, TaskRow>,
  parent: TaskRow | undefined,
  actor: Context['actor'],
): Promise<InsertedTask[] | Failure<FieldCode>> => {
  const name = (task: OutlineTask | string): string =>
    typeof task === 'string' ? task : (stored.get(task)?.id ?? `line ${task.item.line}`)
  return insertTasks(
    tx,
    fresh.map((task): NewTaskRow => {
      const above = task.above ? name(task.above) : parent?.id
      return {
        ...task.fields,
        ...(task.fields.type === undefined && task.inferred && { type: task.inferred }),
        key: name(task),
        storedKey: task.key,
        ...(above && { parent: above }),
        ...(task.depends && { depends: task.depends.map(name) }),
      }
    }),
    actor,
  )
}

const withLines = (failure: Failure<FieldCode>, fresh: readonly OutlineTask[]): Failure<OutlineCode> => {
  const line = (path: string): string =>
    path
      .replace(/^batch\.(\d+)\.?/, (_, i: string) => `line ${fresh[Number(i)]!.item.line}, `)
      .replace(/, $/, '')
  const { problems, ...rest } = failure
  const lead = failure.code === 'cycle' && { alternatives: ['Remove an "after" from one of these lines.'] }
  return problems
    ? { ...rest, problems: problems.map((each) => ({ ...each, path: line(each.path) })) }
    : { ...rest, ...lead }
}

const refusalOf = (faults: readonly Fault[]): Failure<OutlineCode> => {
  const [first] = faults
  const all = fail('outline.invalid', { problems: problemsOf(faults) })
  return { ...all, code: first!.failure.code as OutlineCode, exit: first!.failure.exit }
}

const recordChanges = async (
  tx: Write,
  before: ReadonlyMap<string, Task>,
): Promise<Map<string, string[]>> => {
  const changed = new Map<string, string[]>()
  for (const [id, task] of before) {
    const change = difference(task, await readTask(tx.db, (await rows.find(tx.db, id))!))
    if (!change) continue
    await rows.touch(tx.db, id, tx.now)
    await tx.record({ task: id, ...change })
    tx.emit('task.updated', id)
    changed.set(id, Object.keys(change.after))
  }
  return changed
}
