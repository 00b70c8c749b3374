import type { CommitsSince, SinceCommit } from '../git/commits-since.ts'
import type { Git } from '../git/git.ts'
import { headOf } from '../git/repository.ts'
import { parseTaskId } from '../kernel/task-id.ts'
import type { Project } from '../operation/context.ts'
import { type EvidenceFolder, folderAtCommit } from './evidence-folder.ts'

export interface SpawnHistory {
  /** The commits that are reachable from HEAD, but not from the commit where the spawn began. */
  commits: SinceCommit[]
  /** The items of `commits` that the spawn could have made. */
  own: SinceCommit[]
  /**
   * The commit after which `commits` starts. Undefined if `commits` is empty, or if it starts with the first commit of
   * the repository.
   */
  from?: string
  /** Why the commits are not known: HEAD does not descend from the commit where the spawn began. */
  problem?: string
}

const known = new WeakMap<Project, Map<string, Promise<SpawnHistory | undefined>>>()

/**
 * Returns the commits since the spawn began. If HEAD does not descend from the commit at which the spawn began, returns
 * a problem instead. The result is kept, because a command needs it twice: to recheck evidence and to check the rules
 * about commits. If the caller already knows the commits since the work began, it passes them as `kept`.
 */
export const historyOf = (
  project: Project,
  where: EvidenceFolder,
  task: string,
  kept?: CommitsSince,
): Promise<SpawnHistory | undefined> => {
  const own = known.get(project) ?? new Map<string, Promise<SpawnHistory | undefined>>()
  known.set(project, own)
  const key = JSON.stringify([where.folder, where.head, where.spawn?.id, task])
  const history = own.get(key) ?? readHistory(project, where, task, kept)
  own.set(key, history)
  return history
}

const readHistory = async (
  project: Project,
  where: EvidenceFolder,
  task: string,
  kept: CommitsSince | undefined,
): Promise<SpawnHistory | undefined> => {
  const { git, terms, head } = where
  if (!git || !terms?.git) return undefined
  const none = { commits: [], own: [] }
  const { began, from } = terms
  if (head === undefined || head === began) return none
  // If the history was rewritten between two attempts, the commits since the start of the later attempt are used.
  for (const start of new Set([began, from ?? began])) {
    const since = (start === began && kept) || (await git.commitsSince(start))
    if (git.fault()) return undefined
    if (since && (await descends(git, start, since)))
      return {
        commits: since.commits,
        own: await ownCommits(project, where, task, since.commits),
        ...(start !== undefined && { from: start }),
      }
  }
  return { ...none, problem: await foreignHistory(git, where, began!) }
}

/**
 * Returns the tree of HEAD, then the commit of each ref. If there are no refs and the history contains HEAD, does
 * not ask git.
 */
export const treeOf = async (
  { git, head }: EvidenceFolder,
  history: SpawnHistory | undefined,
  refs: readonly string[] = [],
): Promise<(string | undefined)[]> => {
  const tree = history?.commits.find(({ sha }) => sha === head)?.tree
  if (tree && refs.length === 0) return [tree]
  return git!.resolve(['HEAD^{tree}', ...refs.map((ref) => `${ref}^{commit}`)])
}

/**
 * Whether HEAD descends from `start`. The answer is yes if `start` is a parent of one of the listed commits. Otherwise
 * the answer is no for a complete list. For an incomplete list, asks git.
 */
const descends = async (
  git: Git,
  start: string | undefined,
  { commits, more }: CommitsSince,
): Promise<boolean> =>
  start === undefined ||
  commits.some(({ parents }) => parents.includes(start)) ||
  (more && (await git.notReachable([start])).length === 0)

const foreignHistory = async (git: Git, where: EvidenceFolder, began: string): Promise<string> => {
  const { spawn, folder } = where
  const commit = began.slice(0, 7)
  if ((await git.commit(began)) === undefined)
    return `${folder} is another repository: it does not have commit ${commit}, where ${spawn!.id} began`
  return `${folderAtCommit(where)} does not descend from ${commit}, where ${spawn!.id} began; check out the branch that does, or rebase your commits onto ${commit}`
}

const clockSkewMs = 10 * 60_000

/**
 * Leaves out commits that the spawn did not make. A commit that names tasks is kept only if it names this task.
 * A commit that names no task is left out in two cases:
 * - it came from another branch and is older than the spawn
 * - the main checkout has it too
 */
const ownCommits = async (
  { host, root }: Project,
  where: EvidenceFolder,
  task: string,
  commits: readonly SinceCommit[],
): Promise<SinceCommit[]> => {
  const { folder, terms, spawn, head } = where
  const landed = folder === root ? new Set() : reachable(commits, [await headOf(host, root)])
  const start = (terms?.at ?? spawn?.at ?? 0) - clockSkewMs
  const older = new Set(commits.filter(({ at }) => at < start).map(({ sha }) => sha))
  const merged = older.size > 0 ? await mergedCommits(where.git!, commits, head, older) : older
  return commits.filter(({ sha, message }) => {
    const named = namedTasks(message)
    return named.length > 0 ? named.includes(task) : !landed.has(sha) && !merged.has(sha)
  })
}

/**
 * Returns the commits that are older than the spawn and came from another branch. The date alone does not decide: a
 * commit of the spawn itself can have an old date, if a clock is wrong or the project sets the dates of its commits.
 */
const mergedCommits = async (
  git: Git,
  commits: readonly SinceCommit[],
  head: string | undefined,
  older: ReadonlySet<string>,
): Promise<ReadonlySet<string>> => {
  const own = new Set<string>()
  const known = new Map(commits.map((commit) => [commit.sha, commit]))
  for (let at = known.get(head ?? ''); at; at = known.get(at.parents[0] ?? '')) own.add(at.sha)
  const straight = commits.filter(({ sha }) => older.has(sha) && own.has(sha))
  const isElsewhere = straight[0] && (await git.otherRefsWith(straight.at(-1)!.sha)).length > 0
  return new Set([...older].filter((sha) => isElsewhere || !own.has(sha)))
}

/** Returns the tasks that are named in the trailers of a commit message, as in `Task: T012`. */
export const namedTasks = (message: string): string[] =>
  message.split('\n').flatMap((line) => {
    const names = /^task:(.*)$/i.exec(line)?.[1]?.split(',') ?? []
    // A number without T can be an id of another issue tracker.
    return names.flatMap((name) => (/^\s*t\d/i.test(name) ? (parseTaskId(name) ?? []) : []))
  })

export const reachable = (
  commits: readonly SinceCommit[],
  from: readonly (string | null | undefined)[],
): Set<string> => {
  const known = new Map(commits.map((commit) => [commit.sha, commit]))
  const found = new Set<string>()
  const open = from.flatMap((sha) => sha ?? [])
  while (open.length > 0) {
    const sha = open.pop()!
    const commit = known.get(sha)
    if (!commit || found.has(sha)) continue
    found.add(sha)
    open.push(...commit.parents)
  }
  return found
}
