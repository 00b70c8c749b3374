import { findProject } from '../host/find-project.ts'
import { Config } from '../kernel/config.ts'
import { check, fitting } from '../kernel/problems.ts'
import { type Failure, fail, type Problem, Refused, refuse } from '../kernel/result.ts'
import type { Context, Project, World } from '../operation/context.ts'
import { writer } from '../operation/write.ts'
import { type Chosen, chosenStore, databasePath, openStore, postgresAddress } from '../store/choose-store.ts'

/** A project that may be ill: as much of it as can be read. */
export interface Patient extends Project {
  /** What is wrong with the configuration; `config` is what of it can be used. */
  configFaults: Problem[]
  /** The store as it is now. */
  state: StoreState
  /** With an open store. */
  context?: Context
}

export type StoreState =
  | { is: 'open' }
  /** It opens, but what it holds cannot be relied on. */
  | { is: 'damaged' }
  | { is: 'older'; schema: number }
  | { is: 'refused'; failure: Failure }
  /** Nobody can say where it is. */
  | { is: 'unknown' }

export const openPatient = async (world: World): Promise<Patient> => {
  const { root, found } = await findProject(world.host, world.named)
  if (!found) return refuse('project.missing', { from: root })
  const folder = `${root}/.cleo`
  const { config, faults } = readSettings(world, `${folder}/config.json`)
  const patient: Patient = {
    ...world,
    root,
    folder,
    config,
    configFaults: faults,
    state: { is: 'unknown' },
  }
  if (!isLocked(patient)) await openFor(patient)
  return patient
}

/** As much of the configuration as fits; the rest is told. */
const readSettings = ({ host }: World, path: string): { config: Config; faults: Problem[] } => {
  let json: unknown
  try {
    json = JSON.parse(host.files.read(path) ?? '')
  } catch (error) {
    const message = error instanceof Refused ? error.message : 'it is not JSON'
    return { config: {}, faults: [{ path: '', message }] }
  }
  const checked = check(Config, json)
  if (checked.ok) return { config: checked.value, faults: [] }
  return { config: (fitting(Config, json) ?? {}) as Config, faults: checked.problems }
}

/** Opens the store, if it can be; with `upgrade` also one that an older CLEO wrote. */
export const openFor = async (patient: Patient, upgrade = false): Promise<void> => {
  const { host, folder, config, configFaults } = patient
  const unread = configFaults.some(({ path }) => path === '')
  if (unread && (postgresAddress(host, {}) || !host.files.kind(databasePath(folder)))) return
  try {
    const chosen = chosenStore(host, folder, config)
    const schema = chosen.kind === 'sqlite' && !upgrade ? await olderSchema(chosen) : undefined
    patient.state = schema === undefined ? { is: 'open' } : { is: 'older', schema }
    if (schema !== undefined) return
    const store = await openStore(chosen, { now: host.now, wait: 'retry' })
    const context: Context = {
      ...patient,
      store,
      write: (work) => writer(context, 'admin.doctor')(work),
    }
    patient.context = context
  } catch (error) {
    // Whatever keeps it from being opened is what doctor was asked about.
    const failure =
      error instanceof Refused
        ? error.failure
        : fail('file.unreadable', { path: databasePath(folder), reason: (error as Error).message })
    patient.state = { is: 'refused', failure }
  }
}

const olderSchema = async ({ path }: Extract<Chosen, { kind: 'sqlite' }>): Promise<number | undefined> => {
  const { peekSchema } = await import('../store/sqlite/shape.ts')
  const { schemaVersion } = await import('../store/sqlite/checks.ts')
  const found = await peekSchema(path)
  return found < schemaVersion ? found : undefined
}

/** Nobody may look into the folder: then there is nothing else to ask. */
export const isLocked = ({ host, folder }: Patient): boolean =>
  host.files.kind(`${folder}/config.json`) === 'denied'
