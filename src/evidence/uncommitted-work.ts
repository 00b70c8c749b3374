import * as spawns from '../claims/sql/spawns.ts'
import { sparseRules } from '../git/git-folder.ts'
import { type OpenFile, type RepositoryState, repositoryState } from '../git/repository-state.ts'
import { isOneOf } from '../host/work-tree.ts'
import { isBelow } from '../kernel/path.ts'
import { pathMatcher } from '../kernel/path-pattern.ts'
import type { Problem } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { shellQuote } from '../print/shell-quote.ts'
import type { Db } from '../store/port.ts'
import { byProductTest } from './by-products.ts'
import { type Evidence, filesMadeByRuns } from './evidence.ts'
import { type EvidenceFolder, folderAtCommit, fromTop } from './evidence-folder.ts'
import { unchangedSinceSpawn } from './files-before.ts'
import type { ObservedAtom } from './observed-atom.ts'
import { termsOf } from './spawn-terms.ts'
import * as evidence from './sql.ts'

/** The files of a task's folder that differ from HEAD. Paths are relative to the folder. */
export interface UncommittedWork {
  state: RepositoryState
  /** Files that must be committed before evidence is accepted. */
  open: OpenFile[]
  /** Files in a shared folder that belong to others and may stay uncommitted, each with the reason. */
  tolerated: { path: string; why: string }[]
}

/**
 * Compares the folder with HEAD. Evidence proves a commit, so the files that tools see must equal the commit. Leaves
 * out ignored files, outputs, by-products of tools, and files that match `gates.byproducts`. Returns undefined if git
 * fails.
 */
export const uncommittedWork = async (
  context: Context,
  where: EvidenceFolder,
  task: string,
  { rows, withStats = false }: { rows: readonly Evidence[]; withStats?: boolean },
): Promise<UncommittedWork | undefined> => {
  const { host, config } = context
  const { terms, spawn } = where
  const sparse = spawn && (await sparseRules(host, where.folder))
  const isByProduct = pathMatcher(config.gates?.byproducts ?? [])
  const state = await repositoryState(host, where.top, {
    ...(spawn && { since: terms?.at ?? spawn.at }),
    maySkip: !spawn || (sparse !== undefined && sparse === terms?.sparse),
    withStats,
    ...(where.started && { started: where.started }),
    isOutside: (path, isTracked) => where.mayDiffer(fromTop(where, path), isTracked),
  })
  if (!state) return undefined
  const isLeftByTools = byProductTest(state)
  const work = state.open
    .filter((file) => !isLeftByTools(file))
    .map((file) => ({ ...file, path: fromTop(where, file.path) }))
    .filter(({ path }) => !isByProduct(path))
  const made = await madeByRuns(context, where, rows, work)
  const open = work.filter(({ path, how }) => how !== 'untracked' || !made(path))
  const tolerated = where.isShared ? await filesOfOthers(context, where, task, state, open) : new Map()
  return {
    state,
    open: open.filter(({ path }) => !tolerated.has(path)),
    tolerated: [...tolerated].map(([path, why]) => ({ path, why })),
  }
}

/**
 * Looks at the runs for this task first, and at the runs for all tasks only if some untracked files are still
 * unexplained.
 */
const madeByRuns = async (
  { store }: Context,
  { folder, terms }: EvidenceFolder,
  rows: readonly Evidence[],
  work: readonly OpenFile[],
): Promise<(path: string) => boolean> => {
  const own = isOneOf([...filesMadeByRuns(rows), ...(terms?.baseline?.made ?? [])])
  if (work.every(({ path, how }) => how !== 'untracked' || own(path))) return own
  const ran = await evidence.runsIn(store, folder)
  const any = isOneOf(
    filesMadeByRuns(ran.map(({ atoms }) => ({ atoms: JSON.parse(atoms) as ObservedAtom[] }))),
  )
  return (path) => own(path) || any(path)
}

/**
 * Returns the open files that may stay uncommitted, each with the reason. There are two reasons:
 * - The file is declared by another task, on which a spawn is working.
 * - The file was already uncommitted before the spawn and is unchanged.
 */
const filesOfOthers = async (
  { store }: Context,
  where: EvidenceFolder,
  task: string,
  state: RepositoryState,
  open: readonly OpenFile[],
): Promise<Map<string, string>> => {
  const found = new Map<string, string>()
  if (open.length === 0) return found
  const isUnchanged = unchangedSinceSpawn(where, state.files)
  const ownerOf = await otherOwners(store, where, task)
  for (const { path } of open) {
    const owner = ownerOf(path)
    if (owner) found.set(path, `declared by ${owner}`)
    else if (isUnchanged(path)) found.set(path, `unchanged since before ${where.spawn!.id}`)
  }
  return found
}

/**
 * Returns a function that finds the task to which a path belongs. This is a task that declared the path, and on which a
 * spawn is working. If `task` itself declared the path, the function returns undefined.
 */
export const otherOwners = async (
  store: Db,
  { terms }: EvidenceFolder,
  task: string,
): Promise<(path: string) => string | undefined> => {
  const out = await spawns.latestOut(store)
  // Use the files that each task declared when it was spawned. With a list that was changed later, an agent could
  // pass off its own files as files of another task.
  const owners = out.flatMap((spawn) => {
    const files = spawn.task === task ? [] : (termsOf(spawn)?.files ?? [])
    return files.length > 0 ? [{ id: spawn.task, matches: pathMatcher(files) }] : []
  })
  const own = pathMatcher(terms?.files ?? [])
  return (path) => (own(path) ? undefined : owners.find(({ matches }) => matches(path))?.id)
}

const mostNames = 20

interface Retry {
  cwd: string
  task: string
  retry: string
}

/** Folders of installed packages. If untracked, they belong in .gitignore. */
const usuallyIgnored = ['node_modules', '.venv', 'venv']

/**
 * For a file in a folder of installed packages, returns the folder's name for .gitignore and the path up to that
 * folder. Returns undefined for any other file.
 */
const toIgnore = ({ path, how }: OpenFile): { name: string; upTo: string } | undefined => {
  if (how !== 'untracked') return undefined
  const parts = path.split('/')
  const at = parts.findIndex((part) => usuallyIgnored.includes(part))
  if (at < 0) return undefined
  const isFolder = at < parts.length - 1
  return {
    name: `${parts[at]}${isFolder ? '/' : ''}`,
    upTo: `${parts.slice(0, at + 1).join('/')}${isFolder ? '/' : ''}`,
  }
}

export const uncommittedProblem = (where: EvidenceFolder, work: UncommittedWork, again: Retry): Problem => {
  const { open } = work
  const all = [...new Set(open.map((file) => `${toIgnore(file)?.upTo ?? file.path} (${file.how})`))]
  const more = all.length > mostNames ? ` and ${all.length - mostNames} more` : ''
  const ignored = [...new Set(open.flatMap((file) => toIgnore(file)?.name ?? []))]
  const advice =
    ignored.length === 0
      ? 'commit your work; delete leftovers or add them to .gitignore'
      : ignored.length < all.length || all.length > 1
        ? `commit your work, and add ${ignored.join(' and ')} to .gitignore`
        : `add ${ignored[0]} to .gitignore`
  const fix = commitLine(where, work, again)
  return {
    path: 'commit',
    message: `not committed in ${folderAtCommit(where)}: ${all.slice(0, mostNames).join(', ')}${more}. Evidence must be about a commit: ${advice}. For files that tools write, a person can set gates.byproducts`,
    ...(fix && { fix }),
  }
}

const commitLine = (
  where: EvidenceFolder,
  { open, state }: UncommittedWork,
  { cwd, task, retry }: Retry,
): string | undefined => {
  // Do not suggest `git add` for a repository inside the folder: git would add only a link to a commit that no other
  // clone has.
  const files = open.filter(({ how }) => how !== 'a repository')
  if (files.length === 0) return undefined
  const fromCwd = (path: string) => shellQuote(path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path)
  const git = (folder: string) => (folder === cwd ? 'git' : `git -C ${fromCwd(folder)}`)
  const message = `-m "<what changed>" -m "Task: ${task}"`
  const modules = modulesOf(files, state.modules)
  const ignore = (folder: string, some: readonly OpenFile[]): string[] => {
    const names = [...new Set(some.flatMap((file) => toIgnore(file)?.name ?? []))]
    // Print an empty line first, because the last line of .gitignore can be without a line break.
    return names.length > 0
      ? [`printf '%s\\n' '' ${names.map(shellQuote).join(' ')} >>${fromCwd(`${folder}/.gitignore`)}`]
      : []
  }
  // Commit each submodule before the repository that contains it, because that repository records the submodule's
  // commit.
  const inside = modules.toReversed().flatMap((module) => {
    const folder = `${where.top}/${module}`
    const own = files.filter((file) => file.module === module)
    return [...ignore(folder, own), `${git(folder)} add -A && ${git(folder)} commit ${message}`]
  })
  const outermost = modules.filter((module) => !modules.some((other) => isBelow(other, module)))
  const own = files.filter(({ module }) => !module)
  const ignored = ignore(where.top, own)
  const named = [
    ...own.flatMap((file) => (toIgnore(file) ? [] : [file.path])),
    ...(ignored.length > 0 ? [fromTop(where, '.gitignore')] : []),
    ...outermost.map((module) => fromTop(where, module)),
  ]
  const what = named.length > mostNames ? '' : ` -- ${[...new Set(named)].map(shellQuote).join(' ')}`
  const at = git(where.folder)
  return [...inside, ...ignored, `${at} add -A${what}`, `${at} commit ${message}`, retry].join(' && ')
}

/**
 * Returns the submodules that have uncommitted files, and the submodules that contain these submodules, outermost
 * first.
 */
const modulesOf = (files: readonly OpenFile[], known: readonly string[]): string[] => {
  const dirty = [...new Set(files.flatMap(({ module }) => module ?? []))]
  return known.filter((module) => dirty.some((each) => each === module || isBelow(module, each)))
}

export const toleratedWarning = ({ tolerated }: UncommittedWork): string[] => {
  const names = tolerated.slice(0, mostNames).map(({ path, why }) => `${path} (${why})`)
  const more = tolerated.length > mostNames ? ` and ${tolerated.length - mostNames} more` : ''
  return names.length > 0 ? [`not committed, but not part of this task: ${names.join(', ')}${more}`] : []
}
