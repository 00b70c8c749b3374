import type { Host } from '../host/host.ts'
import { gitRunnerAt } from './run-git.ts'

export interface GitHistory {
  /** Leaves out missing commits. */
  read(commits: readonly string[]): Promise<ReadCommit[]>
  /**
   * Returns the commits that were made in this worktree. Reads them from git's reflog of HEAD; empty if git keeps no
   * reflog.
   */
  madeHere(): Promise<Set<string>>
  /** Leaves out merges. Newest first. */
  subjectsBefore(commit: string, most: number): Promise<string[]>
  textAt(commit: string, path: string): Promise<string | undefined>
  tags(patterns: readonly string[]): Promise<{ name: string; sha: string }[]>
}

export interface ReadCommit {
  sha: string
  parents: string[]
  message: string
}

/** If the folder is not in a repository, every result is empty. */
export const historyAt = (host: Host, folder: string): GitHistory =>
  historyOf(gitRunnerAt(host, folder)?.run ?? (async () => undefined))

const lines = (text: string | undefined): string[] => (text ?? '').split('\n').filter((line) => line !== '')

type RunGit = (args: readonly string[]) => Promise<string | undefined>

const historyOf = (run: RunGit): GitHistory => ({
  read: async (commits) => {
    if (commits.length === 0) return []
    const text = await run([
      'log',
      '--no-walk=unsorted',
      '--ignore-missing',
      '--no-show-signature',
      '-z',
      '--format=%H%x00%P%x00%B%x00',
      ...commits,
    ])
    return reads((text ?? '').split('\0'))
  },
  madeHere: async () => {
    const text = await run(['log', '--walk-reflogs', '--no-show-signature', '--format=%H %gs', 'HEAD'])
    // Each line is a hash and the action that moved HEAD. Take only the actions that make a commit in this worktree: a
    // merge or a checkout can bring in commits of others.
    const made = lines(text).filter((line) => /^\w+ (?:commit|rebase|cherry-pick|revert|am)\b/.test(line))
    return new Set(made.map((line) => line.slice(0, line.indexOf(' '))))
  },
  subjectsBefore: async (commit, most) =>
    lines(
      await run([
        'log',
        '--no-merges',
        '--no-show-signature',
        `--max-count=${most}`,
        '--format=%s',
        `${commit}^@`,
      ]),
    ),
  textAt: (commit, path) => run(['cat-file', 'blob', `${commit}:${path}`]),
  tags: async (patterns) => {
    const format = '--format=%(refname:strip=2) %(objectname) %(*objectname)'
    const text = await run(['for-each-ref', format, ...patterns.map((pattern) => `refs/tags/${pattern}`)])
    return lines(text).map((line) => {
      const [name = '', own = '', tagged] = line.trim().split(' ')
      // An annotated tag is a separate object: return the commit that it points to.
      return { name, sha: tagged || own }
    })
  },
})

/** Reads four fields for each commit: hash, parents, message and an empty separator. */
const reads = (fields: readonly string[]): ReadCommit[] => {
  const found: ReadCommit[] = []
  for (let i = 0; i + 2 < fields.length; i += 4) {
    const [sha = '', parents = '', message = ''] = fields.slice(i, i + 3)
    if (sha !== '') found.push({ sha, parents: parents.split(' ').filter((each) => each !== ''), message })
  }
  return found
}
