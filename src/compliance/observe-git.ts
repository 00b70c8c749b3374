import { historyAt } from '../host/git-history.ts'
import { shellQuote } from '../kernel/print/shell-quote.ts'
import type { GitFacts, RuleFacts } from './rules/rule-facts.ts'
import type { SpawnedTask } from './spawned-task.ts'

const mostSubjects = 50

/** Returns the commits of a spawn; for a contribution, also the subjects of earlier commits. */
export const commitsOf = async ({ context, spawn, standing }: SpawnedTask): Promise<GitFacts | undefined> => {
  const work = await standing.work!.commits()
  if (!work) return undefined
  const { folder, isOwn, commits } = work
  const oldest = spawn.protocol === 'contribution' ? commits.at(-1) : undefined
  return {
    commits,
    isOwn,
    command: gitCommand(context.host.cwd, folder),
    earlier: oldest ? await historyAt(context.host, folder).subjectsBefore(oldest.sha, mostSubjects) : [],
  }
}

/** Returns the files outside the output folders that the spawn changed. */
export const changedFiles = async ({ context, standing }: SpawnedTask): Promise<RuleFacts['changed']> => {
  const changes = await standing.work!.changes()
  return changes && { ...changes, command: gitCommand(context.host.cwd, changes.folder) }
}

/** The start of a git command in a folder, as the caller has to type it. */
const gitCommand = (cwd: string, folder: string): string =>
  cwd === folder ? 'git' : `git -C ${shellQuote(folder)}`
