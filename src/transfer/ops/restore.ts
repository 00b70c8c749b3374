import { join, resolve } from 'node:path'
import * as v from 'valibot'
import * as audit from '../../audit/sql.ts'
import { fail, ok } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { describe, text } from '../../kernel/text.ts'
import { iso } from '../../kernel/time.ts'
import type { Project } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { databasePath, postgresAddress } from '../../store/open/choose-store.ts'
import { backupFolder, stamp } from '../../store/sqlite/backup-names.ts'

const backupShape = () =>
  v.object({
    file: v.string(),
    at: v.string(),
    bytes: v.number(),
    tasks: v.optional(v.number()),
    /** Why this backup cannot be restored. */
    invalid: v.optional(v.string()),
  })
type Backup = v.InferOutput<ReturnType<typeof backupShape>>

export const restore = operation({
  name: 'admin.restore',
  kind: 'mutate',
  tier: 2,
  summary: 'Restore a backup, after saving the current database as another backup.',
  input: v.strictObject({
    file: v.optional(describe(text(4096), 'a backup, by path or by its name in .cleo/backups/')),
    list: v.optional(describe(v.boolean(), 'list the backups, newest first')),
  }),
  output: () =>
    v.union([
      v.object({ backups: v.array(backupShape()) }),
      v.object({ restored: v.string(), tasks: v.number(), kept: v.optional(v.string()) }),
    ]),
  errors: ['input.invalid', 'backup.invalid', 'file.exists', 'store.server'],
  needs: 'project',
  personOnly: ({ list }) => list !== true,
  cli: {
    command: 'restore',
    positional: ['file'],
    examples: ['cleo restore --list', 'cleo restore cleo-2026-01-31T12-00-00Z.db'],
  },
  human: (data, style) =>
    'backups' in data
      ? drawBackups(data.backups, style)
      : [
          `Restored ${data.tasks} ${data.tasks === 1 ? 'task' : 'tasks'} from ${style.cyan(data.restored)}`,
          ...(data.kept ? [`  previous database saved as ${data.kept}`] : []),
        ],
  async run({ file, list }, project) {
    if (postgresAddress(project.host, project.config) && !list) {
      return fail('store.server', { where: 'PostgreSQL', verb: 'restore' })
    }
    const { describeBackup } = await import('../../store/sqlite/backup.ts')
    if (list && file === undefined) {
      const backups = namesIn(project).flatMap((name) => {
        const found = describeBackup(join(backupFolder(project.folder), name), { thorough: false })
        return found ? [{ ...found, file: name }] : []
      })
      backups.sort((a, b) => b.at - a.at || (a.file < b.file ? 1 : -1))
      return ok({ backups: backups.map(({ file, at, ...more }) => ({ file, at: iso(at), ...more })) })
    }
    if (file === undefined || list) {
      const message = list ? 'cannot be used with --list' : 'is missing'
      return fail('input.invalid', { problems: [{ path: 'file', message, fix: 'cleo restore --list' }] })
    }
    const path = backupPath(project, file)
    const found = describeBackup(path, { thorough: true })
    const invalid = found ? (isPresent(project, path) ?? found.invalid) : 'there is no such file'
    if (invalid) return fail('backup.invalid', { path, reason: invalid })
    return ok({ restored: path, ...(await restoreFile(project, path)) })
  },
})

const namesIn = ({ host, folder }: Project): string[] =>
  host.files.list(backupFolder(folder)).filter((name) => name.endsWith('.db'))

const backupPath = ({ host, folder }: Project, file: string): string => {
  const path = resolve(host.cwd, file)
  const named = join(backupFolder(folder), file)
  return !host.files.kind(path) && host.files.kind(named) ? named : path
}

const isPresent = ({ host, folder }: Project, path: string): string | undefined => {
  const present = databasePath(folder)
  const same = host.files.kind(present) && host.files.realPath(present) === host.files.realPath(path)
  return same ? 'it is the current database' : undefined
}

const restoreFile = async ({ host, folder, actor, dryRun }: Project, file: string) => {
  const { restoreSqlite } = await import('../../store/sqlite/restore.ts')
  return restoreSqlite({
    path: databasePath(folder),
    file,
    backups: backupFolder(folder),
    stamp: stamp(host.now()),
    unique: host.randomId(8),
    now: host.now,
    record: (db, kept) =>
      audit.append(db, {
        at: host.now(),
        actor: actor.id,
        session: null,
        operation: 'admin.restore',
        task: null,
        before: kept ? JSON.stringify({ kept }) : null,
        after: JSON.stringify({ restored: file }),
      }),
    dryRun,
  })
}

const drawBackups = (backups: readonly Backup[], style: Style): string[] =>
  backups.length === 0
    ? [style.dim('There are no backups yet; cleo backup makes one.')]
    : style.table(
        backups.map(({ file, at, bytes, tasks, invalid }) => [
          style.cyan(file),
          at,
          invalid ? style.red(invalid) : `${tasks} ${tasks === 1 ? 'task' : 'tasks'}`,
          `${bytes} bytes`,
        ]),
        2,
      )
