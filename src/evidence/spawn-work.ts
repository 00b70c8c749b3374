import { optionsOf, type SpawnRow } from '../claims/sql/spawns.ts'
import type { SinceCommit } from '../git/commits-since.ts'
import { historyAt } from '../git/git-history.ts'
import { statAt } from '../host/stat.ts'
import type { Context } from '../operation/context.ts'
import type { Evidence } from './evidence.ts'
import { type EvidenceFolder, evidenceFolderAt, fromTop } from './evidence-folder.ts'
import { rootsIn } from './record-terms.ts'
import { historyOf, namedTasks, reachable, type SpawnHistory } from './spawn-history.ts'

/** A commit of a spawn. File paths are relative to the work folder; files in the output folders are left out. */
export interface SpawnCommit {
  sha: string
  message: string
  merge: boolean
  files: string[]
}

/** The commits of a spawn since it began, newest first. */
export interface SpawnCommits {
  folder: string
  /** True if the spawn had its own worktree. In a shared folder, only commits that belong to the task are listed. */
  isOwn: boolean
  commits: SpawnCommit[]
}

/** The files that a spawn changed outside the output folders. Paths are relative to the work folder. */
export interface SpawnChanges {
  folder: string
  /** Commits of the spawn that changed one of the files, newest first. */
  commits: string[]
  /** Files that are committed and differ from the commit at which the spawn began. */
  committed: string[]
  /** Uncommitted files in the spawn's own worktree. */
  open: string[]
  /**
   * Uncommitted files of a shared folder, if they changed after the task was spawned. The spawn or someone else
   * changed them.
   */
  doubtful: string[]
}

/** What a spawn changed in the repository. Each part is read on first use and then kept, because reading starts git. */
export interface SpawnWork {
  /** Undefined without git. */
  commits(): Promise<SpawnCommits | undefined>
  changes(): Promise<SpawnChanges | undefined>
}

/** `known` is the folder of the spawn, if the caller has already read it. */
export const spawnWork = (
  context: Context,
  spawn: SpawnRow,
  rows: readonly Evidence[],
  known?: EvidenceFolder,
): SpawnWork => {
  const own = rows.filter((row) => row.spawn === spawn.id)
  const where = once(async () => known ?? spawnFolder(context, spawn, own))
  const commits = once(async () => readCommits(context, await where(), spawn, own))
  return {
    commits,
    changes: once(async () => readChanges(context, await where(), spawn, await commits(), rows)),
  }
}

const once = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let known: Promise<T> | undefined
  return () => {
    known ??= read()
    return known
  }
}

const worktreeOf = (spawn: SpawnRow): string | undefined => optionsOf(spawn)?.worktree

/**
 * Returns the spawn's worktree. If the spawn has no worktree, returns the folder of its newest evidence. If there is no
 * such folder, returns the project's folder.
 */
export const spawnFolder = (
  context: Context,
  spawn: SpawnRow,
  own: readonly Evidence[],
): Promise<EvidenceFolder> => {
  const { host, root } = context
  const folder = worktreeOf(spawn) ?? own.findLast(({ worktree }) => worktree !== null)?.worktree ?? root
  const exists = host.files.kind(folder) === 'folder'
  return evidenceFolderAt(context, exists ? folder : root, spawn)
}

const readCommits = async (
  context: Context,
  where: EvidenceFolder,
  spawn: SpawnRow,
  own: readonly Evidence[],
): Promise<SpawnCommits | undefined> => {
  if (!where.git || where.terms?.git === false) return undefined
  const worktree = worktreeOf(spawn)
  const isOwn = worktree !== undefined
  const history = await historyOf(context, where, spawn.task)
  const all = history?.commits ?? []
  const isThere = where.folder === worktree
  // In a folder that is not the spawn's worktree, others can commit too. So take only the commits of this task.
  const found = isThere
    ? await madeInWorktree(context, where, history)
    : all.filter(isOfTask(spawn.task, own, where, all))
  const rest = isOwn && !isThere ? await lostCommits(context, where, own, all) : []
  const commits = found.map(({ sha, message, parents, files }) => ({
    sha,
    message,
    merge: parents.length > 1,
    files: files.map((path) => fromTop(where, path)),
  }))
  const isOutput = outputTest(context, where, spawn)
  const withoutOutputs = [...commits, ...rest].map((commit) => ({
    ...commit,
    files: commit.files.filter((path) => !isOutput(path)),
  }))
  return { folder: where.folder, isOwn, commits: withoutOutputs }
}

/** Returns the commits that the spawn made, including those that were merged into the project meanwhile. */
const madeInWorktree = async (
  { host }: Context,
  { folder }: EvidenceFolder,
  history: SpawnHistory | undefined,
): Promise<SinceCommit[]> => {
  const { commits: all = [], own = [] } = history ?? {}
  const isDoubtful = (commit: SinceCommit) => !own.includes(commit) && namedTasks(commit.message).length === 0
  if (!all.some(isDoubtful)) return own
  const made = await historyAt(host, folder).madeHere()
  return all.filter((commit) => own.includes(commit) || (isDoubtful(commit) && made.has(commit.sha)))
}

/**
 * Returns a function that tells whether a commit belongs to the spawn, in a folder where others commit too. A commit
 * that names a task belongs to that task. A commit that names no task belongs to the spawn in two cases: it is given
 * as evidence, or it changes a file of the evidence and is not newer than the evidence.
 */
const isOfTask = (
  task: string,
  own: readonly Evidence[],
  where: EvidenceFolder,
  all: readonly SinceCommit[],
) => {
  const before = reachable(
    all,
    own.map(({ head }) => head),
  )
  const atoms = own.flatMap((row) => row.atoms)
  const shas = new Set(atoms.flatMap((atom) => (atom.kind === 'commit' ? [atom.sha] : [])))
  const implemented = own.findLast(({ gate }) => gate === 'implemented')?.atoms ?? []
  const files = new Set(
    implemented.flatMap((atom) => (atom.kind === 'files' ? atom.files.map(({ path }) => path) : [])),
  )
  return (commit: SinceCommit): boolean => {
    const named = namedTasks(commit.message)
    if (named.length > 0) return named.includes(task)
    if (shas.has(commit.sha)) return true
    return before.has(commit.sha) && commit.files.some((path) => files.has(fromTop(where, path)))
  }
}

const mostLost = 50

/** If a worktree was removed, reads the commits that were given as evidence but are not in the project. */
const lostCommits = async (
  { host }: Context,
  where: EvidenceFolder,
  own: readonly Evidence[],
  all: readonly SinceCommit[],
): Promise<SpawnCommit[]> => {
  const known = new Set(all.map(({ sha }) => sha))
  const given = own.flatMap(({ atoms }) =>
    atoms.flatMap((atom) => (atom.kind === 'commit' && !known.has(atom.sha) ? [atom.sha] : [])),
  )
  const shas = await where.git!.notReachable([...new Set(given)].slice(0, mostLost), where.terms?.began)
  const read = await historyAt(host, where.top).read(shas)
  return Promise.all(
    read.map(async ({ sha, parents, message }) => ({
      sha,
      message,
      merge: parents.length > 1,
      files: (await where.git!.touched(sha)).map((path) => fromTop(where, path)),
    })),
  )
}

const readChanges = async (
  context: Context,
  where: EvidenceFolder,
  spawn: SpawnRow,
  made: SpawnCommits | undefined,
  rows: readonly Evidence[],
): Promise<SpawnChanges | undefined> => {
  if (!made) return undefined
  const isWork = workTest(context, where, spawn)
  const touched = [...new Set(made.commits.flatMap(({ files }) => files))].filter(isWork)
  const committed = await stillChanged(where, touched)
  const open = await uncommitted(context, where, spawn, rows)
  const paths = open.filter(isWork)
  return {
    folder: where.folder,
    commits: made.commits.flatMap(({ sha, files }) =>
      files.some((path) => committed.includes(path)) ? [sha] : [],
    ),
    committed,
    ...(made.isOwn
      ? { open: paths, doubtful: [] }
      : { open: [], doubtful: paths.filter(isWrittenSince(where)) }),
  }
}

type PathTest = (path: string) => boolean

/**
 * Uses the output folders that were recorded when the task was spawned, because an agent could add a folder with code
 * to the current configuration.
 */
const outputTest = (context: Context, { folder, terms }: EvidenceFolder, spawn: SpawnRow): PathTest => {
  const outputs = ['.cleo', ...(terms?.roots ?? rootsIn(context, folder, spawn))]
  return (path) => outputs.some((output) => path === output || path.startsWith(`${output}/`))
}

/**
 * Files in the output folders do not count as implementation. In a release, version files and the changelog do not
 * count either.
 */
const workTest = (context: Context, where: EvidenceFolder, spawn: SpawnRow): PathTest => {
  const isOutput = outputTest(context, where, spawn)
  const isReleased = (path: string) =>
    spawn.protocol === 'release' && releaseFiles.has(path.slice(path.lastIndexOf('/') + 1))
  return (path) => !isOutput(path) && !isReleased(path)
}

const releaseFiles: ReadonlySet<string> = new Set([
  ...[
    'package.json',
    'package-lock.json',
    'npm-shrinkwrap.json',
    'pnpm-lock.yaml',
    'yarn.lock',
    'Cargo.toml',
  ],
  ...['Cargo.lock', 'pyproject.toml', 'uv.lock', 'poetry.lock', 'VERSION', 'CHANGELOG.md', 'CHANGES.md'],
  ...['HISTORY.md', 'CHANGELOG'],
])

/** Leaves out files whose changes were reverted: they are the same as in the commit from which the spawn began. */
const stillChanged = async (where: EvidenceFolder, touched: readonly string[]): Promise<string[]> => {
  const { git, terms, head } = where
  if (touched.length === 0 || !terms?.began || !head) return [...touched]
  const between = await git!.filesBetween(terms.began, head)
  const names = between && new Set(between.map((path) => fromTop(where, path)))
  return touched.filter((path) => !names || names.has(path))
}

const uncommitted = async (
  context: Context,
  where: EvidenceFolder,
  { task }: SpawnRow,
  rows: readonly Evidence[],
): Promise<string[]> => {
  const { uncommittedWork } = await import('./uncommitted-work.ts')
  const work = await uncommittedWork(context, where, task, { rows })
  return (work?.open ?? []).map(({ path }) => path)
}

/** Tolerance for file systems that round times. */
const roundingMs = 2000

const isWrittenSince =
  ({ folder, terms, spawn }: EvidenceFolder) =>
  (path: string): boolean => {
    const changed = statAt(`${folder}/${path}`)?.changed
    return changed === undefined || changed >= (terms?.at ?? spawn?.at ?? 0) - roundingMs
  }
