import { type Git, gitAt } from '../host/git.ts'
import { headOf } from '../host/repository.ts'
import { isBelow } from '../kernel/path.ts'
import type { Project } from '../operation/context.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import { canBeRechecked, type ObservedAtom } from './observed-atom.ts'
import type { EvidenceRow } from './sql.ts'

/** A row of evidence with its atoms parsed. */
export interface Evidence extends Omit<EvidenceRow, 'atoms'> {
  atoms: ObservedAtom[]
}

export const readEvidence = (row: EvidenceRow): Evidence => ({
  ...row,
  atoms: JSON.parse(row.atoms) as ObservedAtom[],
})

/** Returns a test for paths that are not part of the work: CLEO's own files, output files and the manifest. */
export const isOutsideWork = (project: Project, folder: string): ((path: string) => boolean) => {
  const { output, manifest } = workFoldersIn(project, folder)
  const submitted = [output, manifest]
    .filter((path) => isBelow(folder, path))
    .map((path) => path.slice(folder.length + 1))
  const own = ['.cleo', ...submitted]
  return (path) => own.some((name) => path === name || path.startsWith(`${name}/`))
}

/** Returns the untracked files that tool runs wrote, as recorded in the evidence of a task. */
export const filesMadeByRuns = (rows: readonly Evidence[]): string[] => [
  ...new Set(
    rows.flatMap(({ atoms }) => atoms.flatMap((atom) => (atom.kind === 'tool' ? (atom.made ?? []) : []))),
  ),
]

/**
 * Checks the files, commits and tool runs of evidence again, in the folder in which each row was observed. Returns
 * why rows no longer hold, by row number. Each folder is read once, with as few processes as possible.
 */
export const recheck = async (
  project: Project,
  rows: readonly Evidence[],
): Promise<ReadonlyMap<number, string>> => {
  const stale = new Map<number, string>()
  const folders = Map.groupBy(
    rows.filter(({ atoms, worktree }) => worktree !== null && atoms.some(canBeRechecked)),
    ({ worktree }) => worktree!,
  )
  for (const [folder, some] of folders) {
    if (project.host.files.kind(folder) !== 'folder') {
      for (const { seq } of some) stale.set(seq, `${folder}, where it was observed, no longer exists`)
      continue
    }
    for (const [seq, why] of await recheckIn(project, folder, some, rows)) stale.set(seq, why)
  }
  return stale
}

const recheckIn = async (
  project: Project,
  folder: string,
  rows: readonly Evidence[],
  all: readonly Evidence[],
): Promise<[number, string][]> => {
  const git = gitAt(project.host, folder)
  const [outside, tree, files] = await Promise.all([
    outsideOf(project, folder, git, rows),
    treeChanges(project, folder, git, rows, all),
    fileChanges(folder, rows),
  ])
  const fault = git?.fault()
  return rows.flatMap((row): [number, string][] => {
    const why = row.atoms.flatMap((atom) => {
      if (fault && (atom.kind === 'commit' || atom.kind === 'tool'))
        return [`git failed in ${folder}: ${fault}`]
      if (atom.kind === 'commit' && outside.has(atom.sha))
        return [`commit ${atom.sha.slice(0, 7)} is not in the history of ${folder}`]
      if (atom.kind === 'tool') return tree.get(row.seq) ?? []
      return pathsOf(atom).flatMap(({ path, sha256 }) => {
        const change = files.get(path)?.(sha256)
        return change ? [`${path} ${change}`] : []
      })
    })
    return why.length > 0 ? [[row.seq, why.slice(0, 3).join(', ')]] : []
  })
}

const pathsOf = (atom: ObservedAtom): { path: string; sha256: string }[] =>
  atom.kind === 'files' ? atom.files : atom.kind === 'test-run' ? [atom] : []

/** Runs git only if HEAD has moved since the evidence was given: until then its commits are still in the history. */
const outsideOf = async (
  { host }: Project,
  folder: string,
  git: Git | undefined,
  rows: readonly Evidence[],
): Promise<Set<string>> => {
  const now = git && (await headOf(host, folder))
  const commits = rows.flatMap(({ head, atoms }) =>
    atoms.flatMap((atom) => (atom.kind === 'commit' && (!now || head !== now) ? [atom.sha] : [])),
  )
  const distinct = [...new Set(commits)]
  // If the repository is gone, none of the commits can be reached.
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
    found.set(path, (then) => (now.ok ? (now.sha256 === then ? undefined : 'changed') : now.why))
  }
  return found
}

const treeChanges = async (
  project: Project,
  folder: string,
  git: Git | undefined,
  rows: readonly Evidence[],
  all: readonly Evidence[],
): Promise<Map<number, string>> => {
  const changes = new Map<number, string>()
  const ran = rows.filter(({ atoms }) => atoms.some(({ kind }) => kind === 'tool'))
  if (ran.length === 0) return changes
  const { treeAt, treeHash } = await import('../host/work-tree.ts')
  const tree = await treeAt(folder, git, isOutsideWork(project, folder))
  const now = tree && treeHash(tree, filesMadeByRuns(all))
  for (const { seq, tree: then, atoms } of ran) {
    if (now === then) continue
    const { changedSince } = await import('../host/work-tree.ts')
    const logs = atoms.flatMap((atom) => (atom.kind === 'tool' ? (atom.log ?? []) : []))
    const names = tree && logs[0] ? changedSince(folder, tree, `${project.root}/${logs[0]}`) : []
    changes.set(seq, `${listNames(names)} changed after the run`)
  }
  return changes
}

const listNames = (names: readonly string[]): string => {
  if (names.length === 0) return 'files'
  return names.length > 2 ? `${names[0]} and ${names.length - 1} more` : names.join(' and ')
}
