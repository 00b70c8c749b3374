import { optionsOf } from '../claims/sql/spawns.ts'
import { type Git, gitAt } from '../host/git.ts'
import { historyAt, type ReadCommit } from '../host/git-history.ts'
import { topOfRepository } from '../host/repository.ts'
import { isBelow } from '../kernel/path.ts'
import type { Protocol } from '../kernel/protocol.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import type { Commit, GitFacts, RuleFacts } from './rules/rule-facts.ts'
import { ownWorktree, type SpawnedTask, workFolderOf } from './spawned-task.ts'

const mostCommits = 50
const mostSubjects = 50
/** Only these protocols have rules about commits. */
const committing: readonly Protocol[] = ['implementation', 'contribution']

/** Reads the commits given as evidence, and the commits of the agent's worktree that the project does not have. */
export const commitsOf = async (spawned: SpawnedTask): Promise<GitFacts | undefined> => {
  const { context, spawn, given } = spawned
  const { host, root } = context
  const git = committing.includes(spawn.protocol) ? gitAt(host, workFolderOf(spawned)) : undefined
  if (!git || !(await git.works())) return undefined
  const history = historyAt(host, workFolderOf(spawned))
  const main = ownWorktree(spawned) && (await gitAt(host, root)?.commit('HEAD'))
  const beyond = main ? await history.commitsNotIn(main, mostCommits) : []
  const reads = await history.read([...new Set([...given.commits, ...beyond])].slice(0, mostCommits))
  const oldest = reads.at(-1)
  return {
    commits: await Promise.all(reads.map((read) => withFiles(git, read))),
    earlier: oldest ? await history.subjectsBefore(oldest.sha, mostSubjects) : [],
  }
}

const withFiles = async (git: Git, { sha, parents, message }: ReadCommit): Promise<Commit> => ({
  sha,
  message,
  files: await git.touched(sha),
  merge: parents.length > 1,
})

/** Returns the files that changed in the agent's own worktree since the agent was spawned. */
export const changedFiles = async (spawned: SpawnedTask): Promise<RuleFacts['changed']> => {
  const { context, spawn } = spawned
  const folder = ownWorktree(spawned)
  const git = folder && gitAt(context.host, folder)
  if (!git) return undefined
  const history = historyAt(context.host, folder)
  const began = await history.headAt(spawn.at)
  const { repositoryState } = await import('../host/repository-state.ts')
  const top = topOfRepository(context.host, folder)!
  const state = await repositoryState(context.host, top, { since: spawn.at, maySkip: true })
  if (began === undefined || state === undefined) return undefined
  const below = folder === top ? '' : `${folder.slice(top.length + 1)}/`
  const open = state.open.flatMap(({ path }) => (path.startsWith(below) ? [path.slice(below.length)] : []))
  const paths = new Set([...(await history.differing(began)), ...open])
  const { outputRoots, manifest } = workFoldersIn(context, folder, optionsOf(spawn))
  const isOutput = (path: string) => path === manifest || outputRoots.some((output) => isBelow(output, path))
  return [...paths].sort().map((path) => ({ path, output: isOutput(`${folder}/${path}`) }))
}
