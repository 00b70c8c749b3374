import type { Host } from '../host/host.ts'
import { stateFolder } from '../host/user-folders.ts'
import { type Failure, fail, Refused } from '../kernel/result.ts'
import { parseTaskId, taskNumber } from '../kernel/task-id.ts'
import { iso } from '../kernel/time.ts'
import { shellQuote } from '../print/shell-quote.ts'
import { databasePath } from '../store/open/choose-store.ts'
import { type BackupFile, describeBackup } from '../store/sqlite/backup.ts'
import { markedIds } from '../store/sqlite/project-id.ts'
import { isProjectId } from '../store/sqlite/project-mark.ts'
import { spawnedFile } from './outer-backups.ts'

export interface OuterBackup extends BackupFile {
  path: string
}

/** A project that has backups in the user's state folder. */
export interface OuterProject {
  id: string
  root: string
  folder: string
  /** The paths of its backups, newest first. */
  paths: string[]
}

const mostProjects = 2000

/** A folder that cannot be read counts as empty. */
const outerProjects = (host: Host): OuterProject[] => {
  const state = stateFolder(host)
  if (state === undefined) return []
  const ids = namesIn(host, state).filter(isProjectId).slice(0, mostProjects)
  return ids.flatMap((id) => {
    const folder = `${state}/${id}`
    const root = textOf(host, `${folder}/root`)
    const paths = outerPaths(host, folder)
    return root !== undefined && paths.length > 0 ? [{ id, root, folder, paths }] : []
  })
}

/** The newest backup comes first, because the names contain the times. */
export const outerPaths = (host: Host, folder: string): string[] =>
  namesIn(host, `${folder}/backups`)
    .filter((name) => name.endsWith('.db'))
    .reverse()
    .map((name) => `${folder}/backups/${name}`)

const namesIn = (host: Host, folder: string): string[] => unlessRefused(() => host.files.list(folder)) ?? []

const textOf = (host: Host, path: string): string | undefined =>
  unlessRefused(() => host.files.read(path)?.replace(/\n$/, ''))

const unlessRefused = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

const newest = (projects: readonly OuterProject[]): OuterProject | undefined =>
  projects.toSorted((a, b) => (nameOf(a) < nameOf(b) ? 1 : -1))[0]
const nameOf = ({ paths }: OuterProject): string => paths[0]!.slice(paths[0]!.lastIndexOf('/'))

/**
 * Finds the project of this folder in the user's state folder, with its backups. Beside the project's database
 * there is a mark file whose name has the project id. Searches by this id, or else by the path of the folder.
 */
export const outerProjectAt = (host: Host, root: string): OuterProject | undefined => {
  const marked = markedIds(databasePath(`${root}/.cleo`))
  const all = outerProjects(host)
  return (
    newest(all.filter(({ id }) => marked.includes(id))) ?? newest(all.filter((each) => each.root === root))
  )
}

/** Returns the newest of a project's backups that can be restored. */
export const newestBackup = (
  { paths }: OuterProject,
  options: { thorough: boolean },
): OuterBackup | undefined => {
  for (const path of paths) {
    const found = describeBackup(path, options)
    if (found && found.invalid === undefined) return { path, ...found }
  }
  return undefined
}

export interface BackupOffer {
  root: string
  path: string
  at: string
  tasks: number
  missing?: string[]
}

/** Returns the backup from which a lost project in this folder can be restored; undefined without a backup. */
export const offerAt = (host: Host, root: string): BackupOffer | undefined => {
  const project = outerProjectAt(host, root)
  const backup = project && newestBackup(project, { thorough: false })
  if (!backup) return undefined
  const { path, at, tasks = 0 } = backup
  const missing = spawnedLater(host, project!.folder, tasks)
  return { root, path, at: iso(at), tasks, ...(missing.length > 0 && { missing }) }
}

const mostMissing = 10

/**
 * Returns spawned tasks that are missing in a backup with this many tasks. Ids count up and no task is ever
 * deleted, so a backup with 3 tasks has T001 to T003.
 */
const spawnedLater = (host: Host, folder: string, tasks: number): string[] => {
  const ids = (textOf(host, spawnedFile(folder)) ?? '').split('\n').map((id) => id.replace(/\..*$/, ''))
  const later = ids.filter((id) => parseTaskId(id) && taskNumber(id) > tasks)
  return [...new Set(later)].slice(0, mostMissing)
}

/** If this folder or a folder above it once had a project, the refusal names the command that restores that project. */
export const missingProject = (host: Host, from: string): Failure<'project.missing'> => {
  const roots = new Set(outerProjects(host).map(({ root }) => root))
  for (let root = from; ; root = root.slice(0, root.lastIndexOf('/')) || '/') {
    const isGone = roots.has(root) && !host.files.kind(databasePath(`${root}/.cleo`))
    const offer = isGone ? offerAt(host, root) : undefined
    if (offer) return fail('project.missing', { from, lost: { ...offer, fix: initRestore(host, root) } })
    if (root === '/' || root === '') return fail('project.missing', { from })
  }
}

const initRestore = ({ cwd }: Host, root: string): string =>
  `cleo init --restore${root === cwd ? '' : ` --project ${shellQuote(root)}`}`
