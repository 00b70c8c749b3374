import { refuseOwnLinks } from '../host/node-own-links.ts'
import { checkInput } from '../kernel/check-input.ts'
import { Config } from '../kernel/config.ts'
import { type Failure, fail, type Problem, Refused } from '../kernel/result.ts'
import { validParts } from '../kernel/valid-parts.ts'
import type { Context, Project, World } from '../operation/context.ts'
import { writer } from '../operation/write.ts'
import { findProject } from '../project/find-project.ts'
import { admission } from '../project/known-database.ts'
import { missingProject } from '../project/lost-project.ts'
import { actingConfig } from '../project/settings.ts'
import {
  chosenStore,
  databasePath,
  openStore,
  postgresAddress,
  type StoreAddress,
} from '../store/open/choose-store.ts'

export interface ExaminedProject extends Project {
  /** Problems in the configuration. `config` holds only the valid settings. */
  configFaults: Problem[]
  state: StoreState
  /** Set once the store is open. */
  context?: Context
}

export type StoreState =
  | { is: 'open' }
  /** The store opens, but its content can be wrong. */
  | { is: 'damaged' }
  | { is: 'older'; schema: number }
  | { is: 'refused'; failure: Failure }
  /** The configuration does not say where the store is. */
  | { is: 'unknown' }

export const openProject = async (world: World): Promise<ExaminedProject> => {
  const { root, found } = await findProject(world.host, world.named)
  if (!found) throw new Refused(missingProject(world.host, root))
  const folder = `${root}/.cleo`
  const { config: written, faults } = readSettings(world, `${folder}/config.json`)
  const project: ExaminedProject = {
    ...world,
    root,
    folder,
    config: actingConfig({ host: world.host, root, written }),
    written,
    configFaults: faults,
    state: { is: 'unknown' },
  }
  if (!isLocked(project)) await openProjectStore(project)
  return project
}

const readSettings = ({ host }: World, path: string): { config: Config; faults: Problem[] } => {
  let json: unknown
  try {
    json = JSON.parse(host.files.read(path) ?? '')
  } catch (error) {
    const message = error instanceof Refused ? error.message : 'it is not JSON'
    return { config: {}, faults: [{ path: '', message }] }
  }
  const checked = checkInput(Config, json)
  if (checked.ok) return { config: checked.value, faults: [] }
  return { config: (validParts(Config, json) ?? {}) as Config, faults: checked.problems }
}

/**
 * Opens the store if possible. Opening an older store also migrates it. An older SQLite store is opened only with
 * `upgrade`. An older PostgreSQL store is always opened.
 */
export const openProjectStore = async (project: ExaminedProject, upgrade = false): Promise<void> => {
  const { host, folder, config, configFaults } = project
  const unread = configFaults.some(({ path }) => path === '')
  if (unread && (postgresAddress(host, {}) || !host.files.kind(databasePath(folder)))) return
  try {
    refuseOwnLinks(databasePath(folder))
    const chosen = chosenStore(host, folder, config)
    const schema = chosen.kind === 'sqlite' && !upgrade ? await olderSchema(chosen) : undefined
    project.state = schema === undefined ? { is: 'open' } : { is: 'older', schema }
    if (schema !== undefined) return
    const admit = admission(project)
    const store = await openStore(chosen, { now: host.now, wait: 'retry', admit })
    const context: Context = {
      ...project,
      store,
      write: (work) => writer(context, 'admin.doctor')(work),
    }
    project.context = context
  } catch (error) {
    // Return the failure instead of throwing it: doctor reports why the store cannot be opened.
    const failure =
      error instanceof Refused
        ? error.failure
        : fail('file.unreadable', { path: databasePath(folder), reason: (error as Error).message })
    project.state = { is: 'refused', failure }
  }
}

const olderSchema = async ({
  path,
}: Extract<StoreAddress, { kind: 'sqlite' }>): Promise<number | undefined> => {
  const { peekSchema } = await import('../store/sqlite/schema-differences.ts')
  const { schemaVersion } = await import('../store/generated/schema-version.ts')
  const found = await peekSchema(path)
  return found < schemaVersion ? found : undefined
}

/**
 * True if this user may not read `.cleo/`. In that case doctor runs only one check, `config`, which reports the missing
 * permission.
 */
export const isLocked = ({ host, folder }: ExaminedProject): boolean =>
  host.files.kind(`${folder}/config.json`) === 'denied'
