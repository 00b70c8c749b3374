import { findProject } from '../host/find-project.ts'
import type { Host } from '../host/host.ts'
import { stat } from '../host/node-database-files.ts'
import { Refused } from '../kernel/result.ts'
import { type Connection, connect } from '../perform/connection.ts'
import { schemaVersion } from '../store/generated/schema-version.ts'
import { databasePath } from '../store/open/choose-store.ts'
import { schemaFound } from '../store/open/schema-found.ts'

export interface KeptConnection {
  /** Runs a call on the connection. Opens another one first if the project was moved, changed or upgraded. */
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Waits for the calls that are running, then closes the store. */
  close(): Promise<void>
}

interface Held {
  connection: Connection
  /** How many calls use it. */
  users: number
  /** What it opens; undefined if there is no project yet. */
  opened?: Opened
}

interface Opened {
  folder: string
  /** Size and time of the configuration, and the number of the database file. */
  marks: string
}

/**
 * Keeps one connection for all calls of a server. A command starts afresh each time; a server has to notice what happens
 * meanwhile: a changed configuration, a database that was replaced, moved or migrated, a project that is made or moved.
 */
export const keepConnection = (host: Host, named: string | undefined): KeptConnection => {
  let held: Held | undefined
  const running = new Set<Promise<unknown>>()
  let finding: Promise<Held> | undefined
  const find = async (): Promise<Held> => {
    if (held && (await isCurrent(host, held))) return held
    const old = held
    const here = whereNow(host)
    // Marked before the connection reads anything: a change that comes in between is then seen by the next call.
    const opened = await markedProject(here, named)
    held = { connection: connect({ host: here, named, wait: 'retry' }), users: 0, ...(opened && { opened }) }
    if (old?.users === 0) await old.connection.close()
    return held
  }
  /** Calls that arrive while the project is being found wait for it together, so that all get one connection. */
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

/** The folder in which the server runs follows a project that is moved; its first path would be gone. */
const whereNow = (host: Host): Host => {
  const cwd = host.files.realPath('/proc/self/cwd')
  return cwd.startsWith('/proc/') || host.files.kind(cwd) !== 'folder' ? host : { ...host, cwd }
}

const markedProject = async (host: Host, named: string | undefined): Promise<Opened | undefined> => {
  try {
    const { root, found } = await findProject(host, named)
    return found ? { folder: `${root}/.cleo`, marks: marksOf(host, `${root}/.cleo`) } : undefined
  } catch (error) {
    // The call reports why the project cannot be found.
    if (error instanceof Refused) return undefined
    throw error
  }
}

const isCurrent = async (host: Host, { connection, opened, users }: Held): Promise<boolean> => {
  // While there is no project, each call looks for it again. Calls at the same time share one attempt.
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
