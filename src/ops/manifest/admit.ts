import { type Entry, isSameEntry } from '../../contract/manifest/entry.ts'
import { numbered } from '../../contract/manifest/entry-id.ts'
import type { EntryRow } from '../../store/entries.ts'
import * as entries from '../../store/entries.ts'
import type { Db } from '../../store/port.ts'
import type { Candidate, RefusedLine } from './candidates.ts'

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
  const admitted: Admitted = { taken: [], refused: [] }
  for (const candidate of candidates) {
    const { entry, task, spawn } = candidate
    const before = spawn === null ? undefined : newest.get(spawn)
    const same = known.get(entry.id)
    if (same && isSameEntry(same.body(), entry)) continue
    const reason = await whyNot(candidate, { before, same, revised: known.get(entry.revises ?? '') })
    if (reason) {
      admitted.refused.push({ line: candidate.line, reason })
      continue
    }
    const id = same ? await freeId(db, entry.id, known) : entry.id
    const renamed = id === entry.id ? [] : [`${entry.id} is taken; this one is ${id}`]
    const kept = { ...candidate, entry: { ...entry, id }, warnings: [...candidate.warnings, ...renamed] }
    admitted.taken.push(kept)
    known.set(id, { task, body: () => kept.entry })
    if (spawn !== null) newest.set(spawn, id)
  }
  return admitted
}

interface Known {
  task: string
  body(): Entry
}

const ofRow = ({ task, body }: EntryRow): Known => ({ task, body: () => JSON.parse(body) as Entry })

interface Beside {
  /** The entry its spawn has already. */
  before?: string
  /** The one that has its id. */
  same?: Known
  /** The one it revises. */
  revised?: Known
}

const whyNot = ({ entry, task, spawn }: Candidate, { before, same, revised }: Beside): string | undefined => {
  if (entry.revises)
    return revised?.task === task ? undefined : `revises: ${task} has no entry ${entry.revises}`
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
