import type { GitWriter } from '../host/git-writer.ts'
import type { Work } from './work.ts'

/** One step of a stack: the integration branch after this work was merged on top of the steps before. */
export interface Step {
  work: Work
  commit: string
}

export interface Stack {
  steps: Step[]
  /** Works that conflict with the integration branch itself. */
  conflicts: { work: Work; files: string[] }[]
  /** Works that conflict with another work of the stack; they are tried again after that one was merged or refused. */
  deferred: Work[]
  /** Why git could not merge; then nothing else counts. */
  failed?: { work: Work; why: string }
}

/** Merges works on top of each other, without a checkout and without moving any branch. */
export const stackMerges = async (
  git: GitWriter,
  tip: string,
  works: readonly Work[],
  { outputs, isSquashed }: { outputs: string; isSquashed: boolean },
): Promise<Stack> => {
  const stack: Stack = { steps: [], conflicts: [], deferred: [] }
  const withOutputs = await headsWith(git, works, outputs)
  const ignoresCase =
    (await git.run(['config', '--type=bool', '--get', 'core.ignoreCase'])).text.trim() === 'true'
  let at = tip
  let tree = await treeOf(git, tip)
  for (const work of works) {
    const { base } = work.worktree
    // After a squash, the branch no longer has the commits that this work started from, only their changes.
    const isApart = isSquashed && !(await git.isAncestor(base, tip))
    const merged = await (isApart ? git.mergeSince(base, at, work.head) : git.mergeTrees(at, work.head))
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
    const kept = withOutputs.has(work.head)
      ? await withoutOutputs(git, merged.tree, tree, outputs)
      : merged.tree
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

/** Returns files that a merge adds although another name differs only in case, if the file system ignores case. */
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

const treeOf = async (git: GitWriter, commit: string): Promise<string> =>
  (await git.run(['rev-parse', `${commit}^{tree}`])).text.trim()

const messageOf = ({ task, spawn }: Work): string => `Merge ${spawn.id}: ${task.title}\n\nTask: ${task.id}\n`

/** Returns the heads that contain the output folder, because an agent committed ignored files with --force. */
const headsWith = async (git: GitWriter, works: readonly Work[], outputs: string): Promise<Set<string>> => {
  const input = works.map(({ head }) => `${head}:${outputs}\n`).join('')
  const found = await git.run(['cat-file', '--batch-check=%(objecttype)'], { input })
  const lines = found.text.split('\n')
  return new Set(works.flatMap(({ head }, i) => (lines[i] === 'tree' ? [head] : [])))
}

/** Drops the output folder from a merged tree, unless the integration branch has it: then the project tracks it. */
const withoutOutputs = async (
  git: GitWriter,
  tree: string,
  before: string,
  outputs: string,
): Promise<string> => {
  if ((await git.run(['rev-parse', '--verify', '--quiet', `${before}:${outputs}`])).ok) return tree
  return git.withIndex(async (env) => {
    await git.run(['read-tree', tree], { env })
    await git.run(['rm', '-r', '--cached', '--quiet', '--ignore-unmatch', '--', outputs], { env })
    const written = await git.run(['write-tree'], { env })
    return written.ok ? written.text.trim() : tree
  })
}
