import type { Host } from '../host/host.ts'
import { stat } from '../host/node-database-files.ts'
import { Refused } from '../kernel/result.ts'
import { findProject } from '../project/find-project.ts'
import { schemaVersion } from '../store/generated/schema-version.ts'
import { databasePath } from '../store/open/choose-store.ts'
import { schemaFound } from '../store/open/schema-found.ts'
import { type Connection, connect } from './connection.ts'

export interface KeptConnection {
  /** If the project was moved, changed or upgraded, opens a new connection first. */
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Waits for the calls that are running, then closes the store. */
  close(): Promise<void>
}

interface Held {
  connection: Connection
  users: number
  /** Undefined if there is no project yet. */
  opened?: Opened
}

interface Opened {
  folder: string
  /** Size and time of the configuration, and the inode of the database file. */
  marks: string
}

/**
 * Keeps one connection for all calls of a server. A server runs for a long time, so each call first looks for changes.
 * The configuration may have changed, the database may have been replaced or migrated, and the project may have been
 * made or moved.
 */
export const keepConnection = (host: Host, named: string | undefined): KeptConnection => {
  let held: Held | undefined
  const running = new Set<Promise<unknown>>()
  let finding: Promise<Held> | undefined
  const find = async (): Promise<Held> => {
    if (held && (await isCurrent(host, held))) return held
    const old = held
    const here = whereNow(host)
    // Read the marks before the connection reads anything. If something changes after that, the next call notices it.
    const opened = await markedProject(here, named)
    held = { connection: connect({ host: here, named, wait: 'retry' }), users: 0, ...(opened && { opened }) }
    if (old?.users === 0) await old.connection.close()
    return held
  }
  /** Finds the project once for all calls that arrive during the search, so that they share one connection. */
  const current = (): Promise<Held> => {
    finding ??= find().finally(() => {
      finding = undefined
    })
    return finding
  }
  const run = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    const mine = await current()
    mine.users++
    try {
      return await work(mine.connection)
    } finally {
      mine.users--
      if (mine !== held && mine.users === 0) await mine.connection.close()
    }
  }
  return {
    use: (work) => {
      const call = run(work)
      running.add(call)
      return call.finally(() => running.delete(call))
    },
    close: async () => {
      await Promise.allSettled(running)
      await held?.connection.close()
    },
  }
}

/**
 * Returns the host with the current path of the folder in which the server runs, because the project may have been
 * moved since the server started.
 */
const whereNow = (host: Host): Host => {
  const cwd = host.files.realPath('/proc/self/cwd')
  return cwd.startsWith('/proc/') || host.files.kind(cwd) !== 'folder' ? host : { ...host, cwd }
}

const markedProject = async (host: Host, named: string | undefined): Promise<Opened | undefined> => {
  try {
    const { root, found } = await findProject(host, named)
    return found ? { folder: `${root}/.cleo`, marks: marksOf(host, `${root}/.cleo`) } : undefined
  } catch (error) {
    // Ignore the error. The called operation will look for the project again and report the error itself.
    if (error instanceof Refused) return undefined
    throw error
  }
}

const isCurrent = async (host: Host, { connection, opened, users }: Held): Promise<boolean> => {
  // Without a project, each call searches again, because the project may have been made since. Only calls that run at
  // the same time share the connection.
  if (!opened) return users > 0
  if (marksOf(host, opened.folder) !== opened.marks) return false
  try {
    const store = await connection.opened()
    return !store || (await schemaFound(store)) === schemaVersion
  } catch {
    return false
  }
}

const marksOf = ({ files }: Host, folder: string): string =>
  `${files.stamp(`${folder}/config.json`)} ${stat(databasePath(folder))?.ino ?? ''}`
