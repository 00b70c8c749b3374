import type { Host } from '../host/host.ts'
import * as disk from '../host/node-database-files.ts'
import { databasePath } from '../store/open/choose-store.ts'
import type { Store } from '../store/port.ts'
import { saveSqlite } from '../store/sqlite/backup.ts'
import { exactStamp } from '../store/sqlite/backup-names.ts'
import { tryFileLock } from '../store/sqlite/file-lock.ts'
import { renewId } from '../store/sqlite/project-id.ts'
import { markOf } from '../store/sqlite/project-mark.ts'
import { afterFailure, betweenBackups, dueFile, isDue, outerFolder } from './outer-backups.ts'

/** How many backups of a project are kept in the state folder. */
const mostKept = 5

/**
 * Matches the name of an unfinished backup, and the names of files that SQLite left beside an unfinished backup.
 */
const draft = /\.db\.[0-9a-z]{8}(-\w+)?$/

export interface OuterSource {
  root: string
  folder: string
  store: Store
}

/**
 * Saves the database in the user's state folder, where `git clean` does not reach it. Only one process at a time does
 * this; other processes skip it. The command has already printed its answer, so an error here is only recorded for
 * doctor.
 */
export const makeOuterBackup = async (host: Host, source: OuterSource): Promise<void> => {
  let folder: string | undefined
  try {
    const id = await ownId(host, source)
    folder = id && outerFolder(host, id)
    if (!folder) return
    const target = folder
    disk.makeFolder(`${target}/backups`)
    await tryFileLock(`${target}/lock`, () => save(host, source, target))
  } catch (error) {
    if (folder !== undefined) noteFailure(folder, error)
  }
}

const save = (host: Host, { root, folder }: OuterSource, target: string): void => {
  if (!isDue(host, target)) return
  // First postpone the next attempt by `afterFailure`. If this process is killed, the next command does not try again
  // at once.
  setDue(target, host.now() + afterFailure)
  const backups = `${target}/backups`
  for (const name of disk.namesIn(backups)) if (draft.test(name)) disk.remove(`${backups}/${name}`)
  host.files.replace(`${target}/root`, `${root}\n`, 0o600)
  keepConfig(host, folder, target)
  const name = `cleo-${exactStamp(host.now())}.db`
  saveSqlite(databasePath(folder), `${backups}/${name}`, { unique: host.randomId(8) })
  const names = disk.namesIn(backups).filter((name) => name.endsWith('.db'))
  for (const name of names.slice(0, -mostKept)) disk.remove(`${backups}/${name}`)
  disk.remove(failureFile(target))
  setDue(target, host.now() + betweenBackups)
}

const setDue = (target: string, time: number): void => {
  const path = dueFile(target)
  if (!disk.exists(path)) disk.writeNew(path, 'The time of this file says when the next backup is due.\n')
  disk.setChanged(path, time)
}

/** Keeps a copy of the configuration beside the backups, because the project's configuration may not be in git. */
const keepConfig = (host: Host, folder: string, target: string): void => {
  const text = host.files.read(`${folder}/config.json`)
  if (text !== undefined) host.files.replace(savedConfig(target), text, 0o600)
}

export const savedConfig = (target: string): string => `${target}/config.json`

export const failureFile = (target: string): string => `${target}/failed`

const noteFailure = (target: string, error: unknown): void => {
  try {
    disk.remove(failureFile(target))
    disk.writeNew(failureFile(target), `${error instanceof Error ? error.message : String(error)}\n`)
  } catch {
    // Ignored, because doctor itself checks whether the folder can be written.
  }
}

/**
 * Returns the id under which this project is saved. If the project folder is a copy, it has the id of the original.
 * With that id, the backups of the copy would replace those of the original, so the copy gets a new id here.
 */
const ownId = async (host: Host, { root, folder, store }: OuterSource): Promise<string | undefined> => {
  const id = store.project ?? undefined
  const saved = id && outerFolder(host, id)
  if (!saved) return undefined
  const other = host.files.read(`${saved}/root`)?.replace(/\n$/, '')
  if (other === undefined || other === root) return id
  const path = databasePath(folder)
  const original = databasePath(`${other}/.cleo`)
  const isCopy = disk.exists(markOf(original, id)) && disk.exists(original) && !isSameFile(original, path)
  return isCopy ? renewId(store, path) : id
}

const isSameFile = (one: string, other: string): boolean => {
  const a = disk.stat(one)
  const b = disk.stat(other)
  return a?.ino === b?.ino && a?.dev === b?.dev
}
