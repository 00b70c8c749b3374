import { basename, join, resolve } from 'node:path'
import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { parseTaskId } from '../../kernel/task-id.ts'
import { describe, text } from '../../kernel/text.ts'
import { formatMinute, iso } from '../../kernel/time.ts'
import type { Project } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { databasePath, postgresAddress } from '../../store/open/choose-store.ts'
import { backupFolder } from '../../store/sqlite/backup-names.ts'
import { formatBytes } from '../../worktrees/space.ts'

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
    file: v.optional(
      describe(text(4096), 'the backup: its path, or its name from --list; required without --list'),
    ),
    list: v.optional(describe(v.boolean(), 'list the backups, newest first')),
    otherProject: v.optional(
      describe(v.boolean(), 'replace the tasks of this project with a backup of another project'),
    ),
  }),
  output: () =>
    v.union([
      v.object({ backups: v.array(backupShape()) }),
      v.object({ restored: v.string(), tasks: v.number(), kept: v.optional(v.string()) }),
    ]),
  errors: ['input.invalid', 'backup.invalid', 'backup.other', 'file.exists', 'store.server'],
  needs: 'project',
  personOnly: { unless: ['list'] },
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
  async run({ file, list, otherProject }, project) {
    if (postgresAddress(project.host, project.config) && !list) {
      return fail('store.server', { where: 'PostgreSQL', verb: 'restore' })
    }
    const { describeBackup } = await import('../../store/sqlite/backup.ts')
    const outer = await outerPaths(project)
    if (list && file === undefined) {
      const inside = namesIn(project).map((name) => [join(backupFolder(project.folder), name), name] as const)
      const backups = [...inside, ...outer.map((path) => [path, path] as const)].flatMap(([path, file]) => {
        const found = describeBackup(path, { thorough: false })
        return found ? [{ ...found, file }] : []
      })
      backups.sort((a, b) => b.at - a.at || (a.file < b.file ? 1 : -1))
      return ok({ backups: backups.map(({ file, at, ...more }) => ({ file, at: iso(at), ...more })) })
    }
    if (file === undefined || list) {
      const message = list ? 'cannot be used with --list' : 'is missing'
      return fail('input.invalid', { problems: [{ path: 'file', message, fix: 'cleo restore --list' }] })
    }
    const path = backupPath(project, file, outer)
    const found = describeBackup(path, { thorough: true })
    const invalid = found ? (isPresent(project, path) ?? found.invalid) : 'there is no such file'
    const task = found ? undefined : parseTaskId(file)
    if (invalid) return fail('backup.invalid', { path, reason: invalid, ...(task && { task }) })
    const { otherProject: projectOf, restoreBackup } = await import('../../project/restore-backup.ts')
    const other = projectOf(project, path)
    if (other !== undefined && !otherProject) return fail('backup.other', { path, found: other })
    return ok({ restored: path, ...(await restoreBackup(project, path)) })
  },
})

const namesIn = ({ host, folder }: Project): string[] =>
  host.files.list(backupFolder(folder)).filter((name) => name.endsWith('.db'))

/** The backups in the user's state folder remain when the project's own folder is deleted. */
const outerPaths = async ({ host, root }: Project): Promise<string[]> =>
  (await import('../../project/lost-project.ts')).outerProjectAt(host, root)?.paths ?? []

const backupPath = ({ host, folder }: Project, file: string, outer: readonly string[]): string => {
  const path = resolve(host.cwd, file)
  if (host.files.kind(path)) return path
  const named = [join(backupFolder(folder), file), ...outer.filter((each) => basename(each) === file)]
  return named.find((each) => host.files.kind(each)) ?? path
}

const isPresent = ({ host, folder }: Project, path: string): string | undefined => {
  const present = databasePath(folder)
  const same = host.files.kind(present) && host.files.realPath(present) === host.files.realPath(path)
  return same ? 'it is the current database' : undefined
}

const drawBackups = (backups: readonly Backup[], style: Style): string[] =>
  backups.length === 0
    ? [style.dim('There are no backups yet; cleo backup makes one.')]
    : style.table(
        backups.map(({ file, at, bytes, tasks, invalid }) => [
          formatMinute(at),
          invalid ? style.red(invalid) : `${tasks} ${tasks === 1 ? 'task' : 'tasks'}`,
          formatBytes(bytes),
          style.cyan(file),
        ]),
        3,
      )
