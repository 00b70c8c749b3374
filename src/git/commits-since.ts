import type { RunGit } from './run-git.ts'

export interface SinceCommit {
  sha: string
  tree: string
  parents: string[]
  /** When the commit was made, in milliseconds. A rebase or an amend changes this time. */
  at: number
  message: string
  /** For a merge, only the files that differ from all parents. */
  files: string[]
}

const mostCommits = 1000

export interface CommitsSince {
  /** Newest first. */
  commits: SinceCommit[]
  more: boolean
}

/**
 * Reads, with one process, the commits that HEAD contains and `from` does not. In the output, a random word
 * separates the commits, because a fixed word could also occur in a message or a file name. Returns undefined if
 * git fails or does not know `from`.
 */
export const commitsSince = async (
  run: RunGit,
  from: string | undefined,
  word: string,
): Promise<CommitsSince | undefined> => {
  const text = await run([
    'log',
    '-z',
    '-c',
    '--name-only',
    '--no-renames',
    '--no-show-signature',
    '--ignore-submodules=none',
    `--max-count=${mostCommits + 1}`,
    `--format=${word}%H%x00%T%x00%P%x00%ct%x00%B%x00`,
    from === undefined ? 'HEAD' : `${from}..HEAD`,
    '--',
  ])
  if (text === undefined) return undefined
  const all = text.split(word).slice(1).map(read)
  return { commits: all.slice(0, mostCommits), more: all.length > mostCommits }
}

const read = (record: string): SinceCommit => {
  const [sha = '', tree = '', parents = '', seconds = '', message = '', ...names] = record.split('\0')
  return {
    sha,
    tree,
    parents: parents.split(' ').filter((each) => each !== ''),
    at: Number(seconds) * 1000,
    message,
    // Git puts a line break before the first name.
    files: names.map((name, i) => (i < 2 && name.startsWith('\n') ? name.slice(1) : name)).filter(Boolean),
  }
}
