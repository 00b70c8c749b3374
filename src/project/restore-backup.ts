import * as audit from '../audit/sql.ts'
import type { Host } from '../host/host.ts'
import { Refused, refuse } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'
import { databasePath } from '../store/open/choose-store.ts'
import { examine, projectIn } from '../store/sqlite/backup.ts'
import { backupFolder, stamp } from '../store/sqlite/backup-names.ts'
import { mark, markedIds } from '../store/sqlite/project-id.ts'
import { type RestoreOutcome, restoreSqlite } from '../store/sqlite/restore.ts'
import { ignoreText } from './git-ignore.ts'
import { newestBackup, outerProjectAt } from './lost-project.ts'
import { savedConfig } from './make-outer-backup.ts'
import { outerFolder, spawnedFile } from './outer-backups.ts'

type RestoreProject = Pick<Project, 'host' | 'folder' | 'actor' | 'dryRun'>

/**
 * Restores a backup that the caller has checked. The project keeps its id, which is in its database and in the name
 * of the mark file beside the database. If both are lost, the project takes the id of the backup.
 */
export const restoreBackup = async (project: RestoreProject, file: string): Promise<RestoreOutcome> => {
  const { host, folder, actor, dryRun } = project
  const path = databasePath(folder)
  const id = ownId(path) ?? projectIn(file)
  const outcome = await restoreSqlite({
    path,
    file,
    backups: backupFolder(folder),
    stamp: stamp(host.now()),
    unique: host.randomId(8),
    project: id,
    spawned: spawnedIds(host, folder, id),
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
  // `.gitignore` ignores itself, so `git clean -x` may have removed it together with the database.
  if (!dryRun) host.files.writeNew(`${folder}/.gitignore`, ignoreText('sqlite'), 0o644)
  if (id !== undefined && !dryRun && markedIds(path).length === 0) mark(path, id)
  return outcome
}

const ownId = (path: string): string | undefined => markedIds(path)[0] ?? projectIn(path)

/**
 * Returns the id of the other project to which a backup belongs. Returns undefined if the backup belongs to this
 * project. Also returns undefined if this project has no tasks yet, because in that case a restore replaces nothing.
 */
export const otherProject = ({ folder }: Pick<Project, 'folder'>, file: string): string | undefined => {
  const path = databasePath(folder)
  const own = ownId(path)
  const found = projectIn(file)
  if (own === undefined || found === undefined || own === found) return undefined
  return isNew(path, own) ? undefined : found
}

const isNew = (path: string, own: string): boolean => {
  try {
    return projectIn(path) === own && examine(path, { thorough: false }) === 0
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

const spawnedIds = (host: Host, folder: string, id: string | undefined): string[] => {
  const prompts = host.files.list(`${folder}/spawns`).map((name) => name.replace(/\.md$/, ''))
  const outer = id === undefined ? undefined : outerFolder(host, id)
  const noted = (outer && host.files.read(spawnedFile(outer))) || ''
  return [...prompts, ...noted.split('\n')]
}

export interface BroughtBack {
  restored: string
  tasks: number
}

/**
 * Restores the newest backup of a lost project from the user's state folder. Also restores the configuration if it is
 * gone.
 */
export const bringBackProject = async (
  project: Pick<Project, 'host' | 'root' | 'folder' | 'actor'>,
): Promise<BroughtBack> => {
  const { host, root, folder } = project
  const lost = outerProjectAt(host, root)
  const backup = lost && newestBackup(lost, { thorough: true })
  if (!backup) return refuse('project.unsaved', { root })
  const { tasks } = await restoreBackup({ ...project, dryRun: false }, backup.path)
  // Write the configuration last, because it makes the folder a project.
  host.files.writeNew(`${folder}/config.json`, host.files.read(savedConfig(lost.folder)) ?? '{}\n', 0o644)
  return { restored: backup.path, tasks }
}
