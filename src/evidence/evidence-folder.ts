import type { SpawnRow } from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import { type Git, gitAt } from '../git/git.ts'
import { headOf, topOfRepository } from '../git/repository.ts'
import type { StartedComparison } from '../git/start-comparison.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import type { Problem } from '../kernel/result.ts'
import type { Context, Project } from '../operation/context.ts'
import { workFolder, workFoldersIn } from '../output/work-folders.ts'
import { shellQuote } from '../print/shell-quote.ts'
import { type SpawnTerms, termsOf } from './spawn-terms.ts'

/** The folder in which evidence is checked, and its git repository. */
export interface EvidenceFolder {
  folder: string
  /** Runs git commands at the top of the repository; undefined if the folder is not in a repository. */
  git?: Git
  /** The top of the repository; the folder itself if there is no repository. */
  top: string
  /** The problem to report if the task was spawned in a git repository, but the folder is no longer in one. */
  lost?: string
  /** The commit that is checked out now; undefined before the first commit. */
  head?: string
  /** The latest spawn of the task, and the terms that were stored with it. */
  spawn?: Pick<SpawnRow, 'id' | 'at'>
  terms?: SpawnTerms
  /** True if the spawn has no worktree, so people and other agents can change files in the same folder. */
  isShared: boolean
  /** True for a path that does not belong to the work of the task. The path is relative to the folder. */
  isOutside(path: string): boolean
  /** True for a file that need not equal HEAD. The path is relative to the folder. */
  mayDiffer(path: string, isTracked: boolean): boolean
  /** The comparison with HEAD, if it was started early. */
  started?: StartedComparison
}

/**
 * Returns the worktree of the spawn, even if the command runs in another folder. For a spawn without a worktree,
 * returns the caller's folder. If the worktree is gone, returns a problem, because the work of the spawn cannot be
 * checked in another folder.
 */
export const evidenceFolderFor = async (
  context: Context,
  spawn: SpawnRow | undefined,
): Promise<{ where: EvidenceFolder; problems: Problem[] }> => {
  const options = optionsOf(spawn)
  const folder = await workFolder(context, options)
  const given = options?.worktree
  const problems = given !== undefined && given !== folder ? [goneWorktree(context, spawn!, given)] : []
  return { where: await evidenceFolderAt(context, folder, spawn), problems }
}

const goneWorktree = ({ root }: Project, spawn: SpawnRow, folder: string): Problem => {
  const { id } = spawn
  const branch = optionsOf(spawn)?.tree?.branch ?? '<branch>'
  const git = `git -C ${shellQuote(root)} worktree`
  return {
    path: 'folder',
    message: `${id} works in ${folder}, which is no longer a git worktree; make a worktree there again from the branch of ${id}`,
    fix: `${git} prune && ${git} add ${shellQuote(folder)} ${branch}`,
  }
}

export const evidenceFolderAt = async (
  project: Project,
  folder: string,
  spawn: SpawnRow | undefined,
): Promise<EvidenceFolder> => {
  const { host, root } = project
  const top = topOfRepository(host, folder)
  const git = top === undefined ? undefined : gitAt(host, top)
  // If possible, read the commit from the files in .git. Then no git process starts for evidence that needs nothing
  // else from git.
  const written = git && (await headOf(host, folder))
  const head = written === undefined ? await git?.commit('HEAD') : written
  const terms = termsOf(spawn)
  const isOutside = isOutsideWork(terms?.outputs ?? outputsIn(project, folder, spawn))
  const lost =
    !git && terms?.git
      ? `${spawn!.id} was spawned in a git repository, but ${folder} is not in one now`
      : undefined
  return {
    folder,
    top: top ?? folder,
    ...(git && { git }),
    ...(lost && { lost }),
    ...(head && { head }),
    ...(spawn && { spawn }),
    ...(terms && { terms }),
    isShared: spawn !== undefined && optionsOf(spawn)?.worktree === undefined && folder === root,
    isOutside,
    mayDiffer: mayDifferFrom(terms?.outputs ?? outputsIn(project, folder, spawn), isOutside),
  }
}

/** Returns the output folders and the manifest, relative to a work folder. */
export const outputsIn = (
  project: Project,
  folder: string,
  spawn: Pick<SpawnRow, 'asked'> | undefined,
): string[] => {
  const { output, manifest } = workFoldersIn(project, folder, optionsOf(spawn))
  const { output: usual } = workFoldersIn(project, folder)
  return [...new Set([output, usual, manifest])]
    .filter((path) => isBelow(folder, path))
    .map((path) => path.slice(folder.length + 1))
}

/** These paths do not belong to the work of a task: CLEO's own files, output files and the manifest. */
const isOutsideWork = (outputs: readonly string[]): ((path: string) => boolean) => {
  const own = ['.cleo', ...outputs].map((name) => ({ name, below: `${name}/` }))
  return (path) => own.some(({ name, below }) => path === name || path.startsWith(below))
}

/**
 * An untracked file may differ from HEAD if it does not belong to the work. A tracked file may differ if it is one of
 * CLEO's own files, the manifest, or a Markdown file in an output folder. Other tracked files in an output folder must
 * equal HEAD, because they can be source or tests.
 */
const mayDifferFrom =
  (outputs: readonly string[], isOutside: (path: string) => boolean): EvidenceFolder['mayDiffer'] =>
  (path, isTracked) =>
    isOutside(path) &&
    (!isTracked || path.endsWith('.md') || path.startsWith('.cleo/') || outputs.includes(path))

/** Returns why evidence that needs git cannot be checked: git failed, or the repository of the spawn is gone. */
export const gitProblems = ({ folder, git, lost }: EvidenceFolder): Problem[] => {
  const fault = git?.fault()
  const why = lost ?? (fault && `git failed in ${folder}: ${fault}`)
  return why ? [{ path: 'git', message: why }] : []
}

export const folderAtCommit = ({ folder, head }: Pick<EvidenceFolder, 'folder' | 'head'>): string =>
  `${folder}${head ? ` at ${head.slice(0, 7)}` : ''}`

/** The given path can be absolute. A path outside the folder is returned unchanged. */
export const relativeToFolder = ({ folder }: EvidenceFolder, path: string): string =>
  isBelow(folder, resolvePath(folder, path)) ? resolvePath(folder, path).slice(folder.length + 1) : path

/**
 * Makes a path of the repository relative to the folder. A file outside the folder gets a path such as `../other/a.ts`.
 */
export const fromTop = ({ folder, top }: EvidenceFolder, path: string): string => {
  if (folder === top) return path
  const below = `${folder.slice(top.length + (top === '/' ? 0 : 1))}/`
  return path.startsWith(below) ? path.slice(below.length) : '../'.repeat(below.split('/').length - 1) + path
}

export const toTop = ({ folder, top }: EvidenceFolder, path: string): string =>
  folder === top ? path : resolvePath(folder, path).slice(top === '/' ? 1 : top.length + 1)
