import type { AuditRow } from '../audit/sql.ts'
import * as audit from '../audit/sql.ts'
import type { Context } from '../operation/context.ts'
import type { WorkFolders } from '../output/work-folders.ts'
import type { Db } from '../store/port.ts'
import * as texts from '../store/texts.ts'
import { type Admitted, admit } from './admit.ts'
import { bodyOf } from './body.ts'
import { type Candidate, candidatesFor, type RefusedLine } from './candidates.ts'
import type { Ingested } from './ingest.ts'
import type { Line } from './read-on.ts'
import type { NewEntry } from './sql/entries.ts'
import * as entries from './sql/entries.ts'
import type { ManifestFileRow } from './sql/files.ts'
import * as manifestFiles from './sql/files.ts'
import * as quarantine from './sql/quarantine.ts'
import { wordsOf } from './words.ts'

export interface Batch {
  lines: Line[]
  /** How far the file had been read, and how far it has been read with these. */
  before: ManifestFileRow | undefined
  next: ManifestFileRow
}

/**
 * Makes entries of some lines, and puts down in the same transaction that they have been read: whoever is second finds
 * that, and answers false. What is known already is passed over.
 */
export const takeIn = async (
  context: Context,
  folders: WorkFolders,
  { lines, before, next }: Batch,
  found: Ingested,
): Promise<boolean> => {
  const { store } = context
  const fresh = await unknown(store, lines)
  const judged = await candidatesFor(context, folders, fresh)
  const kept = await store.tx(async (db) => {
    if (!(await manifestFiles.advance(db, before, next))) return undefined
    if (judged.length === 0) return { taken: [], refused: [], quarantined: 0 }
    const still = new Set(await unknown(db, fresh))
    const left = judged.filter(({ line }) => still.has(line))
    const admitted = await admit(
      db,
      left.filter((each): each is Candidate => 'entry' in each),
    )
    const refused = [...left.filter((each): each is RefusedLine => 'reason' in each), ...admitted.refused]
    return { ...admitted, quarantined: await keep(db, context, folders, { ...admitted, refused }) }
  })
  if (!kept) return false
  found.taken += kept.taken.length
  found.quarantined += kept.quarantined
  for (const { entry, warnings } of kept.taken)
    for (const warning of warnings) warn(found, `${entry.id}: ${warning}`)
  if (kept.quarantined > 0)
    warn(
      found,
      `${kept.quarantined} in quarantine from ${folders.manifestKey}: cleo manifest quarantine says why`,
    )
  return true
}

const mostWarnings = 20

const warn = ({ warnings }: Ingested, warning: string): void => {
  if (warnings.length < mostWarnings) warnings.push(warning)
}

const unknown = async (db: Db, lines: readonly Line[]): Promise<Line[]> => {
  const hashes = lines.map((line) => line.sha256)
  const known = new Set([...(await entries.knownLines(db, hashes)), ...(await quarantine.known(db, hashes))])
  return lines.filter((line) => {
    if (known.has(line.sha256)) return false
    known.add(line.sha256)
    return true
  })
}

/** Answers how many were new in quarantine. */
const keep = async (
  db: Db,
  { actor, session }: Context,
  { manifestKey: key, storedWork: place }: WorkFolders,
  { taken, refused }: Admitted,
): Promise<number> => {
  const now = await db.now()
  const rows = taken.map(({ line, entry, task, spawn, sha256 }): NewEntry => {
    const body = bodyOf(entry, { spawn, sha256, now })
    const { id, status } = entry
    const origin = 'line'
    return {
      id,
      task,
      spawn,
      status,
      body,
      sha256,
      appended_at: now,
      line_sha256: line.sha256,
      place,
      origin,
    }
  })
  await entries.insert(db, rows)
  await texts.put(
    db,
    rows.map(({ id, body }) => ({ kind: 'entry', ref: id, words: wordsOf(body) })),
  )
  await audit.appendMany(
    db,
    taken.map(({ entry: { id, status, file }, task }): Omit<AuditRow, 'seq'> => {
      const after = JSON.stringify({ entry: id, status, file, from: key })
      const operation = 'pipeline.manifest.sync'
      return { at: now, actor: actor.id, session: session?.id ?? null, operation, task, before: null, after }
    }),
  )
  return quarantine.add(
    db,
    refused.map(({ line: { byte, raw, sha256 }, reason }) => {
      return { path: key, byte, bytes: raw.length, text: shownOf(raw), sha256, reason, at: now }
    }),
  )
}

const mostShown = 4096
const lossy = new TextDecoder()

/** As much as tells what it is; the file has all of it. */
const shownOf = (raw: Uint8Array): string =>
  lossy.decode(raw.subarray(0, mostShown)).replaceAll('\0', '\u2400')
