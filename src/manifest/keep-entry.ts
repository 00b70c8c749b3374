import { sha256 as hashOf } from '../host/sha256.ts'
import { type Failure, fail, ok, type Result } from '../kernel/result.ts'
import type { Context, Write } from '../operation/context.ts'
import type { WorkFolders } from '../output/work-folders.ts'
import type { Db } from '../store/port.ts'
import * as texts from '../store/texts.ts'
import { freeId } from './admit.ts'
import type { AppendedEntry } from './append-entry.ts'
import { bodyOf } from './body.ts'
import { type Entry, isSameEntry } from './entry.ts'
import type { EntryRow } from './sql/entries.ts'
import * as entries from './sql/entries.ts'
import * as manifestFiles from './sql/files.ts'
import { wordsOf } from './words.ts'

export interface Handed {
  task: string
  spawn: string | null
  sha256: string
  /** The spawn itself hands it in. */
  own: boolean
  /** Fields nobody gave. */
  derived: readonly string[]
}

type Code = 'entry.twice' | 'entry.taken' | 'entry.not_found'

/**
 * Keeps an entry and writes its line. The line comes last, before the commit and while nobody else can write to the
 * table: whoever dies in between leaves a line that the next one takes in, and no line is ever taken for lost by two.
 */
export const keepEntry = (
  context: Context,
  folders: WorkFolders,
  entry: Entry,
  handed: Handed,
): Promise<Result<AppendedEntry, Code>> =>
  context.write(async (tx): Promise<Result<AppendedEntry, Code>> => {
    const { task, spawn, sha256, own } = handed
    const newest = spawn === null ? undefined : await entries.ofSpawn(tx.db, spawn)
    const named = await entries.find(tx.db, entry.id)
    const said = [newest, named].find((row) => row && isRepeat(row, entry, handed))
    if (said && own && said.origin === 'line') await entries.confirm(tx.db, said.id)
    if (said) return ok({ ...answer(JSON.parse(said.body) as Entry, handed), noChange: true as const })
    // Anybody can write a line in the name of a spawn: it does not keep the spawn itself from handing in.
    const replaced = own && !entry.revises && newest?.origin === 'line' ? newest : undefined
    const unfit = await whyNot(tx.db, entry, handed, { newest: replaced ? undefined : newest, named })
    if (unfit) return unfit
    const id = named ? await freeId(tx.db, entry.id) : entry.id
    const kept = { ...entry, id, ...(replaced && { revises: replaced.id }) }
    const body = bodyOf(kept, { spawn, sha256, now: tx.now })
    const { status, file } = kept
    const line_sha256 = hashOf(body)
    const { storedWork: place } = folders
    const row = { id, task, spawn, status, body, sha256, appended_at: tx.now, line_sha256, place }
    await entries.insert(tx.db, [{ ...row, origin: 'append' }])
    await texts.put(tx.db, [{ kind: 'entry', ref: id, words: wordsOf(body) }])
    await tx.record({ task, after: { entry: id, status, file, sha256 } })
    if (!context.dryRun) await writeLine(tx, folders, body)
    const renamed = named && !handed.derived.includes('id') ? [`${entry.id} is taken; this one is ${id}`] : []
    const instead = replaced ? [`${replaced.id} came as a line in the file; ${id} takes its place`] : []
    return ok(answer(kept, handed), { warnings: [...renamed, ...instead] })
  })

const answer = ({ id, status, file }: Entry, { task, spawn, sha256 }: Handed): AppendedEntry => ({
  id,
  task,
  ...(spawn !== null && { spawnId: spawn }),
  status,
  file,
  sha256,
})

const isRepeat = (row: EntryRow, entry: Entry, { spawn, sha256, derived }: Handed): boolean =>
  row.spawn === spawn && row.sha256 === sha256 && isSameEntry(JSON.parse(row.body) as Entry, entry, derived)

interface Beside {
  newest?: EntryRow
  named?: EntryRow
}

const whyNot = async (
  db: Db,
  { id, revises }: Entry,
  { task, spawn, derived }: Handed,
  { newest, named }: Beside,
): Promise<Failure<Code> | undefined> => {
  if (revises) {
    const revised = await entries.find(db, revises)
    return revised?.task === task ? undefined : fail('entry.not_found', { id: revises })
  }
  if (newest) return fail('entry.twice', { spawn: spawn!, id: newest.id })
  const isSaid = !derived.includes('id')
  return named && spawn === null && isSaid ? fail('entry.taken', { id }) : undefined
}

/** Where nothing else has come to the file, this line need not be looked at again. */
const writeLine = async (
  { db }: Write,
  { manifest, manifestKey: key }: WorkFolders,
  body: string,
): Promise<void> => {
  const { appendLine, readPiece, marked } = await import('../host/line-file.ts')
  const row = await manifestFiles.find(db, key)
  const { bytes, size, stamp } = appendLine(manifest, body)
  if ((row?.consumed ?? 0) + bytes !== size) return
  const start = Math.max(0, size - marked)
  const mark = hashOf(readPiece(manifest, start, size - start).bytes)
  await manifestFiles.advance(db, row, { path: key, consumed: size, mark, seen: stamp })
}
