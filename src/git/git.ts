import type { Host } from '../host/host.ts'
import { type CommitsSince, commitsSince } from './commits-since.ts'
import { configTexts } from './git-folder.ts'
import {
  differencesFromHead,
  type GitSettings,
  type IndexDifference,
  type ListedFile,
  listFiles,
  listUntracked,
  readSettings,
  settingsInFiles,
  stagedDifferences,
} from './git-index.ts'
import { gitRunnerAt, type RunGit } from './run-git.ts'

/** Read-only git queries about a folder. */
export interface Git {
  /** Returns why git failed; undefined while it works. */
  fault(): string | undefined
  works(): Promise<boolean>
  /** Returns the full hash of a commit; undefined if there is no such commit. */
  commit(ref: string): Promise<string | undefined>
  /** Returns the given commits that are missing or not reachable from `of` (default: HEAD). */
  notReachable(commits: readonly string[], of?: string): Promise<string[]>
  touched(commit: string): Promise<string[]>
  /** Returns the full hash of each name, such as `HEAD^{tree}`; undefined for a name that git does not know. */
  resolve(names: readonly string[]): Promise<(string | undefined)[]>
  /**
   * Returns the commits that HEAD contains and `from` does not. If `from` is undefined, returns all commits of HEAD.
   */
  commitsSince(from: string | undefined): Promise<CommitsSince | undefined>
  /** Returns the branches and tags that contain a commit, except the branch that is checked out. */
  otherRefsWith(commit: string): Promise<string[]>
  /** Returns undefined if git fails. */
  filesBetween(tree: string, other: string): Promise<string[] | undefined>
  /** Returns every file that git tracks or would add; undefined if git fails. */
  listing(): Promise<ListedFile[] | undefined>
  untracked(): Promise<ListedFile[] | undefined>
  settings(): Promise<GitSettings | undefined>
  differences(settings: GitSettings): Promise<IndexDifference[] | undefined>
  /**
   * Compares the tracked files with HEAD. `files` lists them as the index records them. Does not use the list of trees
   * in the index, because an agent can forge that list. Returns undefined if git fails.
   */
  stagedDifferences(files: readonly ListedFile[]): Promise<IndexDifference[] | undefined>
  /** Returns undefined if the blob is larger than `smallBytes`. */
  smallBlobText(blob: string): Promise<string | undefined>
}

const smallBytes = 1024

/** Returns undefined if the folder is not in a repository. */
export const gitAt = (host: Host, folder: string): Git | undefined => {
  const runner = gitRunnerAt(host, folder)
  if (!runner) return undefined
  const { fault, run, top, program } = runner
  const settings = async () => {
    const texts = await configTexts(host, top, program)
    return (texts && settingsInFiles(texts)) ?? readSettings(run)
  }
  return { fault, settings, ...commands(run, () => host.randomId(24)) }
}

const names = (text: string | undefined): string[] => (text ?? '').split('\0').filter((name) => name !== '')

const commands = (run: RunGit, randomWord: () => string): Omit<Git, 'fault' | 'settings'> => ({
  works: async () => (await run(['rev-parse', '--is-inside-work-tree']))?.trim() === 'true',
  commit: async (ref) => (await run(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]))?.trim(),
  notReachable: async (commits, of = 'HEAD') => {
    if (commits.length === 0) return []
    const isInside = async (some: readonly string[]) =>
      (await run(['rev-list', '--max-count=1', ...some, `^${of}`])) === ''
    // Usually all commits are reachable, so one git process checks all of them together. If that check fails, git
    // checks each commit separately.
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
  resolve: async (names) => {
    const input = names.map((name) => `${name}\n`).join('')
    const text = await run(['cat-file', '--batch-check=%(objectname)'], { input })
    const found = (text ?? '').split('\n')
    return names.map((_, i) => (/^[0-9a-f]+$/.test(found[i] ?? '') ? found[i] : undefined))
  },
  commitsSince: (from) => commitsSince(run, from, randomWord()),
  otherRefsWith: async (commit) => {
    const text = await run(['for-each-ref', `--contains=${commit}`, '--format=%(HEAD)%(refname)'])
    return (text ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('*'))
  },
  filesBetween: async (tree, other) => {
    const text = await run(['diff-tree', '-r', '-z', '--name-only', '--no-renames', tree, other, '--'])
    return text === undefined ? undefined : names(text)
  },
  listing: () => listFiles(run),
  untracked: () => listUntracked(run),
  differences: (settings) => differencesFromHead(run, settings),
  stagedDifferences: (files) => stagedDifferences(run, files),
  smallBlobText: async (blob) =>
    Number(await run(['cat-file', '-s', blob])) <= smallBytes ? run(['cat-file', 'blob', blob]) : undefined,
})
