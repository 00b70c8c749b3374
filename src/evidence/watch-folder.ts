import { headOf } from '../git/repository.ts'
import { isSameStat, type RepositoryFile, repositoryFiles } from '../git/repository-state.ts'
import { contentAt, hashKind } from '../host/content-at.ts'
import { differences, isOneOf, treeAt, treeHash } from '../host/work-tree.ts'
import { pathMatcher } from '../kernel/path-pattern.ts'
import type { Context } from '../operation/context.ts'
import { type EvidenceFolder, fromTop } from './evidence-folder.ts'
import { otherOwners } from './uncommitted-work.ts'

export type WatchedFiles = ReadonlyMap<string, RepositoryFile>

/** Notices which files of a folder change while a command runs. Can be used for several commands in turn. */
export interface FolderWatch {
  begin(): void
  end(): Promise<FolderChanges>
}

interface FolderChanges {
  /** Set if CLEO cannot tell which files the command saw, for example because they changed during the run. */
  moved?: { what: string; then: string }
  /** Untracked files that this run or an earlier run wrote. */
  made: string[]
  /** Hash of the folder's files. Set only if the folder is watched without git. */
  tree?: string
  warnings: string[]
}

interface Watched {
  task: string
  /** Untracked files that earlier runs wrote. */
  made: readonly string[]
  before?: WatchedFiles
}

export const watchFolder = (context: Context, where: EvidenceFolder, watched: Watched): FolderWatch =>
  where.git && watched.before
    ? watchRepository(context, where, watched, watched.before)
    : watchPlainFolder(where, watched)

/** Without git, CLEO cannot tell source files from others, so every file that a run writes counts as a by-product. */
const watchPlainFolder = ({ folder, isOutside }: EvidenceFolder, { made }: Watched): FolderWatch => {
  let before = new Map() as ReturnType<typeof treeAt>
  return {
    begin() {
      before = treeAt(folder, isOutside)
    },
    async end() {
      const after = treeAt(folder, isOutside)
      const written = [...new Set([...made, ...differences(before, after)])]
      return { made: written, tree: treeHash(after, written), warnings: [] }
    },
  }
}

/**
 * Compares the stat data of files. This also detects a file that was changed and then restored, because no program
 * can reset a file's ctime.
 */
const watchRepository = (
  context: Context,
  where: EvidenceFolder,
  { task, made }: Watched,
  first: WatchedFiles,
): FolderWatch => {
  const { host, config, store } = context
  const isByProduct = pathMatcher(config.gates?.byproducts ?? [])
  const isMade = isOneOf(made)
  let before = first
  return {
    begin: () => undefined,
    async end() {
      const after = await repositoryFiles(host, where.top)
      const head = (await headOf(host, where.folder)) ?? (await where.git!.commit('HEAD'))
      const again = 'run the command again'
      if (!after) return { moved: { what: 'git failed', then: again }, made: [], warnings: [] }
      const changes = changesBetween(where, before, after).filter(
        ({ path, how }) => !where.mayDiffer(path, how !== 'written') && !isByProduct(path),
      )
      const untracked = [...after].flatMap(([path, file]) => (file.tracked ? [] : [fromTop(where, path)]))
      const written = new Set(changes.filter(({ how }) => how === 'written').map(({ path }) => path))
      const tracked = changes.filter(({ how }) => how !== 'written')
      const ownerOf =
        where.isShared && tracked.length > 0 ? await otherOwners(store, where, task) : () => undefined
      const moved = tracked.find(({ path }) => !ownerOf(path))
      before = after
      return {
        ...(head !== where.head
          ? { moved: { what: 'HEAD moved', then: again } }
          : moved && { moved: { what: `${moved.path} ${moved.how}`, then: adviceFor(moved) } }),
        made: untracked.filter((path) => written.has(path) || isMade(path)),
        warnings: tracked.flatMap(({ path, how }) => {
          const owner = ownerOf(path)
          return owner ? [`${path}, declared by ${owner}, ${how} during the run`] : []
        }),
      }
    },
  }
}

interface FileChange {
  path: string
  how: 'written' | 'changed' | 'was rewritten' | 'was deleted' | 'was added to git'
}

const adviceFor = ({ how }: FileChange): string =>
  how === 'was rewritten'
    ? 'its content is the same as before, but the command may have read other content. Run the command again while nothing else writes to the folder; if the command itself writes the file, a person can list it in gates.byproducts'
    : 'run the command again; if the command itself writes the file, remove the file from git, or ask a person to list it in gates.byproducts'

const changesBetween = (where: EvidenceFolder, before: WatchedFiles, after: WatchedFiles): FileChange[] => {
  const found: FileChange[] = []
  for (const [path, file] of after) {
    const then = before.get(path)
    if (then && isSameStat(then.stat, file.stat) && then.tracked === file.tracked) continue
    if (!file.tracked && !then?.tracked) found.push({ path: fromTop(where, path), how: 'written' })
    else found.push({ path: fromTop(where, path), how: howChanged(`${where.top}/${path}`, then, file) })
  }
  for (const [path, { tracked }] of before)
    if (tracked && !after.has(path)) found.push({ path: fromTop(where, path), how: 'was deleted' })
  return found
}

const howChanged = (
  place: string,
  then: RepositoryFile | undefined,
  now: RepositoryFile,
): FileChange['how'] => {
  if (!then?.tracked) return 'was added to git'
  if (!now.stat) return 'was deleted'
  return contentAt(place, hashKind(then.blob))?.blob === then.blob ? 'was rewritten' : 'changed'
}
