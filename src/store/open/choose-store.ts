import type { Host } from '../../host/host.ts'
import type { ActingConfig } from '../../kernel/config.ts'
import { refuse } from '../../kernel/result.ts'
import type { Store } from '../port.ts'
import { openSqlite } from '../sqlite/open.ts'
import { markOf } from '../sqlite/project-mark.ts'

export type StoreAddress =
  | { kind: 'sqlite'; path: string }
  | { kind: 'postgres'; address: string; project: string }

export const databasePath = (folder: string): string => `${folder}/cleo.db`

/**
 * The environment overrides the configuration. Refuses an address that no person has trusted: otherwise a cloned
 * repository could make CLEO send credentials to any server.
 */
export const postgresAddress = ({ env }: Host, config: ActingConfig): string | undefined => {
  const chosen = env['CLEO_DATABASE_URL'] || config.database
  if (chosen || !config.untrusted) return chosen
  const untrusted = config.untrusted.find(({ name }) => name === 'database')
  return untrusted && refuse('database.untrusted', untrusted.removed ? {} : { address: untrusted.what })
}

export const chosenStore = (host: Host, folder: string, config: ActingConfig): StoreAddress => {
  const address = postgresAddress(host, config)
  if (!address) return { kind: 'sqlite', path: databasePath(folder) }
  const { project } = config
  return project
    ? { kind: 'postgres', address, project }
    : refuse('project.unnamed', { where: 'the PostgreSQL database' })
}

export interface OpenOptions {
  now(): number
  /** Returns the size of a file quickly; 0 if there is no file. */
  size?(path: string): number
  wait: 'block' | 'retry'
  create?: boolean
  unlimited?: boolean
  /** Can refuse a database file because of the project id in it. Called before the database is migrated or used. */
  admit?(id: string | undefined): Promise<void> | undefined
}

export const openStore = async (chosen: StoreAddress, options: OpenOptions): Promise<Store> => {
  if (chosen.kind === 'sqlite') {
    const store = await openSqlite(chosen.path, { ...options, ofProject: true })
    const { project } = store
    if (project === undefined || (project && options.size?.(markOf(chosen.path, project)))) return store
    const { settleProject } = await import('../sqlite/project-id.ts')
    return settleProject(store, chosen.path)
  }
  const { openPostgres } = await import('../postgres/open.ts')
  return openPostgres({ ...chosen, ...options })
}
