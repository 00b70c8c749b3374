import * as audit from '../audit/sql.ts'
import { type Fault, fail, ok, type Problem, problemsOf, type Result } from '../kernel/result.ts'
import { closed, type Status } from '../kernel/task.ts'
import { isSpawnOf } from '../kernel/task-id.ts'
import { formatMinute, iso } from '../kernel/time.ts'
import type { Write } from '../operation/context.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import { applyChanges, difference } from '../task-edits/apply-changes.ts'
import { restoreFields } from '../task-edits/restore-fields.ts'
import { readTask } from '../tasks/read-task.ts'
import { cancelAll } from '../tasks/sql/cancel-all.ts'
import { reliantOn, startedSince } from '../tasks/sql/graph.ts'
import * as merges from '../tasks/sql/merges.ts'
import * as notes from '../tasks/sql/notes.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import type { Task } from '../tasks/task-shape.ts'
import { transition } from '../tasks/transition.ts'
import { permitWithoutContract } from './contract-check.ts'

export const undoCodes = ['undo.nothing', 'undo.never', 'undo.undone', 'undo.later', 'task.changed'] as const
export type UndoCode = (typeof undoCodes)[number]

export interface UndoneCommand {
  operation: string
  at: string
  tasks: { id: string; change: string }[]
}

/** The operations that `undo` can reverse. Their audit rows contain everything that they changed. */
const undoable: readonly string[] = [
  'tasks.add',
  'outline.add',
  'tasks.new',
  'tasks.update',
  'tasks.move',
  'tasks.edit',
  'tasks.note',
  'tasks.block',
  'tasks.unblock',
  'tasks.cancel',
  'tasks.reopen',
  'tasks.complete',
]

/** Refuses if a later change depends on a change of the command. */
export const undoLastCommand = async (tx: Write): Promise<Result<UndoneCommand, UndoCode>> => {
  const { db, actor } = tx
  const rows = await audit.lastCommand(db, actor.id)
  const [first] = rows
  if (!first) return fail('undo.nothing', { actor: actor.id, last: await audit.newest(db) })
  const { operation, at } = first
  const ids = [...new Set(rows.flatMap(({ task }) => task ?? []))]
  if (operation === 'tasks.undo') return fail('undo.undone', { actor: actor.id, tasks: ids })
  if (!undoable.includes(operation)) return fail('undo.never', { actor: actor.id, operation, tasks: ids })

  const changes = rows.flatMap(changeOf)
  const problems = [
    ...(await laterChanges(db, { changes, ids })),
    ...(await reliantTasks(db, { changes, ids })),
    ...(await brokenByStatus(tx, { changes, ids })),
  ]
  if (problems.length > 0) return fail('undo.later', { operation, tasks: ids, problems })

  const faults: Fault[] = []
  const undone = new Map<string, string>()
  const current = await withoutNewDependencies(tx, changes)
  for (const change of changes.toReversed())
    if (change.kind !== 'added') undone.set(change.task, await takeBack(tx, change, current, faults))
  for (const id of await cancelAdded(tx, changes)) undone.set(id, 'cancelled')
  if (faults.length > 0) return fail('undo.later', { operation, tasks: ids, problems: problemsOf(faults) })
  const listed = ids.flatMap((id) => (undone.has(id) ? [{ id, change: undone.get(id)! }] : []))
  return ok({ operation, at: iso(at), tasks: listed })
}

/** One change to a task, as recorded in one audit row. */
type Change = { row: audit.AuditRow; task: string } & (
  | { kind: 'added' }
  | { kind: 'noted'; text: string }
  | { kind: 'moved'; from: Status; to: Status; reason?: string; after?: string }
  | { kind: 'changed'; before: Record<string, unknown> }
)

/** The command to undo. */
interface Command {
  changes: readonly Change[]
  ids: readonly string[]
}

const changeOf = (row: audit.AuditRow): Change[] => {
  const { task } = row
  if (!task) return []
  const before = JSON.parse(row.before ?? 'null') as Record<string, unknown> | null
  const after = JSON.parse(row.after ?? '{}') as Record<string, unknown>
  if (before === null)
    return [
      typeof after['note'] === 'string'
        ? { kind: 'noted', row, task, text: after['note'] }
        : { kind: 'added', row, task },
    ]
  if (typeof before['status'] !== 'string') return [{ kind: 'changed', row, task, before }]
  const { status: from, reason } = before as { status: Status; reason?: string }
  const { status: to, reason: given } = after as { status: Status; reason?: string }
  return [{ kind: 'moved', row, task, from, to, ...(reason && { reason }), ...(given && { after: given }) }]
}

const addedBy = (changes: readonly Change[]) =>
  changes.flatMap(({ kind, task }) => (kind === 'added' ? [task] : []))

/** The command that people type for an operation of tasks: `add` for `tasks.add`. */
export const commandOf = (operation: string): string =>
  operation === 'outline.add' ? 'add --from' : operation.replace('tasks.', '')

/** At most this many later changes are listed. A few are enough to show why the undo is refused. */
const mostLater = 20

/** A later note on a task prevents the undo only if the command added this task. */
const laterChanges = async (db: Db, { changes, ids }: Command): Promise<Problem[]> => {
  const { row } = changes[0]!
  const added = new Set(addedBy(changes))
  const later = await audit.laterAbout(db, ids, row.first ?? row.seq, mostLater)
  const seen = new Set<string>()
  return later.flatMap(({ task, actor, operation, at }) => {
    const id = task!
    if (seen.has(id) || (operation === 'tasks.note' && !added.has(id))) return []
    seen.add(id)
    const message = `${id} was changed later, by ${actor} (${commandOf(operation)}, ${formatMinute(iso(at))}).`
    return [{ path: id, message, fix: `cleo log --task ${id}` }]
  })
}

/** Reports the tasks that are now children or dependents of a task that the command added. */
const reliantTasks = async (db: Db, { changes, ids }: Command): Promise<Problem[]> => {
  const added = addedBy(changes)
  if (added.length === 0) return []
  // Ignore tasks that the same command changed: the undo restores their parents and dependencies.
  const own = new Set(ids)
  const reliant = (await reliantOn(db, added)).filter(({ id }) => !own.has(id))
  return reliant.slice(0, mostLater).map(({ id, on, how }) => ({
    path: on,
    message: how === 'below' ? `${id} is now below ${on}.` : `${id} now waits on ${on}.`,
    fix: how === 'below' ? `cleo tree ${on}` : `cleo deps ${id}`,
  }))
}

/** Reports status changes that cannot be reversed, because other work relies on the new status. */
const brokenByStatus = async (tx: Write, { changes, ids }: Command): Promise<Problem[]> => {
  const problems: Problem[] = []
  for (const change of changes)
    if (change.kind === 'moved') {
      const row = (await tasks.find(tx.db, change.task))!
      const found = closed(change.to)
        ? await whyClosed(tx, row, change.row.at, ids)
        : await whyOpen(tx, row, change.from, ids)
      problems.push(...found)
    }
  return problems
}

const problemOf =
  (path: string) =>
  (message: string, fix: string): Problem => ({ path, message, fix })

const reopenFix = (id: string) => `cleo reopen ${id} --reason "not done after all"`

/** Returns why a task that the command closed cannot become open again. */
const whyClosed = async (
  { db }: Write,
  { id, status, parent }: TaskRow,
  at: number,
  ids: readonly string[],
): Promise<Problem[]> => {
  const problem = problemOf(id)
  const problems: Problem[] = []
  const { contract, consensus } = await tasks.recordsOf(db, id)
  if (contract && status === 'done')
    problems.push(
      problem(`${id} was spawned or has evidence. Undo does not reopen such a task.`, reopenFix(id)),
    )
  if (consensus) problems.push(problem(`${id} takes part in a vote.`, `cleo show ${id}`))
  for (const started of (await startedSince(db, id, at)).filter((each) => !ids.includes(each)))
    problems.push(problem(`${started}, which waits on ${id}, was started.`, `cleo deps ${started}`))
  const above = parent === null || ids.includes(parent) ? undefined : await tasks.find(db, parent)
  if (above && closed(above.status))
    problems.push(problem(`Its parent ${above.id} is ${above.status}.`, reopenFix(id)))
  return problems
}

/** Returns why a task that the command reopened, blocked or unblocked cannot get its former status back. */
const whyOpen = async (
  { db, actor }: Write,
  { id, children }: TaskRow,
  from: Status,
  ids: readonly string[],
): Promise<Problem[]> => {
  const problem = problemOf(id)
  if (isSpawnOf(actor.id, id))
    return [
      problem(`${actor.id} released ${id} with that command and no longer works on it.`, `cleo show ${id}`),
    ]
  if (!closed(from)) return []
  const open = children > 0 ? await tasks.openChildren(db, id) : []
  const others = open.filter((each) => !ids.includes(each))
  const problems = others.map((each) => problem(`${each}, a child of ${id}, is open.`, `cleo tree ${id}`))
  if (from !== 'done') return problems
  const { contract, consensus, links } = await tasks.recordsOf(db, id)
  if (contract || consensus || links || (await merges.hasMergedChild(db, id)))
    problems.push(
      problem(
        `${id} was spawned or has results, so only cleo complete can make it done again.`,
        `cleo complete ${id}`,
      ),
    )
  return problems
}

/**
 * Removes the dependencies that the command added. Call this before the old dependencies are restored, because old and
 * new dependencies together could be a cycle. Returns the tasks as they were before the removal.
 */
const withoutNewDependencies = async (
  tx: Write,
  changes: readonly Change[],
): Promise<ReadonlyMap<string, Task>> => {
  const current = new Map<string, Task>()
  for (const change of changes) {
    if (change.kind !== 'changed') continue
    const row = (await tasks.find(tx.db, change.task))!
    const task = await readTask(tx.db, row)
    current.set(change.task, task)
    if (!('depends' in change.before)) continue
    const before = (change.before['depends'] ?? []) as string[]
    const kept = (task.depends ?? []).filter((id) => before.includes(id))
    await applyChanges(tx, row, { depends: kept }, [])
  }
  return current
}

const cancelAdded = async (tx: Write, changes: readonly Change[]): Promise<string[]> => {
  const added = addedBy(changes)
  const reason = 'undone: it was added by mistake'
  await cancelAll(tx.db, added, { reason, now: tx.now })
  const after = { status: 'cancelled', reason }
  await tx.recordAdded(added.map((task) => ({ task, before: { status: 'pending' }, after })))
  for (const task of added) tx.emit('task.cancelled', task)
  return added
}

/** Returns a text that says what happened to the task. */
const takeBack = async (
  tx: Write,
  change: Exclude<Change, { kind: 'added' }>,
  current: ReadonlyMap<string, Task>,
  faults: Fault[],
): Promise<string> => {
  const { db } = tx
  const { task, row: then } = change
  const row = (await tasks.find(db, task))!
  if (change.kind === 'noted') {
    await notes.remove(db, { task, at: then.at, actor: then.actor, text: change.text })
    await tx.record({ task, before: { note: change.text }, after: { note: null } })
    return 'note removed'
  }
  if (change.kind === 'moved') return moveBack(tx, row, change)
  await restoreFields(tx, row, change.before, faults)
  const restored = difference(current.get(task)!, await readTask(db, (await tasks.find(db, task))!))
  if (!restored) return 'unchanged'
  await tasks.touch(db, task, tx.now)
  await tx.record({ task, ...restored })
  tx.emit('task.updated', task)
  return `${Object.keys(restored.after).join(', ')} as before`
}

const moveBack = async (
  tx: Write,
  row: TaskRow,
  { from, reason, after, row: then }: Extract<Change, { kind: 'moved' }>,
): Promise<string> => {
  const { db } = tx
  if (closed(from)) {
    // Remove the note in which `reopen` wrote its reason.
    await notes.remove(db, { task: row.id, at: then.at, actor: then.actor, text: `Opened again: ${after}` })
    if (from === 'cancelled') await transition(tx, row, { to: from, ...(reason && { reason }) })
    else {
      const partial = await merges.partialChild(db, row.id)
      const permit = { ...permitWithoutContract(row.id), ...(partial && { outcome: 'partial' as const }) }
      await transition(tx, row, { to: 'done', permit })
    }
    return `${from} again`
  }
  const event = closed(row.status) ? ('task.reopened' as const) : undefined
  // The task cannot become active again, because the command that is undone has ended the claim.
  const to = from === 'active' ? 'pending' : from
  await transition(tx, row, {
    to: to as Exclude<Status, 'done'>,
    ...(reason && { reason }),
    ...(event && { event }),
  })
  return from === 'active' ? `pending, no longer active; to go on: cleo focus set ${row.id}` : `${to} again`
}
