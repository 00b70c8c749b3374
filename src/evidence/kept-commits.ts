import type { CommitsSince } from '../git/commits-since.ts'
import { isShallow } from '../git/git-folder.ts'
import type { Context, Project } from '../operation/context.ts'
import type { Evidence } from './evidence.ts'
import type { EvidenceFolder } from './evidence-folder.ts'
import type { KeptCommits } from './observed-atom.ts'
import type { SpawnHistory } from './spawn-history.ts'

/** If the JSON of the commits is longer than this, it is not stored, and the commits are read from git again. */
const mostCharacters = 4096

/**
 * Returns the commits of a history in the form in which they are stored with evidence. Returns undefined if they cannot
 * be stored, in four cases:
 * - Their JSON is too long.
 * - They do not start where the work began.
 * - HEAD moved before git read them.
 * - The repository is shallow.
 */
export const commitsToKeep = (
  { host }: Project,
  { top, head, terms }: EvidenceFolder,
  history: SpawnHistory | undefined,
): KeptCommits | undefined => {
  const from = terms?.began
  if (!history || from === undefined || history.from !== from) return undefined
  // Git lists HEAD first.
  if (history.commits[0]?.sha !== head || isShallow(host, top)) return undefined
  const kept = { from, commits: history.commits }
  return JSON.stringify(kept).length > mostCharacters ? undefined : kept
}

/**
 * Returns the commits of a spawn that are stored with its evidence. Returns undefined if git must be asked.
 *
 * Only the spawn itself uses stored commits. Everyone else, such as `receive`, reads the commits from git again,
 * because stored commits can be false. When git reads a commit, it does not compare the commit with its hash. So an
 * agent could replace a commit, give evidence, and put the old commit back.
 */
export const keptCommits = (
  { host, actor }: Context,
  { folder, top, head, terms }: EvidenceFolder,
  spawn: string,
  rows: readonly Evidence[],
): CommitsSince | undefined => {
  if (!actor.agent || actor.id !== spawn || head === undefined || isShallow(host, top)) return undefined
  const kept = rows
    .filter((row) => row.spawn === spawn && row.worktree === folder && row.head === head)
    .flatMap(({ atoms }) => atoms)
    .flatMap((atom) => (atom.kind === 'commit' && atom.sha === head ? (atom.since ?? []) : []))
    .findLast(({ from }) => from === terms?.began)
  return kept && { commits: kept.commits, more: false }
}
