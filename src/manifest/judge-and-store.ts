import type { AuditRow } from '../audit/sql.ts'
import * as audit from '../audit/sql.ts'
import type { Context } from '../operation/context.ts'
import type { WorkFolders } from '../output/work-folders.ts'
import type { Db } from '../store/port.ts'
import * as texts from '../store/texts.ts'
import { entryBody, searchWords } from './entry.ts'
import { type InvalidLine, judgeAlone, type ValidLine } from './judge-alone.ts'
import { judgeConflicts } from './judge-conflicts.ts'
import type { ManifestLine } from './manifest-lines.ts'
import type { NewEntry } from './sql/entries.ts'
import * as entries from './sql/entries.ts'
import type { ManifestFileRow } from './sql/files.ts'
import * as manifestFiles from './sql/files.ts'
import * as links from './sql/links.ts'
import * as quarantine from './sql/quarantine.ts'

export interface IngestCounts {
  entries: number
  quarantined: number
  warnings: string[]
}

interface Batch {
  lines: ManifestLine[]
  /** The saved offset before these lines were read. */
  before: ManifestFileRow | undefined
  /** The offset to save once these lines are stored. */
  next: ManifestFileRow
}

/**
 * Stores each line as an entry or in quarantine. Saves the new offset of the file in the same transaction. Skips lines
 * that are already stored. If another process has moved the offset since `before` was read, stores nothing and returns
 * false.
 */
export const judgeAndStore = async (
  context: Context,
  folders: WorkFolders,
  { lines, before, next }: Batch,
  ingested: IngestCounts,
): Promise<boolean> => {
  const { store } = context
  const fresh = await withoutStored(store, lines)
  const judged = await judgeAlone(context, folders, fresh)
  const stored = await store.tx(async (db) => {
    if (!(await manifestFiles.advance(db, before, next))) return undefined
    if (judged.length === 0) return { accepted: [], quarantined: 0 }
    const still = new Set(await withoutStored(db, fresh))
    const left = judged.filter(({ line }) => still.has(line))
    const { accepted, invalid } = await judgeConflicts(
      db,
      left.filter((each) => 'entry' in each),
    )
    await storeEntries(db, context, folders, accepted)
    const rejected = [...left.filter((each) => 'reason' in each), ...invalid]
    return { accepted, quarantined: await putInQuarantine(db, folders, rejected) }
  })
  if (!stored) return false
  report(ingested, folders, stored)
  return true
}

const withoutStored = async (db: Db, lines: readonly ManifestLine[]): Promise<ManifestLine[]> => {
  const hashes = lines.map((line) => line.sha256)
  const known = new Set([...(await entries.knownLines(db, hashes)), ...(await quarantine.known(db, hashes))])
  return lines.filter((line) => {
    if (known.has(line.sha256)) return false
    known.add(line.sha256)
    return true
  })
}

const storeEntries = async (
  db: Db,
  { actor, session }: Context,
  { manifestKey, storedWork: place }: WorkFolders,
  lines: readonly ValidLine[],
): Promise<void> => {
  const now = await db.now()
  const rows = lines.map(({ line, entry, task, spawn, sha256 }): NewEntry => {
    const body = entryBody(entry, { spawn, sha256, now })
    const { id, status } = entry
    const row = { id, task, spawn, status, body, sha256, appended_at: now, line_sha256: line.sha256, place }
    return { ...row, origin: 'line' }
  })
  await entries.insert(db, rows)
  for (const { entry } of lines)
    await links.addNamed(db, entry, { entry: entry.id, at: now, actor: actor.id })
  await texts.put(
    db,
    rows.map(({ id, body }) => ({ kind: 'entry', ref: id, words: searchWords(body) })),
  )
  await audit.appendMany(
    db,
    lines.map(({ entry: { id, status, file }, task }): Omit<AuditRow, 'seq' | 'first'> => {
      const after = JSON.stringify({ entry: id, status, file, from: manifestKey })
      const operation = 'pipeline.manifest.sync'
      return { at: now, actor: actor.id, session: session?.id ?? null, operation, task, before: null, after }
    }),
  )
}

/** Returns how many lines were not yet in quarantine. */
const putInQuarantine = async (
  db: Db,
  { manifestKey }: WorkFolders,
  lines: readonly InvalidLine[],
): Promise<number> => {
  const at = await db.now()
  return quarantine.add(
    db,
    lines.map(({ line: { byte, raw, sha256 }, reason }) => {
      return { path: manifestKey, byte, bytes: raw.length, text: startOfLine(raw), sha256, reason, at }
    }),
  )
}

const maxStoredText = 4096
const lossyDecoder = new TextDecoder()

/** Returns enough of a line to recognise it. The whole line remains in the manifest. */
const startOfLine = (raw: Uint8Array): string =>
  lossyDecoder.decode(raw.subarray(0, maxStoredText)).replaceAll('\0', '\u2400')

const maxWarnings = 20

const report = (
  ingested: IngestCounts,
  { manifestKey }: WorkFolders,
  { accepted, quarantined }: { accepted: readonly ValidLine[]; quarantined: number },
): void => {
  ingested.entries += accepted.length
  ingested.quarantined += quarantined
  const warnings = accepted.flatMap(({ entry, warnings }) => warnings.map((each) => `${entry.id}: ${each}`))
  if (quarantined > 0)
    warnings.push(
      `lines of ${manifestKey} put in quarantine: ${quarantined}; to see why: cleo manifest quarantine`,
    )
  ingested.warnings.push(...warnings.slice(0, Math.max(0, maxWarnings - ingested.warnings.length)))
}
