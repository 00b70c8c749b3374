import { type Candidate, type ParallelSet, parallelSet } from '../../graph/parallel.ts'
import { type Failure, fail } from '../../model/result.ts'
import type { Db } from '../../store/port.ts'
import * as lists from '../../store/task-lists.ts'
import type { ActiveRow, ReadyRow } from '../../store/task-search.ts'
import * as search from '../../store/task-search.ts'
import * as tasks from '../../store/tasks.ts'

export type ReadyTask = ReadyRow & Candidate

export interface ReadyOptions {
  root: string | undefined
  limit: number
  shared: boolean
  skip: number
}

export interface Ready extends ParallelSet<ReadyTask> {
  /** Tasks whose owner is gone; they are not in the index of pending ones. */
  left: number
  /** How many of the indexed tasks were looked at, those of earlier pages among them. */
  seen: number
}

// Enough to look past a few clashes; a project where all ready tasks share one file is read no further than this.
const lookAhead = 40

/** The next tasks that can be worked on side by side, from the ready index; work left by a dead owner counts. */
export const readySet = async (db: Db, { root, limit, shared, skip }: ReadyOptions): Promise<Ready> => {
  const now = await db.now()
  const active = await search.active(db)
  const isLeft = ({ expires_at }: ActiveRow) => expires_at === null || expires_at <= now
  const left =
    skip > 0 ? [] : active.filter((row) => isLeft(row) && (root === undefined || row.root === root))
  const pending = await search.ready(db, root, limit + lookAhead, skip)
  const rows = merge(left, pending)
  const busy = active.filter((row) => !isLeft(row))
  const files = await lists.readMany(
    db,
    'files',
    [...rows, ...busy].map(({ id }) => id),
  )
  const withFiles = <T extends ReadyRow>(row: T) => ({ ...row, files: files.get(row.id) ?? [] })
  const set = parallelSet(rows.map(withFiles), busy.map(withFiles), { limit, shared })
  const looked = new Set([...set.chosen, ...set.waiting].map(({ id }) => id))
  return { ...set, left: left.length, seen: skip + pending.filter(({ id }) => looked.has(id)).length }
}

const merge = (left: readonly ReadyRow[], ready: readonly ReadyRow[]): ReadyRow[] =>
  left.length === 0
    ? [...ready]
    : [...left, ...ready].sort((a, b) => a.priority - b.priority || b.unblocks - a.unblocks || a.seq - b.seq)

export const epicRoot = async (
  db: Db,
  epic: string | undefined,
): Promise<Failure<'task.not_found' | 'epic.expected'> | undefined> => {
  if (epic === undefined) return undefined
  const row = await tasks.find(db, epic)
  if (!row) return fail('task.not_found', { id: epic })
  if (row.type === 'epic' || row.parent === null) return undefined
  return fail('epic.expected', { id: epic, type: row.type, epic: row.root })
}
