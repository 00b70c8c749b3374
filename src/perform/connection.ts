import { findProject } from '../host/find-project.ts'
import type { Host } from '../host/host.ts'
import type { Config } from '../kernel/config.ts'
import { refuse } from '../kernel/result.ts'
import { chosenStore, openStore as openChosen } from '../store/open/choose-store.ts'
import type { Store } from '../store/port.ts'

export interface OpenedProject {
  root: string
  folder: string
  config: Config
}

/** A project and its store, both opened on first use and kept open. */
export interface Connection {
  host: Host
  named?: string
  project(): Promise<OpenedProject>
  store(): Promise<Store>
  close(): Promise<void>
}

export interface ConnectionOptions {
  host: Host
  /** A folder named by `--project`. */
  named?: string
  wait: 'block' | 'retry'
}

export const connect = ({ host, named, wait }: ConnectionOptions): Connection => {
  let project: OpenedProject | undefined
  let store: Promise<Store> | undefined
  const open = async (): Promise<Store> => {
    const { folder, config } = await connection.project()
    return openChosen(chosenStore(host, folder, config), { now: host.now, size: host.files.sizeSeen, wait })
  }
  const connection: Connection = {
    host,
    named,
    project: async () => (project ??= await openProject(host, named)),
    store: () =>
      (store ??= open().catch((error) => {
        // Forget the failure, so that the next call tries again: the cause may be fixed by then.
        store = undefined
        throw error
      })),
    close: async () => {
      await (await store)?.close()
      store = undefined
    },
  }
  return connection
}

const openProject = async (host: Host, named: string | undefined): Promise<OpenedProject> => {
  const { root, found } = await findProject(host, named)
  if (!found) return refuse('project.missing', { from: root })
  const folder = `${root}/.cleo`
  return { root, folder, config: await loadConfig(host, `${folder}/config.json`) }
}

/** `cleo init` writes `{}` and a line break; no other configuration has three bytes. */
const emptySize = 3

const loadConfig = async ({ files }: Host, path: string): Promise<Config> => {
  const size = files.sizeSeen(path)
  if (size === emptySize) return {}
  // If the path is a named pipe, reading it would block forever.
  if (size === 0 && files.kind(path) === undefined)
    refuse('file.unreadable', { path, reason: 'it is not a regular file' })
  const { readConfig } = await import('../project/read-config.ts')
  return readConfig(path, (await files.load(path)) ?? '')
}
