import type { GitWriter } from '../git/git-writer.ts'
import { linkedWorktree } from '../git/repository.ts'
import { repositoryState } from '../git/repository-state.ts'
import type { Host } from '../host/host.ts'
import type { Context } from '../operation/context.ts'
import { refOf } from './integration.ts'
import type { WorktreeRow } from './sql.ts'

/**
 * What is at the path of a worktree. `there`: a worktree of this repository. `missing`: nothing. `emptied`: a folder
 * that is not a worktree any more. `unlinked`: a worktree whose link to the repository is broken.
 */
export type Condition = 'there' | 'missing' | 'emptied' | 'unlinked'

export const conditionOf = async ({ host }: Context, git: GitWriter, folder: string): Promise<Condition> => {
  const kind = host.files.kind(folder)
  if (kind === undefined) return 'missing'
  if (host.files.kind(`${folder}/.git`) !== 'file') return 'emptied'
  const linked = await linkedWorktree(host, folder)
  return linked?.top === folder && linked.main === git.top ? 'there' : 'unlinked'
}

/**
 * Returns the files of a worktree that are in no commit. Leaves out ignored files and output files. Does not use
 * `git status`, because that command obeys settings that hide files. `git status` would also start git in repositories
 * inside the worktree. An agent can write the settings of these repositories, and such settings can make git start
 * programs.
 */
export const uncommittedIn = async (host: Host, folder: string): Promise<string[]> => {
  const state = await repositoryState(host, folder, { maySkip: true })
  // If git fails, CLEO knows nothing about the files, so the whole worktree counts as uncommitted.
  return state ? state.open.map(({ path }) => path) : ['.']
}

export const commitsAhead = async (git: GitWriter, { branch, base }: WorktreeRow): Promise<number> => {
  if (!branch) return 0
  const counted = await git.run(['rev-list', '--count', '--no-merges', refOf(branch), `^${base}`])
  return counted.ok ? Number(counted.text.trim()) : 0
}
