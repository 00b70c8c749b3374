import type { GitWriter } from '../host/git-writer.ts'
import { linkedWorktree } from '../host/repository.ts'
import type { Context } from '../operation/context.ts'
import { refOf } from './integration.ts'
import type { WorktreeRow } from './sql.ts'

/**
 * What is at the place of a worktree: a worktree of this repository, nothing, a folder that git does not know as a
 * worktree any more, or one whose link to the repository is broken.
 */
export type Condition = 'there' | 'missing' | 'emptied' | 'unlinked'

export const conditionOf = async ({ host }: Context, git: GitWriter, folder: string): Promise<Condition> => {
  const kind = host.files.kind(folder)
  if (kind === undefined) return 'missing'
  if (host.files.kind(`${folder}/.git`) !== 'file') return 'emptied'
  const linked = await linkedWorktree(host, folder)
  return linked?.top === folder && linked.main === git.top ? 'there' : 'unlinked'
}

/** Returns the files of a worktree that are in no commit; ignored files and output files are left out. */
export const uncommittedIn = async (git: GitWriter, folder: string): Promise<string[]> => {
  const places = [`--git-dir=${folder}/.git`, `--work-tree=${folder}`]
  const status = await git.run([...places, 'status', '--porcelain', '-z', '--no-renames'], { folder })
  // If git does not answer, nothing is known about these files: they count as not saved.
  if (!status.ok) return ['.']
  return status.text
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => line.slice(3))
}

/** How many commits the branch of a worktree has that its base does not have. */
export const commitsAhead = async (git: GitWriter, { branch, base }: WorktreeRow): Promise<number> => {
  if (!branch) return 0
  const counted = await git.run(['rev-list', '--count', '--no-merges', refOf(branch), `^${base}`])
  return counted.ok ? Number(counted.text.trim()) : 0
}
