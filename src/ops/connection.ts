import { join } from 'node:path'
import { findProject } from '../host/find-project.ts'
import type { Host } from '../host/host.ts'
import { Config } from '../model/config.ts'
import { check } from '../model/problems.ts'
import { refuse } from '../model/result.ts'
import type { Store } from '../store/port.ts'

export interface OpenedProject {
  root: string
  folder: string
  config: Config
}

/** A project and its store, found and opened when first asked for, and kept. */
export interface Connection {
  host: Host
  named?: string
  project(): OpenedProject
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
  const connection: Connection = {
    host,
    named,
    project: () => (project ??= openProject(host, named)),
    store: () =>
      (store ??= import('../store/sqlite/open.ts').then(({ openSqlite }) =>
        openSqlite(databasePath(connection.project().folder), { now: host.now, wait }),
      )),
    close: async () => {
      await (await store)?.close()
      store = undefined
    },
  }
  return connection
}

export const databasePath = (folder: string): string => join(folder, 'cleo.db')

const openProject = (host: Host, named: string | undefined): OpenedProject => {
  const { root, found } = findProject(host, named)
  if (!found) return refuse('project.missing', { from: root })
  const folder = join(root, '.cleo')
  return { root, folder, config: readConfig(host, join(folder, 'config.json')) }
}

export const readConfig = (host: Host, path: string): Config => {
  const text = host.files.read(path) ?? '{}'
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return refuse('config.invalid', { path, problems: [{ path: '', message: `not JSON: ${(error as Error).message}` }] })
  }
  const checked = check(Config, json)
  return checked.ok ? checked.value : refuse('config.invalid', { path, problems: checked.problems })
}
