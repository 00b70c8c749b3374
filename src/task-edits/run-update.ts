import * as v from 'valibot'
import type { Config } from '../kernel/config.ts'
import { type Failure, type Fault, fail, failAll, ok, type Result } from '../kernel/result.ts'
import type { Style } from '../kernel/style.ts'
import { closed } from '../kernel/task.ts'
import { shortTimeWarning, timeWarning } from '../kernel/time-estimates.ts'
import type { Context, Write } from '../operation/context.ts'
import { forEachTask } from '../operation/several.ts'
import type { Code } from '../refusals/refusal-catalogue.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import { refuseContractChange, refuseForeignTask } from '../tasks/own-work.ts'
import { readTask } from '../tasks/read-task.ts'
import { spawnWarnings } from '../tasks/spawn-problems.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import type { Task } from '../tasks/task-shape.ts'
import { claimedByOther } from '../tasks/transition.ts'
import { applyChanges, type Changes, difference, type UpdateCode } from './apply-changes.ts'

export const updatedShape = () =>
  v.object({ id: v.string(), changed: v.array(v.string()), noChange: v.optional(v.literal(true)) })
type Updated = v.InferOutput<ReturnType<typeof updatedShape>>

export const drawUpdated = ({ id, changed, noChange }: Updated, style: Style): string[] => [
  noChange ? `${style.cyan(id)} is unchanged.` : `${style.cyan(id)} changed: ${changed.join(', ')}`,
]

export const runUpdates = (
  context: Context,
  { id: first, more, ...changes }: Changes & { id: string; more: readonly string[] | undefined },
) => context.write((tx) => forEachTask(first, more, (id) => updateTask(tx, context, { id, ...changes })))

/** `check` can refuse the change, in the same transaction. */
export const runUpdate = <C extends Code = never>(
  context: Context,
  input: Changes & { id: string },
  check?: Check<C>,
) => context.write((tx) => updateTask(tx, context, input, check))

type Check<C extends Code> = (tx: Write, row: TaskRow) => Promise<Failure<C> | undefined>

const updateTask = async <C extends Code = never>(
  tx: Write,
  { actor, config }: Context,
  input: Changes & { id: string },
  check?: Check<C>,
): Promise<Result<Updated, C | UpdateCode>> => {
  const row = await tasks.find(tx.db, input.id)
  if (!row) return fail('task.not_found', { id: input.id })
  if (Object.keys(input).length === 1) return fail('input.invalid', { problems: [nothingGiven] })
  const held = actor.agent ? await claimedByOther(tx, row.id, actor) : undefined
  if (held) return held
  const refused = await check?.(tx, row)
  if (refused) return refused
  await refuseForeignTask(tx, row, 'change')
  await refuseContractChange(tx, row, Object.keys(input))
  const before = await readTask(tx.db, row)
  const faults: Fault<UpdateCode>[] = []
  await applyChanges(tx, row, input, faults)
  if (faults.length > 0) return failAll(faults as [Fault<UpdateCode>, ...Fault<UpdateCode>[]])
  const after = await readTask(tx.db, (await tasks.find(tx.db, row.id))!)
  const change = difference(before, after)
  if (!change) return ok({ id: row.id, changed: [], noChange: true as const })
  await tasks.touch(tx.db, row.id, tx.now)
  await tx.record({ task: row.id, ...change })
  tx.emit('task.updated', row.id)
  const warnings = [
    ...shortTimeWarning('title', input.title ?? ''),
    ...timeWarning('description', input.description ?? ''),
    ...timeWarning('acceptance', [...(input.acceptance ?? []), ...(input.addAcceptance ?? [])].join('\n')),
    ...(await lackingForSpawn(tx.db, after, config)),
  ]
  return ok({ id: row.id, changed: Object.keys(change.after) }, { warnings })
}

const lackingForSpawn = async (db: Db, task: Task, config: Config): Promise<string[]> => {
  const row = (await tasks.find(db, task.id))!
  const root = row.root === row.id ? row : await tasks.find(db, row.root)
  if (closed(row.status) || !root) return []
  const { acceptance = [], files = [] } = task
  const undescribed = row.description.trim() === '' && acceptance.length === 0
  return spawnWarnings([{ ...row, rootType: root.type, files, undescribed }], config)
}

const nothingGiven = { path: '', message: 'No field to change was given.', fix: 'cleo update --help' }
