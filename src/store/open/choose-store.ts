import type { Host } from '../../host/host.ts'
import type { Config } from '../../kernel/config.ts'
import { refuse } from '../../kernel/result.ts'
import type { Store } from '../port.ts'
import { openSqlite } from '../sqlite/open.ts'

export type StoreAddress =
  | { kind: 'sqlite'; path: string }
  | { kind: 'postgres'; address: string; project: string }

export const databasePath = (folder: string): string => `${folder}/cleo.db`

/** Returns the address of the PostgreSQL database, if one is set. The environment overrides the configuration. */
export const postgresAddress = ({ env }: Host, config: Config): string | undefined =>
  env['CLEO_DATABASE_URL'] || config.database

/** Returns the address of the store that has the project's data. */
export const chosenStore = (host: Host, folder: string, config: Config): StoreAddress => {
  const address = postgresAddress(host, config)
  if (!address) return { kind: 'sqlite', path: databasePath(folder) }
  const { project } = config
  return project
    ? { kind: 'postgres', address, project }
    : refuse('project.unnamed', { where: 'the PostgreSQL database' })
}

export interface OpenOptions {
  now(): number
  /** A fast way to get the size of a file; 0 if there is no file. */
  size?(path: string): number
  wait: 'block' | 'retry'
  create?: boolean
  unlimited?: boolean
}

export const openStore = async (chosen: StoreAddress, options: OpenOptions): Promise<Store> => {
  if (chosen.kind === 'sqlite') return openSqlite(chosen.path, options)
  const { openPostgres } = await import('../postgres/open.ts')
  return openPostgres({ ...chosen, ...options })
}
