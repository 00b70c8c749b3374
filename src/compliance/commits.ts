import { type Git, gitAt } from '../host/git.ts'
import { historyAt, type ReadCommit } from '../host/git-history.ts'
import type { Protocol } from '../kernel/protocol.ts'
import type { Commit, GitFacts } from './rules/observed.ts'
import { ownFolder, type Sight, workFolder } from './sight.ts'

const mostCommits = 50
const mostSubjects = 50
/** Of the others nobody asks what they committed. */
const committing: readonly Protocol[] = ['implementation', 'contribution']

/** The commits of the work: those given as evidence, and those of its own folder that the project does not have yet. */
export const commitsOf = async (sight: Sight): Promise<GitFacts | undefined> => {
  const { context, spawn, given } = sight
  const { host, root } = context
  const git = committing.includes(spawn.protocol) ? gitAt(host, workFolder(sight)) : undefined
  if (!git || !(await git.works())) return undefined
  const history = historyAt(host, workFolder(sight))
  const main = ownFolder(sight) && (await gitAt(host, root)?.commit('HEAD'))
  const beyond = main ? await history.beyond(main, mostCommits) : []
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
