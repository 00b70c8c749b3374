import type { Host } from '../host/host.ts'
import { refuseOwnLinks } from '../host/node-own-links.ts'
import { trustRecordsPath } from '../host/user-folders.ts'
import type { ActingConfig, Config } from '../kernel/config.ts'
import { Refused, refuse } from '../kernel/result.ts'
import { findProject } from '../project/find-project.ts'
import { admission } from '../project/known-database.ts'
import { isDue, outerFolder } from '../project/outer-backups.ts'
import { chosenStore, databasePath, openStore as openChosen } from '../store/open/choose-store.ts'
import type { Store } from '../store/port.ts'

export interface OpenedProject {
  root: string
  folder: string
  /** The settings in effect: those that a person trusted or that need no trust. */
  config: ActingConfig
  /** The settings as they are in the file. */
  written: Config
}

/** A project and its store, both opened on first use and kept open. */
export interface Connection {
  host: Host
  named?: string
  /** Returns the path of the project's `.cleo`. */
  folder(): Promise<string>
  project(): Promise<OpenedProject>
  store(): Promise<Store>
  /** Returns the configuration of the opened project, if it has untrusted settings. */
  untrusted(): ActingConfig | undefined
  /** Returns the store, if a call has opened it. */
  opened(): Promise<Store> | undefined
  close(): Promise<void>
}

export interface ConnectionOptions {
  host: Host
  /** The folder given by `--project`. */
  named?: string
  wait: 'block' | 'retry'
}

export const connect = ({ host, named, wait }: ConnectionOptions): Connection => {
  let found: Omit<OpenedProject, 'config'> | undefined
  let project: OpenedProject | undefined
  let store: Promise<Store> | undefined
  const open = async (): Promise<Store> => {
    const { root, folder, config } = project ?? (await connection.project())
    const chosen = chosenStore(host, folder, config)
    try {
      if (chosen.kind === 'postgres') refuseOwnLinks(folder)
      const admit = admission({ host, root, folder })
      return await openChosen(chosen, { now: host.now, size: host.files.sizeSeen, wait, admit })
    } catch (error) {
      if (error instanceof Refused && error.failure.code === 'store.missing')
        return refuseMissing(host, root, databasePath(folder))
      throw error
    }
  }
  const find = async () => (found ??= await openProject(host, named))
  const connection: Connection = {
    host,
    named,
    folder: async () => (await find()).folder,
    project: async () => {
      const found = await find()
      // Computed for each call, because a person can give or withdraw trust while this process runs.
      project = { ...found, config: await actingConfigOf(host, found) }
      return project
    },
    store: () =>
      (store ??= open().catch((error) => {
        // Forget the failure, so that the next call tries again. The cause may be fixed by then.
        store = undefined
        throw error
      })),
    untrusted: () => (project?.config.untrusted ? project.config : undefined),
    opened: () => store,
    close: async () => {
      await (await store)?.close()
      store = undefined
    },
  }
  return connection
}

const openProject = async (host: Host, named: string | undefined): Promise<Omit<OpenedProject, 'config'>> => {
  const { root, found } = await findProject(host, named)
  if (!found) {
    const { missingProject } = await import('../project/lost-project.ts')
    throw new Refused(missingProject(host, root))
  }
  const folder = `${root}/.cleo`
  return { root, folder, written: await loadConfig(host, `${folder}/config.json`) }
}

// The loaded module is kept, because a run asks for the settings in effect at every step.
let loadedSettings: Promise<typeof import('../project/settings.ts')> | undefined
const settings = () => (loadedSettings ??= import('../project/settings.ts'))

const actingConfigOf = async (
  host: Host,
  { root, written }: Pick<OpenedProject, 'root' | 'written'>,
): Promise<ActingConfig> => {
  // An empty configuration usually needs no check, because it has no setting that needs trust. But if the trust records
  // have a setting, check the configuration, because that setting may have been removed from it.
  const isEmpty = Object.keys(written).length === 0
  const records = trustRecordsPath(host)
  if (isEmpty && (host.files.sizeSeen(records) === 0 || !(await holdsSetting(host, records)))) return written
  const { actingConfig, withUntrustedHooks } = await settings()
  const config = actingConfig({ host, root, written })
  if (!written.hooks) return config
  const { itemsOfHooks } = await import('../project-commands/hook-files.ts')
  return withUntrustedHooks(config, { host, root, written }, itemsOfHooks({ host, root }, written))
}

/**
 * Whether the user's trust records contain a trusted setting or command of any project. One file has the records of all
 * projects.
 */
const holdsSetting = async (host: Host, records: string): Promise<boolean> =>
  /"(?:setting:|command:\w+")/.test((await host.files.load(records)) ?? '')

/** Names the newest backup in the user's state folder, if there is one. */
const refuseMissing = async (host: Host, root: string, path: string): Promise<never> => {
  const { offerAt } = await import('../project/lost-project.ts')
  const backup = offerAt(host, root)
  const { hasHistory } = await import('../project/git-ignore.ts')
  const isNew = !backup && !hasHistory(host, path.slice(0, path.lastIndexOf('/')))
  return refuse('store.missing', { path, ...(backup && { backup }), ...(isNew && { isNew }) })
}

/**
 * The size of the configuration that `cleo init` writes: `{}` and a line break. Every valid configuration of this size
 * is empty, so it is not read.
 */
const emptySize = 3

const loadConfig = async ({ files }: Host, path: string): Promise<Config> => {
  const size = files.sizeSeen(path)
  if (size === emptySize) return {}
  // Refuse anything but a regular file, because reading a named pipe would block forever.
  if (size === 0 && files.kind(path) === undefined)
    refuse('file.unreadable', { path, reason: 'it is not a regular file' })
  const { readConfig } = await import('../project/read-config.ts')
  return readConfig(path, (await files.load(path)) ?? '')
}

/**
 * After a command has changed the database, saves a copy in the user's state folder, at most once an hour. Waits
 * until the answer is printed before making the copy. Usually one `stat` shows that no copy is due.
 */
export const saveOutside = async (
  connection: Connection,
  printed: (() => Promise<unknown>) | undefined,
): Promise<void> => {
  const store = await connection.opened()
  if (!store?.project) return
  const { host } = connection
  const saved = outerFolder(host, store.project)
  if (saved === undefined || !isDue(host, saved)) return
  await printed?.()
  const { root, folder } = await connection.project()
  const { makeOuterBackup } = await import('../project/make-outer-backup.ts')
  await makeOuterBackup(host, { root, folder, store })
}
