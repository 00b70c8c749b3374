import { sha256 as hashOf } from '../host/sha256.ts'
import { type Failure, fail, ok, type Result } from '../kernel/result.ts'
import type { Context, Write } from '../operation/context.ts'
import type { WorkFolders } from '../output/work-folders.ts'
import type { Db } from '../store/port.ts'
import * as texts from '../store/texts.ts'
import { type Entry, entryBody, isSameEntry, searchWords } from './entry.ts'
import type { EntryRow } from './sql/entries.ts'
import * as entries from './sql/entries.ts'
import * as manifestFiles from './sql/files.ts'
import * as links from './sql/links.ts'

export interface AppendedEntry {
  id: string
  taskId: string
  spawnId?: string
  status: Entry['status']
  file: string
  sha256: string
  noChange?: true
}

export interface Submission {
  task: string
  spawn: string | null
  /** Hash of the output file. */
  sha256: string
  /** True if the spawn itself submits the entry. */
  isOwn: boolean
  /** Fields that the caller left out and CLEO filled in. */
  derived: readonly string[]
  /** True if the entry replaces an earlier entry of its spawn. CLEO links such an entry to the task of the spawn. */
  isFinal?: true
}

type StoreEntryCode = 'entry.twice' | 'entry.taken' | 'entry.not_found'

/**
 * Stores an entry in the database and, just before the commit, appends its line to the manifest. If CLEO crashes before
 * the commit, the next read ingests the line. The transaction holds the write lock until the line is written. So no
 * other process can find the entry without its line and append the line a second time.
 */
export const storeEntry = (
  context: Context,
  folders: WorkFolders,
  entry: Entry,
  submission: Submission,
): Promise<Result<AppendedEntry, StoreEntryCode>> =>
  context.write(async (tx): Promise<Result<AppendedEntry, StoreEntryCode>> => {
    const { task, spawn, sha256, isOwn, derived, isFinal } = submission
    const newest = spawn === null ? undefined : await entries.ofSpawn(tx.db, spawn)
    const sameId = await entries.find(tx.db, entry.id)
    const repeated = [newest, sameId].find((row) => row && isRepeat(row, entry, submission))
    if (repeated && isOwn && repeated.origin === 'line') await entries.confirm(tx.db, repeated.id)
    if (repeated && isFinal) await linkTasks(tx, [task], JSON.parse(repeated.body) as Entry)
    if (repeated)
      return ok({ ...answer(JSON.parse(repeated.body) as Entry, submission), noChange: true as const })
    // Let a spawn replace its entry if that entry was ingested from a manifest line. Anyone can write such a line
    // in the name of a spawn, and the line must not stop the spawn from submitting.
    const isReplaceable = isFinal || (isOwn && newest?.origin === 'line')
    const replaced = isReplaceable && !entry.revises ? newest : undefined
    const refusal = await whyRefused(tx.db, entry, submission, {
      newest: replaced ? undefined : newest,
      sameId,
    })
    if (refusal) return refusal
    const id = sameId ? await entries.freeId(tx.db, entry.id) : entry.id
    const stored = { ...entry, id, ...(replaced && { revises: replaced.id }) }
    const body = entryBody(stored, { spawn, sha256, now: tx.now })
    const { status, file } = stored
    const line_sha256 = hashOf(body)
    const place = folders.storedWork
    const row = { id, task, spawn, status, body, sha256, appended_at: tx.now, line_sha256, place }
    await entries.insert(tx.db, [{ ...row, origin: 'append' }])
    await texts.put(tx.db, [{ kind: 'entry', ref: id, words: searchWords(body) }])
    await linkTasks(tx, isFinal ? [task] : [], stored)
    await tx.record({ task, after: { entry: id, status, file, sha256 } })
    if (!context.dryRun) await writeLine(tx, folders, body)
    const renamed =
      sameId && !derived.includes('id') ? [`the id ${entry.id} is taken; the entry is stored as ${id}`] : []
    const isRead = replaced?.origin === 'line'
    const replaces = isRead ? [`${id} replaces ${replaced.id}, which was read from the manifest file`] : []
    return ok(answer(stored, submission), { warnings: [...renamed, ...replaces] })
  })

const linkTasks = (
  { db, now, actor }: Write,
  more: readonly string[],
  { id, linked_tasks = [] }: Entry,
): Promise<void> =>
  links.addNamed(
    db,
    { linked_tasks: [...new Set([...more, ...linked_tasks])] },
    { entry: id, at: now, actor: actor.id },
  )

const answer = ({ id, status, file }: Entry, { task, spawn, sha256 }: Submission): AppendedEntry => ({
  id,
  taskId: task,
  ...(spawn !== null && { spawnId: spawn }),
  status,
  file,
  sha256,
})

const isRepeat = (row: EntryRow, entry: Entry, { spawn, sha256, derived }: Submission): boolean =>
  row.spawn === spawn && row.sha256 === sha256 && isSameEntry(JSON.parse(row.body) as Entry, entry, derived)

interface StoredEntries {
  /** The newest entry of the spawn. */
  newest?: EntryRow
  sameId?: EntryRow
}

const whyRefused = async (
  db: Db,
  { id, revises }: Entry,
  { task, spawn, derived }: Submission,
  { newest, sameId }: StoredEntries,
): Promise<Failure<StoreEntryCode> | undefined> => {
  if (revises) {
    const revised = await entries.find(db, revises)
    return revised?.task === task ? undefined : fail('entry.not_found', { id: revises })
  }
  if (newest) return fail('entry.twice', { spawn: spawn!, id: newest.id })
  return sameId && spawn === null && !derived.includes('id') ? fail('entry.taken', { id }) : undefined
}

/**
 * Appends a line to the manifest. If nothing else was appended since the last read, also moves the saved offset past
 * this line, so that the line is not read again.
 */
export const writeLine = async (
  { db }: Write,
  { manifest, manifestKey }: WorkFolders,
  body: string,
): Promise<void> => {
  const { appendLine, readPiece, fingerprintBytes } = await import('../host/line-file.ts')
  const row = await manifestFiles.find(db, manifestKey)
  const { bytes, size, stamp } = appendLine(manifest, body)
  if ((row?.consumed ?? 0) + bytes !== size) return
  const start = Math.max(0, size - fingerprintBytes)
  const mark = hashOf(readPiece(manifest, start, size - start).bytes)
  await manifestFiles.advance(db, row, { path: manifestKey, consumed: size, mark, seen: stamp })
}
