import type { Config } from '../kernel/config.ts'
import { type Failure, fail } from '../kernel/result.ts'
import { closed } from '../kernel/task.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { type Progress, progressOf } from './progress.ts'
import * as moves from './sql.ts'

export const epicCodes = ['stages.off', 'task.not_found', 'epic.expected'] as const
export const lifecycleCodes = [...epicCodes, 'lifecycle.none'] as const

export interface Epic {
  ok: true
  row: TaskRow
  progress: Progress
}

export const readEpic = async (
  db: Db,
  { stages }: Config,
  id: string,
): Promise<Epic | Failure<(typeof epicCodes)[number]>> => {
  const row = await tasks.find(db, id)
  if (!row) return fail('task.not_found', { id })
  if (row.type !== 'epic') return notAnEpic(db, row)
  if (stages === false) return fail('stages.off', { epic: id })
  return { ok: true, row, progress: progressOf(await moves.ofEpic(db, id), row.stage) }
}

/** Refuses an epic without a lifecycle, because it has no stage and is completed together with its last task. */
export const readLifecycle = async (
  db: Db,
  config: Config,
  id: string,
): Promise<Epic | Failure<(typeof lifecycleCodes)[number]>> => {
  const epic = await readEpic(db, config, id)
  return epic.ok && epic.row.stage === null ? fail('lifecycle.none', { epic: id }) : epic
}

const notAnEpic = async (db: Db, { id, type, root }: TaskRow): Promise<Failure<'epic.expected'>> => {
  const failure = fail('epic.expected', { id, type })
  const top = await tasks.find(db, root)
  return top?.type === 'epic' ? { ...failure, fix: `cleo lifecycle show ${root}` } : failure
}

export const refuseClosed = ({ id, status }: TaskRow, verb: string): Failure<'task.status'> | undefined =>
  closed(status) ? fail('task.status', { id, status, verb }) : undefined

export const completeCommand = async (db: Db, id: string): Promise<string | undefined> =>
  (await tasks.openChildren(db, id, 1)).length === 0 ? `cleo complete ${id}` : undefined
