import type { GitAnswer, GitWriter, MergedTree } from '../git/git-writer.ts'
import type { Work } from './work.ts'

/** One merge: the work that was merged, and the resulting commit on top of the earlier steps. */
export interface MergeStep {
  work: Work
  commit: string
}

export interface Stack {
  steps: MergeStep[]
  /** Works that conflict with the integration branch itself. */
  conflicts: { work: Work; files: string[] }[]
  /**
   * Works that conflict with the branch after earlier steps were added to it. They are tried again in the next round.
   */
  deferred: Work[]
  /**
   * Maps the last commit of a work to its tree. Contains only works with a single commit that was made directly on the
   * tip of the integration branch.
   */
  single: ReadonlyMap<string, string>
  /** Set if git could not merge. In that case ignore the other fields. */
  failed?: { work: Work; why: string }
}

/** Merges works on top of each other, without a checkout and without moving any branch. */
export const stackMerges = async (
  git: GitWriter,
  tip: string,
  works: readonly Work[],
  { outputs, own, isSquashed }: { outputs: string; own: string; isSquashed: boolean },
): Promise<Stack> => {
  const { forced, single, tipTree } = await readHeads(git, tip, works, { outputs, own })
  const stack: Stack = { steps: [], conflicts: [], deferred: [], single }
  const ignoresCase = await git.ignoresCase()
  let at = tip
  let tree = tipTree
  for (const work of works) {
    const { base } = work.worktree
    // This work started from the commit `base`. After a landing with a squash, the branch contains all changes up to
    // `base`, but it does not contain the commit `base`. So merge only the changes since `base`.
    const isApart = isSquashed && !(await git.isAncestor(base, tip))
    // If the work was made on the commit that it is merged into, the result is the tree of the work.
    const same = at === tip && !isApart ? single.get(work.head) : undefined
    const merged: MergedTree =
      same !== undefined
        ? { state: 'clean', tree: same }
        : await (isApart ? git.mergeSince(base, at, work.head) : git.mergeTrees(at, work.head))
    if (merged.state === 'failed') return { ...stack, failed: { work, why: merged.errors } }
    const clash =
      merged.state === 'conflict'
        ? merged.files
        : await namesThatClash(git, { before: tree, after: merged.tree, ignoresCase })
    if (merged.state === 'conflict' || clash.length > 0) {
      if (at === tip) stack.conflicts.push({ work, files: clash })
      else stack.deferred.push(work)
      continue
    }
    const tidied = forced.has(work.head)
      ? await withoutForced(git, merged.tree, tree, { outputs, own })
      : { ok: true as const, text: merged.tree }
    if (!tidied.ok) return { ...stack, failed: { work, why: tidied.errors } }
    const kept = tidied.text.trim()
    if (kept !== tree) {
      const made = await git.commitTree(kept, isApart ? [at] : [at, work.head], messageOf(work))
      if (!made.ok) return { ...stack, failed: { work, why: made.errors } }
      at = made.text.trim()
      tree = kept
    }
    stack.steps.push({ work, commit: at })
  }
  return stack
}

/**
 * If the merge adds a file whose name differs from another name only in case, returns both files. Returns none if the
 * file system distinguishes case.
 */
const namesThatClash = async (
  git: GitWriter,
  { before, after, ignoresCase }: { before: string; after: string; ignoresCase: boolean },
): Promise<string[]> => {
  if (!ignoresCase) return []
  const names = async (args: readonly string[]) =>
    (await git.run([...args])).text.split('\0').filter((name) => name !== '')
  const added = await names(['diff-tree', '-r', '-z', '--name-only', '--diff-filter=A', before, after])
  const lower = new Set(added.map((name) => name.toLowerCase()))
  const same = (await names(['ls-tree', '-r', '-z', '--name-only', after])).filter((name) =>
    lower.has(name.toLowerCase()),
  )
  const counts = new Map<string, number>()
  for (const name of same) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1)
  return same.filter((name) => counts.get(name.toLowerCase())! > 1)
}

const messageOf = ({ task, spawn }: Work): string => `Merge ${spawn.id}: ${task.title}\n\nTask: ${task.id}\n`

/** Folders of CLEO, relative to the top of the repository. */
interface OwnFolders {
  outputs: string
  /** The project's folder `.cleo`. */
  own: string
}

interface Heads {
  /**
   * The last commits of works that contain output files or changed files in `.cleo`. These files have to be dropped.
   * Git ignores them, but an agent can add them with `git add --force`.
   */
  forced: Set<string>
  single: Map<string, string>
  /** The tree of the integration branch; empty if git cannot read it. */
  tipTree: string
}

/** Uses a single git process. */
const readHeads = async (
  git: GitWriter,
  tip: string,
  works: readonly Work[],
  { outputs, own }: OwnFolders,
): Promise<Heads> => {
  const asked = works.map(({ head }) => [
    ...[`${head}:${outputs}`, `${head}:${own}`],
    ...[`${head}^1`, `${head}^2`, `${head}^{tree}`],
  ])
  const names = asked.flat()
  const input = [`${tip}^{tree}`, `${tip}:${own}`, ...names].map((name) => `${name}\n`).join('')
  const found = await git.run(['cat-file', '--batch-check=%(objecttype) %(objectname)'], { input })
  const [tree = '', ownNow = '', ...lines] = found.text.split('\n')
  const isNone = (line: string) => line.endsWith(' missing')
  const forced = new Set<string>()
  const single = new Map<string, string>()
  for (const [i, { head }] of works.entries()) {
    const [output = '', inOwn = '', parent, second = '', its = ''] = lines.slice(5 * i, 5 * i + 5)
    if (output.startsWith(treeStart) || (!isNone(inOwn) && inOwn !== ownNow)) forced.add(head)
    if (parent === `commit ${tip}` && isNone(second) && its.startsWith(treeStart))
      single.set(head, its.slice(treeStart.length))
  }
  return { forced, single, tipTree: tree.startsWith(treeStart) ? tree.slice(treeStart.length) : '' }
}

const treeStart = 'tree '

/** The files of `.cleo` that a project may track. */
const shared = ['config.json', '.gitignore']

/**
 * Drops the output folder and the private files of `.cleo` from a merged tree, because in a checkout they would replace
 * the project's outputs and database. A folder or file that the integration branch already has is kept, because some
 * projects track it.
 */
const withoutForced = async (
  git: GitWriter,
  tree: string,
  before: string,
  { outputs, own }: OwnFolders,
): Promise<GitAnswer> => {
  const below = async (of: string, folder: string): Promise<string[]> => {
    const listed = await git.run(['ls-tree', '-r', '-z', '--name-only', '--full-tree', of, '--', folder])
    return listed.text.split('\0').filter((path) => path !== '')
  }
  const tracked = new Set([...(await below(before, own)), ...shared.map((name) => `${own}/${name}`)])
  const isTracked = (await git.run(['rev-parse', '--verify', '--quiet', `${before}:${outputs}`])).ok
  const dropped = [
    ...(isTracked ? [] : await below(tree, outputs)),
    ...(await below(tree, own)).filter((path) => !tracked.has(path)),
  ]
  if (dropped.length === 0) return { ok: true, text: tree }
  return git.withIndex(async (env) => {
    const input = dropped.map((path) => `${path}\0`).join('')
    const read = await git.run(['read-tree', tree], { env })
    const cut = read.ok
      ? await git.run(['update-index', '-z', '--force-remove', '--stdin'], { env, input })
      : read
    return cut.ok ? git.run(['write-tree'], { env }) : cut
  })
}
