import type { Host } from './host.ts'
import { gitRunnerAt } from './run-git.ts'

/** What CLEO asks git about a folder. */
export interface Git {
  /** Why git failed; undefined while it works. */
  fault(): string | undefined
  works(): Promise<boolean>
  /** The full hash of a commit; undefined if there is no such commit. */
  commit(ref: string): Promise<string | undefined>
  /** Those of the given commits that are missing or not reachable from `of` (default: HEAD). */
  notReachable(commits: readonly string[], of?: string): Promise<string[]>
  /** The files a commit changed. */
  touched(commit: string): Promise<string[]>
  /** The blob hash of each given file that is in HEAD. */
  blobsInHead(paths: readonly string[]): Promise<Map<string, string>>
  /** Every file that git tracks or would add; undefined if git fails. */
  listing(): Promise<ListedFile[] | undefined>
  /** The text of a blob; undefined if it is larger than `smallBytes`. */
  smallBlobText(blob: string): Promise<string | undefined>
}

const smallBytes = 1024

export interface ListedFile {
  path: string
  /** False for an untracked file that git does not ignore. */
  tracked: boolean
  /** Hash of the blob in the index; empty for an untracked file. */
  blob: string
  isModule: boolean
}

/** Undefined if the folder is not in a repository. */
export const gitAt = (host: Host, folder: string): Git | undefined => {
  const runner = gitRunnerAt(host, folder)
  return runner && { fault: runner.fault, ...commands(runner.run) }
}

type RunGit = (args: readonly string[]) => Promise<string | undefined>

const names = (text: string | undefined): string[] => (text ?? '').split('\0').filter((name) => name !== '')

const commands = (run: RunGit): Omit<Git, 'fault'> => ({
  works: async () => (await run(['rev-parse', '--is-inside-work-tree']))?.trim() === 'true',
  commit: async (ref) => (await run(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]))?.trim(),
  notReachable: async (commits, of = 'HEAD') => {
    if (commits.length === 0) return []
    const isInside = async (some: readonly string[]) =>
      (await run(['rev-list', '--max-count=1', ...some, `^${of}`])) === ''
    // Usually all commits are reachable, so one git process checks them together. If not, check each by itself.
    if (await isInside(commits)) return []
    const each = await Promise.all(commits.map((commit) => isInside([commit])))
    return commits.filter((_, i) => !each[i])
  },
  touched: async (commit) =>
    names(
      await run([
        'diff-tree',
        '--no-commit-id',
        '--name-only',
        '--relative',
        '-r',
        '-m',
        '--root',
        '-z',
        commit,
      ]),
    ),
  blobsInHead: async (paths) => {
    const lines = names(await run(['ls-tree', '-r', '-z', 'HEAD', '--', ...paths]))
    return new Map(
      lines.flatMap((line) => {
        const tab = line.indexOf('\t')
        const [, type, blob = ''] = line.slice(0, tab).split(' ')
        return type === 'blob' ? [[line.slice(tab + 1), blob] as const] : []
      }),
    )
  },
  // Does not ask git which files changed: to compare them, git would run the filters that the repository configures.
  listing: async () => {
    const text = await run(['ls-files', '-z', '-t', '-s', '-o', '--exclude-standard'])
    return text === undefined ? undefined : listed(text)
  },
  smallBlobText: async (blob) =>
    Number(await run(['cat-file', '-s', blob])) <= smallBytes ? run(['cat-file', 'blob', blob]) : undefined,
})

/** Reads one line per file: `? path` for an untracked file, else tag, mode, blob, stage and path. */
const listed = (text: string): ListedFile[] => {
  const found = new Map<string, ListedFile>()
  for (const line of names(text)) {
    if (line.startsWith('? ')) {
      const path = line.slice(2)
      found.set(path, { path, tracked: false, blob: '', isModule: false })
      continue
    }
    const tab = line.indexOf('\t')
    const [, mode, blob = ''] = line.slice(0, tab).split(' ')
    const path = line.slice(tab + 1)
    found.set(path, { path, tracked: true, blob, isModule: mode === '160000' })
  }
  return [...found.values()]
}
