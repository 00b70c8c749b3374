import { type Candidate, type ParallelSet, parallelSet } from '../graph/parallel.ts'
import type { Config } from '../kernel/config.ts'
import { type Failure, fail } from '../kernel/result.ts'
import type { Db } from '../store/port.ts'
import * as lists from './sql/lists.ts'
import type { ActiveRow, ReadyRow } from './sql/search.ts'
import * as search from './sql/search.ts'
import * as tasks from './sql/tasks.ts'

export type ReadyTask = ReadyRow & Candidate

export interface ReadyOptions {
  root: string | undefined
  limit: number
  shared: boolean
  skip: number
}

export interface Ready extends ParallelSet<ReadyTask> {
  /** Tasks that somebody was sent to do and nobody has begun. */
  out: ReadyTask[]
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
  const left: ActiveRow[] = []
  const held: ActiveRow[] = []
  for (const row of await search.active(db)) {
    if (row.expires_at !== null && row.expires_at > now) held.push(row)
    else if (skip === 0 && (root === undefined || row.root === root)) left.push(row)
  }
  const busy = await withFiles(db, held)
  const portion = limit + spare
  let candidates = await withFiles(db, left)
  for (let read = 0; ; read += portion) {
    const pending = await withFiles(db, await search.ready(db, root, portion, skip + read))
    candidates = inOrder(candidates, pending)
    // Whoever was sent will begin: what they were sent to change is taken.
    const out = candidates.filter((task) => task.out !== undefined)
    const set = parallelSet(candidates, [...busy, ...out], options)
    const over = pending.length < portion || read + portion >= mostLookedAt
    if (set.chosen.length < limit && !over) continue
    const seen = countPending(candidates, set.chosen.length + set.waiting.length)
    return { ...set, out, left: left.length, seen: skip + seen, more: seen < read + pending.length || !over }
  }
}

/** Each one looked at is either chosen or waiting, so they are the first of the candidates. */
const countPending = (candidates: readonly ReadyTask[], looked: number): number => {
  let count = 0
  for (let i = 0; i < looked; i++) if (candidates[i]!.status === 'pending') count++
  return count
}

const withFiles = async (db: Db, rows: readonly ReadyRow[]): Promise<ReadyTask[]> => {
  const ids: string[] = []
  for (const { id } of rows) ids.push(id)
  const files = await lists.readMany(db, 'files', ids)
  const tasks: ReadyTask[] = []
  for (const row of rows) {
    // An unstarted spawn may be lost: it is reported, and the task stays in the list.
    const out = row.unstarted ? { out: `handed out as ${row.unstarted}, not begun` } : {}
    tasks.push({ ...row, files: files.get(row.id) ?? [], ...out })
  }
  return tasks
}

const inOrder = (first: readonly ReadyTask[], more: readonly ReadyTask[]): ReadyTask[] =>
  first.length === 0
    ? [...more]
    : [...first, ...more].sort((a, b) => a.priority - b.priority || b.unblocks - a.unblocks || a.seq - b.seq)

/** Why a spawn of a ready task would be refused; what is worth saying before somebody tries. */
export const hinderedBy = ({ undescribed, files }: ReadyTask, { spawn }: Config): string | undefined => {
  const most = spawn?.maxFiles ?? 3
  if (undescribed) return 'no description'
  return files.length > most ? `${files.length} files, a spawn takes ${most}` : undefined
}

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
