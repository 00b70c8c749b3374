import { numbered } from '../kernel/entry-id.ts'
import type { Db } from '../store/port.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import type { Candidate, RefusedLine } from './candidates.ts'
import { type Entry, isSameEntry } from './entry.ts'
import type { EntryRow } from './sql/entries.ts'
import * as entries from './sql/entries.ts'

export interface Admitted {
  /** With the id each has got. */
  taken: Candidate[]
  refused: RefusedLine[]
}

/** Which of some candidates become entries, beside those that are there: one for each spawn, each id once. */
export const admit = async (db: Db, candidates: readonly Candidate[]): Promise<Admitted> => {
  const ids = candidates.flatMap(({ entry }) => [entry.id, ...(entry.revises ? [entry.revises] : [])])
  const known = new Map<string, Known>()
  for (const [id, row] of await entries.findMany(db, [...new Set(ids)])) known.set(id, ofRow(row))
  const spawns = candidates.flatMap(({ spawn }) => (spawn === null ? [] : [spawn]))
  const newest = await entries.newestOfSpawns(db, [...new Set(spawns)])
  const closed = await closedTasks(db, candidates)
  const admitted: Admitted = { taken: [], refused: [] }
  for (const candidate of candidates) {
    const { entry, task, spawn } = candidate
    const before = spawn === null ? undefined : newest.get(spawn)
    const same = known.get(entry.id)
    if (same && isSameEntry(same.body(), entry)) continue
    const reason = await whyNot(candidate, {
      before,
      same,
      revised: known.get(entry.revises ?? ''),
      closed: closed.get(task),
    })
    if (reason) {
      admitted.refused.push({ line: candidate.line, reason })
      continue
    }
    const id = same ? await freeId(db, entry.id, known) : entry.id
    const renamed = id === entry.id ? [] : [`${entry.id} is taken; this one is ${id}`]
    const kept = { ...candidate, entry: { ...entry, id }, warnings: [...candidate.warnings, ...renamed] }
    admitted.taken.push(kept)
    known.set(id, { task, origin: 'line', body: () => kept.entry })
    if (spawn !== null) newest.set(spawn, id)
  }
  return admitted
}

interface Closed {
  status: string
  /** Somebody has handed in by command. */
  handedIn: boolean
}

/** The tasks that are done or cancelled: what was found there is in the prompts of others. */
const closedTasks = async (db: Db, candidates: readonly Candidate[]): Promise<Map<string, Closed>> => {
  const rows = await tasks.findMany(db, [...new Set(candidates.map(({ task }) => task))])
  const closed = [...rows.values()].filter(({ status }) => status === 'done' || status === 'cancelled')
  const handed = await entries.handedIn(
    db,
    closed.map(({ id }) => id),
  )
  return new Map(closed.map(({ id, status }) => [id, { status, handedIn: handed.has(id) }]))
}

interface Known {
  task: string
  origin: EntryRow['origin']
  body(): Entry
}

const ofRow = ({ task, origin, body }: EntryRow): Known => ({
  task,
  origin,
  body: () => JSON.parse(body) as Entry,
})

interface Beside {
  /** The entry its spawn has already. */
  before?: string
  /** The one that has its id. */
  same?: Known
  /** The one it revises. */
  revised?: Known
  /** Its task, where that is closed. */
  closed?: Closed
}

/** Anybody can write a line: it changes nothing that was handed in by command, and no work that is over. */
const whyNot = (
  { entry, task, spawn }: Candidate,
  { before, same, revised, closed }: Beside,
): string | undefined => {
  if (entry.revises) {
    if (revised?.task !== task) return `revises: ${task} has no entry ${entry.revises}`
    if (revised.origin === 'append')
      return `revises: ${entry.revises} was handed in by command; a line does not change it`
    return closed && `revises: ${task} is ${closed.status}; a line does not change its entry`
  }
  if (closed?.handedIn) return `${task} is ${closed.status}, and its entry was handed in by command`
  if (before) return `${spawn} has its entry already: ${before}; another one says which it revises`
  return same && spawn === null ? `id: ${entry.id} is taken` : undefined
}

/** The first number behind an id that makes it one of its own. */
export const freeId = async (db: Db, id: string, taken?: ReadonlyMap<string, unknown>): Promise<string> => {
  for (let n = 1; ; n++) {
    const next = numbered(id, n)
    if (!taken?.has(next) && !(await entries.find(db, next))) return next
  }
}
