import { dirname, join } from 'node:path'
import * as disk from '../../host/node-database-files.ts'
import { Refused, refuse } from '../../kernel/result.ts'
import type { Db, Store } from '../port.ts'
import { isProjectId, markOf, markPrefix } from './project-mark.ts'

/** Usually there is one mark file; before the first command there is none. */
export const markedIds = (path: string): string[] =>
  disk
    .namesIn(dirname(path))
    .filter((name) => name.startsWith(markPrefix) && isProjectId(name.slice(markPrefix.length)))
    .map((name) => name.slice(markPrefix.length))

/** Twelve hexadecimal digits. */
export const newId = 'lower(hex(randomblob(6)))'

/** Does nothing if the folder cannot be written. */
export const mark = (path: string, id: string): void => {
  try {
    disk.writeNew(markOf(path, id), `The database beside this file belongs to project ${id}.\n`)
  } catch (error) {
    if (disk.fileError(error) === undefined) throw error
  }
}

export const refuseOther = (path: string, found: string | undefined): void => {
  const marked = markedIds(path)
  if (marked.length > 0 && !marked.includes(found ?? ''))
    refuse('store.other', { path, found, own: marked[0]! })
}

/**
 * Compares the id in a database with the mark file in the same folder. If there is a mark file, refuses a database that
 * has another id or none. If there is no mark file, creates it; a database without an id gets one first.
 */
export const settleProject = async (store: Store, path: string): Promise<Store> => {
  const found = store.project ?? undefined
  try {
    refuseOther(path, found)
  } catch (error) {
    await store.close()
    throw error
  }
  const project = found ?? (await giveId(store))
  if (project !== undefined && markedIds(path).length === 0) mark(path, project)
  return { ...store, ...(project !== undefined && { project }) }
}

/** If several processes do this at once, all of them get the id of the first. */
const giveId = async (store: Store): Promise<string | undefined> => {
  try {
    return await store.tx(async (db) => {
      await db.run(`INSERT INTO project (id) SELECT ${newId} WHERE NOT EXISTS (SELECT 1 FROM project)`)
      return (await db.get<{ id: string }>('SELECT id FROM project'))!.id
    })
  } catch (error) {
    // Continue without an id: a database that cannot be written can still be read.
    if (error instanceof Refused && error.failure.code === 'store.readonly') return undefined
    throw error
  }
}

export const setId = async (db: Db, id: string): Promise<void> => {
  await db.run('DELETE FROM project')
  await db.run('INSERT INTO project (id) VALUES (?)', id)
}

/**
 * Gives the copy of a project its own id. Meanwhile the folder has two mark files, the old and the new one, so that
 * no command is refused.
 */
export const renewId = async (store: Store, path: string): Promise<string> => {
  const { id } = (await store.get<{ id: string }>(`SELECT ${newId} AS id`))!
  mark(path, id)
  await store.tx((db) => setId(db, id))
  for (const old of markedIds(path)) if (old !== id) disk.remove(join(dirname(path), markPrefix + old))
  return id
}
