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
  /** There are indexed tasks that were not looked at. */
  more: boolean
}

// A few more than wanted, for clashes; more of them only when they are needed, and never without end.
const spare = 5
const mostLookedAt = 500

/** The next tasks that can be worked on side by side, from the ready index; work left by a dead owner counts. */
export const readySet = async (db: Db, options: ReadyOptions): Promise<Ready> => {
  const { root, limit, skip } = options
  const now = await db.now()
  const active = await search.active(db)
  const isLeft = ({ expires_at }: ActiveRow) => expires_at === null || expires_at <= now
  const left =
    skip > 0 ? [] : active.filter((row) => isLeft(row) && (root === undefined || row.root === root))
  const busy = await withFiles(
    db,
    active.filter((row) => !isLeft(row)),
  )
  const portion = limit + spare
  let candidates: ReadyTask[] = await withFiles(db, left)
  for (let read = 0; ; read += portion) {
    const pending = await withFiles(db, await search.ready(db, root, portion, skip + read))
    candidates = inOrder(candidates, pending)
    const set = parallelSet(candidates, busy, options)
    const over = pending.length < portion || read + portion >= mostLookedAt
    if (set.chosen.length < limit && !over) continue
    const looked = new Set([...set.chosen, ...set.waiting].map(({ id }) => id))
    const seen = candidates.filter(({ id, status }) => status === 'pending' && looked.has(id)).length
    return { ...set, left: left.length, seen: skip + seen, more: seen < read + pending.length || !over }
  }
}

const withFiles = async <T extends ReadyRow>(db: Db, rows: readonly T[]): Promise<(T & Candidate)[]> => {
  const files = await lists.readMany(
    db,
    'files',
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, files: files.get(row.id) ?? [] }))
}

const inOrder = (first: readonly ReadyTask[], more: readonly ReadyTask[]): ReadyTask[] =>
  first.length === 0
    ? [...more]
    : [...first, ...more].sort((a, b) => a.priority - b.priority || b.unblocks - a.unblocks || a.seq - b.seq)

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
