import { askerAt } from './git-ask.ts'
import type { Host } from './host.ts'

/** What git tells of the history of a folder. */
export interface GitHistory {
  /** Some commits with what was said of them; those that are not there are left out. */
  read(commits: readonly string[]): Promise<Read[]>
  /** Commits without merges that HEAD has and another commit has not, newest first. */
  beyond(other: string, most: number): Promise<string[]>
  /** Subjects of what was committed before a commit, newest first. */
  subjectsBefore(commit: string, most: number): Promise<string[]>
  /** Where HEAD of this folder was at a time, or where it first was. */
  headAt(ms: number): Promise<string | undefined>
  /** Files that are different in the index from what they were in a commit. */
  differing(commit: string): Promise<string[]>
  /** A file as a commit has it. */
  textAt(commit: string, path: string): Promise<string | undefined>
  /** Tags that fit one of some patterns, and the commits they stand for. */
  tags(patterns: readonly string[]): Promise<{ name: string; sha: string }[]>
}

export interface Read {
  sha: string
  parents: string[]
  message: string
}

/** Without a repository every answer is empty. */
export const historyAt = (host: Host, folder: string): GitHistory =>
  questions(askerAt(host, folder)?.ask ?? (async () => undefined))

const lines = (text: string | undefined): string[] => (text ?? '').split('\n').filter((line) => line !== '')

type Ask = (args: readonly string[]) => Promise<string | undefined>

const questions = (ask: Ask): GitHistory => ({
  read: async (commits) => {
    if (commits.length === 0) return []
    const text = await ask([
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
  beyond: async (other, most) =>
    lines(await ask(['rev-list', '--no-merges', `--max-count=${most}`, 'HEAD', `^${other}`])),
  subjectsBefore: async (commit, most) =>
    lines(
      await ask([
        'log',
        '--no-merges',
        '--no-show-signature',
        `--max-count=${most}`,
        '--format=%s',
        `${commit}^@`,
      ]),
    ),
  headAt: async (ms) =>
    (await ask(['rev-parse', '--verify', '--quiet', `HEAD@{${new Date(ms).toISOString()}}`]))?.trim(),
  differing: async (commit) =>
    ((await ask(['diff-index', '--cached', '--name-only', '--no-renames', '--relative', '-z', commit])) ?? '')
      .split('\0')
      .filter((path) => path !== ''),
  textAt: (commit, path) => ask(['cat-file', 'blob', `${commit}:${path}`]),
  tags: async (patterns) => {
    const format = '--format=%(refname:strip=2) %(objectname) %(*objectname)'
    const text = await ask(['for-each-ref', format, ...patterns.map((pattern) => `refs/tags/${pattern}`)])
    return lines(text).map((line) => {
      const [name = '', own = '', tagged] = line.trim().split(' ')
      // An annotated tag is an object of its own; the commit is what it stands for.
      return { name, sha: tagged || own }
    })
  },
})

/** Name, parents and message of each, and a separator. */
const reads = (fields: readonly string[]): Read[] => {
  const found: Read[] = []
  for (let i = 0; i + 2 < fields.length; i += 4) {
    const [sha = '', parents = '', message = ''] = fields.slice(i, i + 3)
    if (sha !== '') found.push({ sha, parents: parents.split(' ').filter((each) => each !== ''), message })
  }
  return found
}
