import { indexOf } from '../git/git-folder.ts'
import { type RepositoryFile, repositoryState } from '../git/repository-state.ts'
import { lstatAt, statAt } from '../host/stat.ts'
import { contentMark, isOneOf, pathsIn } from '../host/work-tree.ts'
import type { Project } from '../operation/context.ts'
import { type EvidenceFolder, fromTop, toTop } from './evidence-folder.ts'
import type { FilesBefore } from './spawn-terms.ts'

/** At most this many files are recorded, because the record is stored with the spawn. */
const mostFiles = 500

/**
 * Records files before the first spawn of a task. In a shared folder with git, records the uncommitted files. The
 * spawn has to commit such a file only if the file changes. In a folder without git, records all files, so that CLEO
 * can later see which of them changed.
 */
export const recordFiles = async (
  { host }: Project,
  where: EvidenceFolder,
): Promise<FilesBefore | undefined> => {
  const { folder, top, git, isOutside, mayDiffer } = where
  if (!git) return marksOf(folder, firstOf(pathsIn(folder, isOutside)))
  // If there is no index, nothing was ever added to git. Record no file, so that every file counts as new.
  if (host.files.sizeSeen((await indexOf(host, top)) ?? '') === 0) return undefined
  const state = await repositoryState(host, top, { maySkip: true })
  if (!state) return undefined
  const open = state.open.flatMap(({ path, how }) =>
    mayDiffer(fromTop(where, path), how !== 'untracked') ? [] : [path],
  )
  const names = open.length > mostFiles ? foldersOf(open, state.files) : open
  const files = names.map((path) => fromTop(where, path))
  return files.length > 0 ? marksOf(folder, firstOf(files)) : undefined
}

const firstOf = (paths: Iterable<string>): string[] => {
  const found: string[] = []
  for (const path of paths) {
    found.push(path)
    if (found.length > mostFiles) break
  }
  return found
}

const marksOf = (folder: string, paths: readonly string[]): FilesBefore => ({
  marks: Object.fromEntries(
    paths
      .slice(0, mostFiles)
      .map((path) => [path, path.endsWith('/') ? '' : contentMark(`${folder}/${path}`)]),
  ),
  ...(paths.length > mostFiles && { more: true }),
})

/**
 * Replaces untracked files by whole folders where possible. An untracked file is replaced by the outermost folder
 * around it that has no tracked file, for example by a `node_modules` that is not ignored. If all folders around the
 * file have tracked files, the file itself is kept.
 */
const foldersOf = (open: readonly string[], files: ReadonlyMap<string, { tracked: boolean }>): string[] => {
  const tracked = new Set<string>()
  for (const [path, file] of files)
    if (file.tracked) for (const folder of foldersAround(path)) tracked.add(folder)
  return [
    ...new Set(
      open.map((path) =>
        files.get(path)?.tracked
          ? path
          : (foldersAround(path).find((folder) => !tracked.has(folder)) ?? path),
      ),
    ),
  ]
}

/** Outermost first, each with a slash at its end. */
const foldersAround = (path: string): string[] => {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, i) => `${parts.slice(0, i + 1).join('/')}/`)
}

/**
 * Returns a function that tells whether a file was already uncommitted before the spawn and has not changed since.
 */
export const unchangedSinceSpawn = (
  where: EvidenceFolder,
  files: ReadonlyMap<string, RepositoryFile>,
): ((path: string) => boolean) => {
  const { before, at = 0 } = where.terms ?? {}
  const marks = before?.marks ?? {}
  const isInFolder = isOneOf(Object.keys(marks).filter((name) => name.endsWith('/')))
  return (path) => {
    // A recorded folder has no hash. So a file in it counts as unchanged if its last change was before the spawn.
    // If `path` is a repository inside the folder, the last change of the repository's top folder is compared.
    if (isInFolder(path)) {
      const isUntracked = files.get(toTop(where, path))?.tracked === false
      return isUntracked && (lstatAt(`${where.folder}/${path}`)?.ctimeMs ?? at) < at
    }
    return Object.hasOwn(marks, path) && marks[path] === contentMark(`${where.folder}/${path}`)
  }
}

/** Whether a file of a folder without git is new or has changed since the task was first spawned. */
export const hasChanged = ({ folder, terms, spawn }: EvidenceFolder, path: string): boolean => {
  const { before, at = spawn?.at } = terms ?? {}
  if (!before || at === undefined) return true
  if (Object.hasOwn(before.marks, path)) return before.marks[path] !== contentMark(`${folder}/${path}`)
  // The file is not in the record. If the record has all files, the file is new. Otherwise the time of its last
  // change shows whether the file is new.
  return !before.more || isNewer(`${folder}/${path}`, at)
}

const isNewer = (path: string, at: number): boolean => (statAt(path)?.changed ?? 0) >= at
