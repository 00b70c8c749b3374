import { askerAt } from './git-ask.ts'
import type { Host } from './host.ts'

/** What git says of a folder. */
export interface Git {
  /** Why git did not answer; undefined as long as it has. */
  fault(): string | undefined
  works(): Promise<boolean>
  /** The full name of a commit; undefined where there is no such commit. */
  commit(ref: string): Promise<string | undefined>
  /** Those of some commits that cannot be reached from HEAD or another commit, or are gone. */
  outside(commits: readonly string[], of?: string): Promise<string[]>
  /** The files a commit changed. */
  touched(commit: string): Promise<string[]>
  /** Those of some files that HEAD has, and what it calls them. */
  kept(paths: readonly string[]): Promise<Map<string, string>>
  /** Every file that git knows of or would take in; undefined where git cannot say. */
  listing(): Promise<Listed[] | undefined>
  /** A small file as it is in the repository, by what it is called there. */
  small(blob: string): Promise<string | undefined>
}

const smallBytes = 1024

export interface Listed {
  path: string
  /** False: git does not have it yet. */
  tracked: boolean
  /** As the index has it. */
  blob: string
  isModule: boolean
}

/** Git in a folder; undefined where the folder is in no repository. */
export const gitAt = (host: Host, folder: string): Git | undefined => {
  const asker = askerAt(host, folder)
  return asker && { fault: asker.fault, ...questions(asker.ask) }
}

type Ask = (args: readonly string[]) => Promise<string | undefined>

const names = (text: string | undefined): string[] => (text ?? '').split('\0').filter((name) => name !== '')

const questions = (ask: Ask): Omit<Git, 'fault'> => ({
  works: async () => (await ask(['rev-parse', '--is-inside-work-tree']))?.trim() === 'true',
  commit: async (ref) => (await ask(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]))?.trim(),
  outside: async (commits, of = 'HEAD') => {
    if (commits.length === 0) return []
    const isInside = async (some: readonly string[]) =>
      (await ask(['rev-list', '--max-count=1', ...some, `^${of}`])) === ''
    // All of them by one process, as nearly always all is well; only else each by itself.
    if (await isInside(commits)) return []
    const each = await Promise.all(commits.map((commit) => isInside([commit])))
    return commits.filter((_, i) => !each[i])
  },
  touched: async (commit) =>
    names(
      await ask([
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
  kept: async (paths) => {
    const lines = names(await ask(['ls-tree', '-r', '-z', 'HEAD', '--', ...paths]))
    return new Map(
      lines.flatMap((line) => {
        const tab = line.indexOf('\t')
        const [, type, blob = ''] = line.slice(0, tab).split(' ')
        return type === 'blob' ? [[line.slice(tab + 1), blob] as const] : []
      }),
    )
  },
  // Names alone: to compare a file git would first put it through the filters that the repository names.
  listing: async () => {
    const text = await ask(['ls-files', '-z', '-t', '-s', '-o', '--exclude-standard'])
    return text === undefined ? undefined : listed(text)
  },
  small: async (blob) =>
    Number(await ask(['cat-file', '-s', blob])) <= smallBytes ? ask(['cat-file', 'blob', blob]) : undefined,
})

/** One line a file: `? path` for one git does not have, else tag, mode, name and stage before it. */
const listed = (text: string): Listed[] => {
  const found = new Map<string, Listed>()
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
