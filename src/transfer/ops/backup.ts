import { resolve } from 'node:path'
import * as v from 'valibot'
import { fail, ok, refuse } from '../../kernel/result.ts'
import { describe, text } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { databasePath, postgresAddress } from '../../store/open/choose-store.ts'
import { backupFolder, freeName, stamp } from '../../store/sqlite/backup-names.ts'

export const backup = operation({
  name: 'admin.backup',
  kind: 'mutate',
  tier: 2,
  summary: 'Back up the database to a file while agents keep working.',
  input: v.strictObject({
    out: v.optional(describe(text(4096), 'file to create (default: a new one in .cleo/backups/)')),
  }),
  output: () => v.object({ path: v.string(), tasks: v.number(), bytes: v.number() }),
  errors: ['file.exists', 'store.server'],
  writesTo: 'out',
  cli: { command: 'backup', examples: ['cleo backup', 'cleo backup --out ../shop-friday.db'] },
  human: ({ path, tasks, bytes }, style) => [
    `Saved ${tasks} ${tasks === 1 ? 'task' : 'tasks'} (${bytes} bytes) in ${style.cyan(path)}`,
  ],
  async run({ out }, { host, folder, config, store, dryRun }) {
    if (postgresAddress(host, config)) return fail('store.server', { where: store.where, verb: 'backup' })
    if (store.onlyReads) refuse(store.onlyReads, { path: databasePath(folder) })
    const { saveSqlite } = await import('../../store/sqlite/backup.ts')
    const save = (target: string) =>
      saveSqlite(databasePath(folder), target, { unique: host.randomId(8), dryRun })
    if (out !== undefined) {
      const path = resolve(host.cwd, out)
      const saved = host.files.kind(path) ? undefined : save(path)
      return saved ? ok({ path, ...saved }) : fail('file.exists', { path })
    }
    const backups = backupFolder(folder)
    host.files.makeFolder(backups, 0o700)
    // If another process takes the file name first, try the next name.
    for (;;) {
      const path = freeName(backups, `cleo-${stamp(host.now())}`)
      const saved = save(path)
      if (saved) return ok({ path, ...saved })
    }
  },
})
