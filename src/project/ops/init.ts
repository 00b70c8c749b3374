import { basename, join } from 'node:path'
import * as v from 'valibot'
import { findProject, isHome } from '../../host/find-project.ts'
import type { Host } from '../../host/host.ts'
import { setMode } from '../../host/permissions.ts'
import { isBareRepository } from '../../host/repository.ts'
import type { Config } from '../../kernel/config.ts'
import { fail, ok, Refused, refuse } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import { chosenStore, databasePath, openStore, postgresAddress } from '../../store/open/choose-store.ts'
import { ignored } from '../git-ignore.ts'
import { readConfig } from '../read-config.ts'

export const init = operation({
  name: 'admin.init',
  kind: 'mutate',
  tier: 2,
  summary: 'Make this folder a CLEO project.',
  input: v.strictObject({}),
  output: () =>
    v.object({
      root: v.string(),
      store: v.picklist(['sqlite', 'postgres']),
      next: v.string(),
      noChange: v.optional(v.literal(true)),
    }),
  errors: ['project.bare', 'project.home', 'store.missing'],
  needs: 'world',
  cli: { command: 'init', examples: ['cleo init'] },
  human: ({ root, store, next, noChange }, style) => [
    noChange
      ? `${style.cyan(root)} is already a project.`
      : `Made .cleo/ in ${style.cyan(basename(root))} (${store === 'sqlite' ? 'SQLite' : 'PostgreSQL'}).`,
    `  next: ${next}`,
  ],
  async run(_, { host, named, dryRun }) {
    const { root, found } = await findProject(host, named)
    if (!found && isHome(host, root)) return fail('project.home', { at: root })
    if (!found && isBareRepository(host, root)) return fail('project.bare', { at: root })
    const folder = join(root, '.cleo')
    const path = join(folder, 'config.json')
    const config: Config = found ? readConfig(path, host.files.read(path) ?? '') : {}
    const address = postgresAddress(host, config)
    const answer = {
      root,
      store: address ? ('postgres' as const) : ('sqlite' as const),
      next: 'cleo add "…" --type epic',
    }
    if (found && (await hasStore(host, folder, config))) return ok({ ...answer, noChange: true as const })
    if (found && hasHistory(host, folder)) return fail('store.missing', { path: databasePath(folder) })
    if (dryRun) return ok(answer)

    host.files.makeFolder(folder, 0o700)
    // In a clone, git created the folder with the default mode.
    setMode(folder, 0o700)
    host.files.writeNew(join(folder, '.gitignore'), ignored, 0o644)
    const project = config.project ?? host.randomId(12)
    if (address)
      await (
        await openStore({ kind: 'postgres', address, project }, { ...host, wait: 'block', create: true })
      ).close()
    else await createDatabase(folder, host.randomId(8))
    // Written last, because this file makes the folder a project: an earlier crash leaves no half-made project.
    const text = address ? `${JSON.stringify({ ...config, project }, null, 2)}\n` : '{}\n'
    if (!found) host.files.writeNew(path, text, 0o644)
    else if (address && !config.project) host.files.replace(path, text, 0o644)
    return ok(answer)
  },
})

const hasStore = async (host: Host, folder: string, config: Config): Promise<boolean> => {
  if (!postgresAddress(host, config)) return host.files.kind(databasePath(folder)) === 'file'
  if (!config.project) return refuse('project.unnamed', { where: 'the PostgreSQL database' })
  try {
    await (await openStore(chosenStore(host, folder, config), { ...host, wait: 'block' })).close()
    return true
  } catch (error) {
    if (error instanceof Refused && error.failure.code === 'store.empty') return false
    throw error
  }
}

/** True if the folder is more than a fresh clone. An empty database must not replace lost data. */
const hasHistory = (host: Host, folder: string): boolean =>
  host.files.list(folder).some((name) => name !== 'config.json' && name !== '.gitignore')

const createDatabase = async (folder: string, unique: string): Promise<void> => {
  const { createSqlite } = await import('../../store/sqlite/create.ts')
  createSqlite(databasePath(folder), unique)
}
