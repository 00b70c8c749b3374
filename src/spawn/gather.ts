import type { ClaimRow } from '../claims/sql/claims.ts'
import * as claims from '../claims/sql/claims.ts'
import type { SpawnRow } from '../claims/sql/spawns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import * as entries from '../manifest/sql/entries.ts'
import type { Facts, Findings } from '../prompt/facts.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import * as criteria from '../tasks/sql/criteria.ts'
import * as lists from '../tasks/sql/lists.ts'
import * as notes from '../tasks/sql/notes.ts'
import * as tasks from '../tasks/sql/tasks.ts'

/** What the store knows of a task that is to be handed out. */
export interface Gathered {
  row: TaskRow
  root: TaskRow
  labels: string[]
  files: string[]
  criteria: { n: number; text: string }[]
  notes: { by: string; text: string }[]
  depends: Facts['depends']
  findings: Findings[]
  openNeeds: string[]
  openParts: string[]
  claim?: ClaimRow
  latest?: SpawnRow
  now: number
}

/** What people and earlier attempts have said since; the newest matter, an answer from the inbox among them. */
const mostNotes = 5

export const gather = async (db: Db, id: string): Promise<Gathered | undefined> => {
  const row = await tasks.find(db, id)
  if (!row) return undefined
  const { depends, labels, files } = await lists.readAll(db, id)
  const needed = await tasks.findMany(db, depends)
  return {
    row,
    root: row.root === id ? row : (await tasks.find(db, row.root))!,
    labels,
    files,
    criteria: await criteria.read(db, id),
    notes: (await notes.latestOf(db, id, mostNotes)).map(({ actor, text }) => ({ by: actor, text })),
    depends: depends.map((id) => ({ id, status: needed.get(id)!.status })),
    findings: (await entries.latestOf(db, depends)).map(findingsOf),
    openNeeds: row.blockers > 0 ? await tasks.openNeeds(db, id) : [],
    openParts: row.children > 0 ? await tasks.openChildren(db, id) : [],
    claim: await claims.holder(db, id),
    latest: await spawns.latest(db, id),
    now: await db.now(),
  }
}

const findingsOf = ({ task, id, status, body }: entries.EntryRow): Findings => {
  const { key_findings } = JSON.parse(body) as { key_findings?: unknown }
  const lines = Array.isArray(key_findings) ? key_findings.filter((line) => typeof line === 'string') : []
  return { task, entry: id, status, lines }
}
