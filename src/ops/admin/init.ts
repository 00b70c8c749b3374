import { basename, join } from 'node:path'
import * as v from 'valibot'
import { findProject, isBareRepository, isHome } from '../../host/find-project.ts'
import { fail, ok } from '../../model/result.ts'
import { databasePath } from '../connection.ts'
import { operation } from '../operation.ts'

const config = '{}\n'
const ignored = '# Everything here is local but the configuration.\n*\n!.gitignore\n!config.json\n'

export const init = operation({
  name: 'admin.init',
  kind: 'mutate',
  tier: 2,
  summary: 'Make this folder a CLEO project.',
  input: v.strictObject({}),
  output: () =>
    v.object({
      root: v.string(),
      store: v.literal('sqlite'),
      next: v.string(),
      noChange: v.optional(v.literal(true)),
    }),
  errors: ['project.bare', 'project.home'],
  needs: 'world',
  cli: { command: 'init', examples: ['cleo init'] },
  human: ({ root, next, noChange }, ink) => [
    noChange
      ? `${ink.cyan(root)} is a project already.`
      : `Made .cleo/ in ${ink.cyan(basename(root))} (SQLite).`,
    `  next: ${next}`,
  ],
  async run(_, { host, named, dryRun }) {
    const { root, found } = findProject(host, named)
    const answer = { root, store: 'sqlite' as const, next: 'cleo add "…" --type epic' }
    const folder = join(root, '.cleo')
    if (found && host.files.kind(databasePath(folder)) === 'file')
      return ok({ ...answer, noChange: true as const })
    if (isHome(host, root)) return fail('project.home', { at: root })
    if (isBareRepository(host, root)) return fail('project.bare', { at: root })
    if (found) {
      // A clone brings the configuration without the data: that is a project without a store yet.
      if (!dryRun) await makeStore(folder, host.randomId(8))
      return ok(answer)
    }
    if (dryRun) return ok(answer)
    host.files.makeFolder(folder, 0o700)
    host.files.writeNew(join(folder, '.gitignore'), ignored, 0o644)
    await makeStore(folder, host.randomId(8))
    // Last, for it is what makes the folder a project: a crash before leaves none.
    host.files.writeNew(join(folder, 'config.json'), config, 0o644)
    return ok(answer)
  },
})

const makeStore = async (folder: string, unique: string): Promise<void> => {
  const { createSqlite } = await import('../../store/sqlite/create.ts')
  createSqlite(databasePath(folder), unique)
}
