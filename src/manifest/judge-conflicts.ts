import type { Db } from '../store/port.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { type Entry, isSameEntry } from './entry.ts'
import type { InvalidLine, ValidLine } from './judge-alone.ts'
import type { EntryRow } from './sql/entries.ts'
import * as entries from './sql/entries.ts'

/**
 * Compares valid lines with the stored entries, and decides which lines become entries:
 *
 * - A line that repeats a stored entry is dropped.
 * - A second entry of the same spawn is invalid if it revises no entry of the task.
 * - An entry whose id is taken gets another id. If it belongs to no spawn and revises nothing, it is invalid instead.
 * - Anyone can write a line. So a line must not revise an entry that was submitted by command, or an entry of a closed
 *   task. If a closed task has an entry that was submitted by command, a line must not add another entry to this task.
 */
export const judgeConflicts = async (
  db: Db,
  lines: readonly ValidLine[],
): Promise<{ accepted: ValidLine[]; invalid: InvalidLine[] }> => {
  const ids = lines.flatMap(({ entry }) => [entry.id, ...(entry.revises ? [entry.revises] : [])])
  const known = new Map<string, KnownEntry>()
  for (const [id, row] of await entries.findMany(db, [...new Set(ids)])) known.set(id, fromRow(row))
  const spawns = lines.flatMap(({ spawn }) => (spawn === null ? [] : [spawn]))
  const newest = await entries.newestOfSpawns(db, [...new Set(spawns)])
  const closed = await closedTasks(db, lines)
  const accepted: ValidLine[] = []
  const invalid: InvalidLine[] = []
  for (const line of lines) {
    const { entry, task, spawn } = line
    const sameId = known.get(entry.id)
    if (sameId && isSameEntry(sameId.body(), entry)) continue
    const reason = whyConflicting(line, {
      ofSpawn: spawn === null ? undefined : newest.get(spawn),
      sameId,
      revised: known.get(entry.revises ?? ''),
      closed: closed.get(task),
    })
    if (reason) {
      invalid.push({ line: line.line, reason })
      continue
    }
    const id = sameId ? await entries.freeId(db, entry.id, known) : entry.id
    const renamed = id === entry.id ? [] : [`the id ${entry.id} is taken; the entry is stored as ${id}`]
    const stored = { ...line, entry: { ...entry, id }, warnings: [...line.warnings, ...renamed] }
    accepted.push(stored)
    known.set(id, { task, origin: 'line', body: () => stored.entry })
    if (spawn !== null) newest.set(spawn, id)
  }
  return { accepted, invalid }
}

interface KnownEntry {
  task: string
  origin: EntryRow['origin']
  body(): Entry
}

const fromRow = ({ task, origin, body }: EntryRow): KnownEntry => ({
  task,
  origin,
  body: () => JSON.parse(body) as Entry,
})

interface ClosedTask {
  status: string
  /** True if the task has an entry that was submitted by command. */
  isSubmitted: boolean
}

/**
 * Returns the closed tasks that the lines belong to. A line must not change the work of a closed task, because prompts
 * of other tasks may already contain its findings.
 */
const closedTasks = async (db: Db, lines: readonly ValidLine[]): Promise<Map<string, ClosedTask>> => {
  const rows = await tasks.findMany(db, [...new Set(lines.map(({ task }) => task))])
  const closed = [...rows.values()].filter(({ status }) => status === 'done' || status === 'cancelled')
  const ids = closed.map(({ id }) => id)
  const submitted = await entries.submittedFor(db, ids)
  return new Map(closed.map(({ id, status }) => [id, { status, isSubmitted: submitted.has(id) }]))
}

/** The stored rows with which a line can conflict. */
interface Conflicts {
  /** If the spawn of the line already has entries, the id of the newest one. */
  ofSpawn?: string
  sameId?: KnownEntry
  revised?: KnownEntry
  /** The line's task, if that task is closed. */
  closed?: ClosedTask
}

const whyConflicting = (
  { entry, task, spawn }: ValidLine,
  { ofSpawn, sameId, revised, closed }: Conflicts,
): string | undefined => {
  if (entry.revises) {
    if (revised?.task !== task) return `revises: ${task} has no entry ${entry.revises}`
    if (revised.origin === 'append')
      return `revises: ${entry.revises} was submitted by command; a manifest line cannot revise it`
    return closed && `revises: ${task} is ${closed.status}; a manifest line cannot revise its entry`
  }
  if (closed?.isSubmitted) return `${task} is ${closed.status}, and its entry was submitted by command`
  if (ofSpawn) return `${spawn} already has the entry ${ofSpawn}; another one must name it in "revises"`
  return sameId && spawn === null ? `id: ${entry.id} is taken` : undefined
}
