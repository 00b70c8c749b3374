import { type Candidate, type ParallelSet, parallelSet } from '../graph/parallel.ts'
import { type Failure, fail } from '../kernel/result.ts'
import type { Db } from '../store/port.ts'
import * as lists from './sql/lists.ts'
import type { BusyRow, OutRow, ReadyRow } from './sql/search.ts'
import * as search from './sql/search.ts'
import * as tasks from './sql/tasks.ts'

export type ReadyTask = ReadyRow & Candidate

export interface ReadyOptions {
  root: string | undefined
  limit: number
  shared: boolean
  skip: number
  /** Returns the tasks that change no code. Such a task can run in parallel with any other task. */
  safeAmong?(tasks: readonly ReadyRow[]): Promise<ReadonlySet<string>>
}

export interface ReadySet extends ParallelSet<ReadyTask> {
  /** The tasks below `root` that are out, ordered by spawn time. They belong to their spawns and are never chosen. */
  out: OutRow[]
  /** All tasks of the project that are out or active, in the order in which they were added. */
  busy: BusyRow[]
  /** The time of this answer, by the clock of the store. */
  now: number
  /**
   * The number of active tasks that are offered again, because their claim has expired or is missing. Only the first
   * page offers them, because the later pages are read from the ready index, which contains only pending tasks.
   */
  left: number
  /** The number of tasks from the ready index that were considered, including those of earlier pages. */
  seen: number
  /** True if the ready index has tasks that were not considered. */
  more: boolean
}

// The first read fetches `extraRows` more tasks than wanted, because tasks that share files cannot run together. It
// fetches only one task if one is wanted and no agent is working. If too few tasks could be chosen, the next read
// fetches four times as many. Reading stops at `mostConsidered` tasks.
const extraRows = 5
const mostConsidered = 500

/**
 * Returns the next tasks that agents can work on in parallel. The candidates are the tasks of the ready index, and the
 * active tasks that have neither a spawn nor a live claim.
 */
export const readySet = async (db: Db, options: ReadyOptions): Promise<ReadySet> => {
  const { root, limit, skip } = options
  const { left, taken, out, now, rows } = await busyTasks(db, options)
  const busy = await withFiles(db, taken)
  let candidates = await withFiles(db, left)
  let read = 0
  let portion = limit === 1 && busy.length === 0 ? 1 : limit + extraRows
  for (;;) {
    const pending = await withFiles(db, await search.ready(db, root, portion, skip + read))
    read += pending.length
    candidates = inOrder(candidates, pending)
    const set = await chooseFrom(candidates, busy, options)
    const isOver = pending.length < portion || read >= mostConsidered
    if (set.chosen.length === limit || isOver) {
      const seen = countPending(candidates, set.chosen.length + set.waiting.length)
      return {
        ...set,
        out,
        busy: rows,
        now,
        left: left.length,
        seen: skip + seen,
        more: seen < read || !isOver,
      }
    }
    portion = nextPortion(portion, limit, read)
  }
}

const nextPortion = (portion: number, limit: number, read: number): number =>
  Math.min(Math.max(4 * portion, limit + extraRows), mostConsidered - read)

/**
 * Chooses tasks for parallel work. If a task would have to wait, asks `safeAmong` which tasks change no code, and
 * chooses again.
 */
const chooseFrom = (
  candidates: readonly ReadyTask[],
  busy: readonly ReadyTask[],
  options: ReadyOptions,
): ParallelSet<ReadyTask> | Promise<ParallelSet<ReadyTask>> => {
  const set = parallelSet(candidates, busy, options)
  return set.waiting.length > 0 && options.safeAmong
    ? chooseAgain(candidates, busy, { ...options, safeAmong: options.safeAmong })
    : set
}

const chooseAgain = async (
  candidates: readonly ReadyTask[],
  busy: readonly ReadyTask[],
  options: ReadyOptions & Required<Pick<ReadyOptions, 'safeAmong'>>,
): Promise<ParallelSet<ReadyTask>> => {
  const unjudged = [...busy, ...candidates].filter(({ isSafe }) => isSafe === undefined)
  const safe = await options.safeAmong(unjudged)
  for (const task of unjudged) task.isSafe = safe.has(task.id)
  return parallelSet(candidates, busy, options)
}

/**
 * Reads the tasks that are out or active, and sorts them into lists:
 * - `taken`: tasks that are out or have a live claim; their files are in use
 * - `out`: those tasks of `taken` that are out and below `root`
 * - `left`: active tasks below `root` whose claim has expired or is missing; only the first page offers them again
 */
const busyTasks = async (db: Db, { root, skip }: ReadyOptions) => {
  const now = await db.now()
  const left: ReadyRow[] = []
  const taken: ReadyRow[] = []
  const out: OutRow[] = []
  const rows = await search.busy(db)
  rows.sort((a, b) => a.seq - b.seq)
  for (const row of rows) {
    const isInside = root === undefined || row.root === root
    if (row.spawn !== null) {
      taken.push(row)
      if (isInside) out.push(row)
    } else if (row.expires_at !== null && row.expires_at > now) taken.push(row)
    else if (skip === 0 && isInside) left.push(row)
  }
  out.sort((a, b) => a.at - b.at)
  return { left, taken, out, now, rows }
}

/**
 * Counts the pending tasks among the first `considered` candidates. `parallelSet` goes through the candidates in order,
 * so these are the candidates that it considered.
 */
const countPending = (candidates: readonly ReadyTask[], considered: number): number => {
  let count = 0
  for (let i = 0; i < considered; i++) if (candidates[i]!.status === 'pending') count++
  return count
}

const withFiles = async (db: Db, rows: readonly ReadyRow[]): Promise<ReadyTask[]> => {
  const ids: string[] = []
  for (const { id } of rows) ids.push(id)
  const files = await lists.readMany(db, 'files', ids)
  const tasks: ReadyTask[] = []
  for (const row of rows) tasks.push({ ...row, files: files.get(row.id) ?? [] })
  return tasks
}

const inOrder = (first: readonly ReadyTask[], more: readonly ReadyTask[]): ReadyTask[] =>
  first.length === 0
    ? [...more]
    : [...first, ...more].sort((a, b) => a.priority - b.priority || b.unblocks - a.unblocks || a.seq - b.seq)

type NoEpic = Failure<'task.not_found' | 'epic.expected'>

/**
 * Refuses a task that has a parent and is not an epic. If `epic` is undefined, as in most calls, returns undefined
 * instead of a promise.
 */
export const epicRoot = (db: Db, epic: string | undefined): Promise<NoEpic | undefined> | undefined =>
  epic === undefined ? undefined : refuseOther(db, epic)

const refuseOther = async (db: Db, epic: string): Promise<NoEpic | undefined> => {
  const row = await tasks.find(db, epic)
  if (!row) return fail('task.not_found', { id: epic })
  if (row.type === 'epic' || row.parent === null) return undefined
  return fail('epic.expected', { id: epic, type: row.type, epic: row.root })
}
