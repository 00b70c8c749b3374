import type { SpawnRow } from '../claims/sql/spawns.ts'
import { pathMatcher } from '../kernel/path-pattern.ts'
import type { Context } from '../operation/context.ts'
import { type Evidence, filesMadeByRuns } from './evidence.ts'
import { type EvidenceFolder, evidenceFolderAt, fromTop } from './evidence-folder.ts'
import { canBeRechecked, type ObservedAtom } from './observed-atom.ts'
import type { SpawnHistory } from './spawn-history.ts'

/**
 * Checks again whether evidence holds: its files, commits and tool runs. Checks each row of evidence in the folder in
 * which it was observed. Returns, by row number, why rows no longer hold. Reads each folder once, with as few processes
 * as possible.
 * `known` is the folder of the spawn, if the caller has already read it.
 */
export const recheck = async (
  context: Context,
  task: string,
  spawn: SpawnRow | undefined,
  rows: readonly Evidence[],
  known?: EvidenceFolder,
): Promise<ReadonlyMap<number, string>> => {
  const stale = new Map<number, string>()
  const folders = Map.groupBy(
    rows.filter(({ atoms, worktree }) => worktree !== null && atoms.some(canBeRechecked)),
    ({ worktree }) => worktree!,
  )
  for (const [folder, some] of folders) {
    if (context.host.files.kind(folder) !== 'folder') {
      for (const { seq } of some) stale.set(seq, `the evidence is from ${folder}, which no longer exists`)
      continue
    }
    const where = known?.folder === folder ? known : await evidenceFolderAt(context, folder, spawn)
    for (const [seq, why] of await recheckIn(context, where, { task, rows: some, all: rows }))
      stale.set(seq, why)
  }
  return stale
}

interface RecheckedRows {
  task: string
  /** The rows of one folder. */
  rows: readonly Evidence[]
  all: readonly Evidence[]
}

/** If a row is about a commit, the files must equal that commit. */
export const isAboutCommit = ({ gate, atoms }: Evidence): boolean =>
  gate === 'implemented' || atoms.some(({ kind }) => kind === 'commit' || kind === 'tool')

const recheckIn = async (
  context: Context,
  where: EvidenceFolder,
  { task, rows, all }: RecheckedRows,
): Promise<[number, string][]> => {
  const { git, folder, lost } = where
  const about = rows.filter(isAboutCommit)
  const [files, changes, commits] = await Promise.all([
    fileChanges(folder, rows),
    git
      ? repositoryChanges(context, where, { task, rows: about, all })
      : plainChanges(context, where, about, all),
    outsideOf(where, about),
  ])
  const fault = lost ?? (git?.fault() && `git failed in ${folder}: ${git.fault()}`)
  return rows.flatMap((row): [number, string][] => {
    if (fault && isAboutCommit(row)) return [[row.seq, fault]]
    const why = row.atoms.flatMap((atom) => {
      if (atom.kind === 'commit' && commits.has(atom.sha))
        return [`commit ${atom.sha.slice(0, 7)} is not in the history of ${folder}`]
      return pathsOf(atom).flatMap(({ path, sha256 }) => {
        const change = files.get(path)?.(sha256)
        return change ? [`${path} ${change}`] : []
      })
    })
    const moved = why.length === 0 && isAboutCommit(row) ? changes(row) : undefined
    const reasons = [...why, ...(moved ? [moved] : [])]
    return reasons.length > 0 ? [[row.seq, reasons.slice(0, 3).join(', ')]] : []
  })
}

const pathsOf = (atom: ObservedAtom): { path: string; sha256: string }[] =>
  atom.kind === 'files' ? atom.files : atom.kind === 'test-run' ? [atom] : []

/**
 * Returns the commits of the evidence that are no longer in the history of HEAD. Skips evidence that was given while HEAD
 * was at its present commit: its commits were checked then, and the history of a commit cannot change.
 */
const outsideOf = async (
  { git, head: now }: EvidenceFolder,
  rows: readonly Evidence[],
): Promise<Set<string>> => {
  const commits = rows.flatMap(({ head, atoms }) =>
    atoms.flatMap((atom) => (atom.kind === 'commit' && (!now || head !== now) ? [atom.sha] : [])),
  )
  const distinct = [...new Set(commits)]
  // If the repository is gone, no commit is reachable.
  return new Set(git ? await git.notReachable(distinct) : distinct)
}

type Compare = (then: string) => string | undefined

const fileChanges = async (folder: string, rows: readonly Evidence[]): Promise<Map<string, Compare>> => {
  const found = new Map<string, Compare>()
  const paths = rows.flatMap(({ atoms }) => atoms.flatMap(pathsOf).map(({ path }) => path))
  if (paths.length === 0) return found
  const { hashInside } = await import('../host/safe-read.ts')
  for (const path of new Set(paths)) {
    const now = hashInside(folder, path)
    found.set(path, (then) => {
      if (now.ok) return now.sha256 === then ? undefined : 'changed'
      return then === '' && now.missing ? undefined : now.why
    })
  }
  return found
}

/** Returns why a row no longer holds for the repository; undefined if the row still holds. */
type Changes = (row: Evidence) => string | undefined

const repositoryChanges = async (
  context: Context,
  where: EvidenceFolder,
  { task, rows, all }: RecheckedRows,
): Promise<Changes> => {
  if (rows.length === 0) return () => undefined
  const { head, git } = where
  const { uncommittedWork } = await import('./uncommitted-work.ts')
  const readHistory = async () => (await import('./spawn-history.ts')).historyOf(context, where, task)
  const hasMoved = rows.some((row) => row.head !== head)
  const [work, read] = await Promise.all([
    uncommittedWork(context, where, task, { rows: all }),
    // Read the history only if HEAD has moved. Otherwise the history is the same as when the evidence was given.
    hasMoved ? readHistory() : undefined,
  ])
  const [tree] = hasMoved ? await (await import('./spawn-history.ts')).treeOf(where, read) : []
  if (!work) {
    // Call `works` to find out whether git itself fails. If it does, `fault` then returns the reason, and the caller
    // can report it.
    await git!.works()
    return () => `git could not compare ${where.folder} with HEAD`
  }
  // In a shared folder, the spawn's commits show which uncommitted files belong to the spawn.
  const history = read ?? (where.isShared && work.open.length > 0 ? await readHistory() : undefined)
  const isOwn = ownFiles(where, all, history)
  const isByProduct = pathMatcher(context.config.gates?.byproducts ?? [])
  const open = work.open.map(({ path }) => path).filter(isOwn)
  const moved = new Map<string, string[]>()
  for (const then of new Set(rows.flatMap((row) => (row.head !== head && row.tree ? [row.tree] : [])))) {
    const between = tree === then || !tree ? [] : ((await git!.filesBetween(then, tree)) ?? ['files'])
    const names = between.map((path) => fromTop(where, path))
    moved.set(
      then,
      names.filter((path) => !where.mayDiffer(path, true) && !isByProduct(path) && isOwn(path)),
    )
  }
  return (row) => {
    if (row.head !== head && history?.problem) return history.problem
    const isRun = row.atoms.some(({ kind }) => kind === 'tool')
    const names = [...new Set([...open, ...(isRun ? (moved.get(row.tree ?? '') ?? []) : [])])]
    if (names.length === 0) return undefined
    return isRun ? `${listNames(names)} changed after the run` : `${listNames(names)} not committed`
  }
}

/**
 * In the spawn's own worktree, all files belong to the spawn. In a shared folder, a file belongs to the spawn in three
 * cases: the task declares it, the evidence names it, or the spawn committed it.
 */
const ownFiles = (
  where: EvidenceFolder,
  rows: readonly Evidence[],
  history: SpawnHistory | undefined,
): ((path: string) => boolean) => {
  if (!where.isShared) return () => true
  const own = new Set([
    ...rows.flatMap(({ atoms }) => atoms.flatMap(pathsOf).map(({ path }) => path)),
    ...(history?.own ?? []).flatMap(({ files }) => files.map((path) => fromTop(where, path))),
  ])
  const isDeclared = pathMatcher(where.terms?.files ?? [])
  return (path) => own.has(path) || isDeclared(path)
}

/** Without git, a tool run holds as long as no file has changed. */
const plainChanges = async (
  { root }: Context,
  { folder, isOutside }: EvidenceFolder,
  rows: readonly Evidence[],
  all: readonly Evidence[],
): Promise<Changes> => {
  const ran = rows.filter(({ atoms }) => atoms.some(({ kind }) => kind === 'tool'))
  if (ran.length === 0) return () => undefined
  const { changedSince, treeAt, treeHash } = await import('../host/work-tree.ts')
  const tree = treeAt(folder, isOutside)
  const now = treeHash(tree, filesMadeByRuns(all))
  return ({ tree: then, atoms }) => {
    if (!ran.some((row) => row.tree === then) || now === then) return undefined
    const logs = atoms.flatMap((atom) => (atom.kind === 'tool' ? (atom.log ?? []) : []))
    const names = logs[0] ? changedSince(folder, tree, `${root}/${logs[0]}`) : []
    return `${listNames(names)} changed after the run`
  }
}

const listNames = (names: readonly string[]): string => {
  if (names.length === 0) return 'files'
  return names.length > 2 ? `${names[0]} and ${names.length - 1} more` : names.join(' and ')
}
