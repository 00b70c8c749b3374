import type { Host, Ran } from './host.ts'
import { hasRepository } from './repository.ts'

/** What git says of a folder. Every question is bounded, changes nothing and starts no program of the repository. */
export interface Git {
  /** There is a git, and it takes the folder for part of a repository. */
  works(): Promise<boolean>
  /** The full name of a commit; undefined where there is no such commit. */
  commit(ref: string): Promise<string | undefined>
  /** Those of some commits that cannot be reached from HEAD, or are gone. */
  outside(commits: readonly string[]): Promise<string[]>
  /** The files a commit changed. */
  touched(commit: string): Promise<string[]>
  /** Those of some files that HEAD does not have as they are in the folder, each with the reason. */
  uncommitted(paths: readonly string[]): Promise<Map<string, string>>
  /** Every file that git knows of or would take in; undefined where git cannot say. */
  listing(): Promise<Listed[] | undefined>
  /** What each of some files would be named in the repository; undefined where one could not be read. */
  blobs(paths: readonly string[]): Promise<string[] | undefined>
}

export interface Listed {
  path: string
  /** `other`: git does not have it yet. */
  state: 'same' | 'changed' | 'gone' | 'other'
  /** As the index has it. */
  blob: string
}

const secondsEach = 30
const mostBytes = 64 << 20

// A worktree is no boundary: what an agent writes into the shared repository must not run here.
const careful = [
  '--no-optional-locks',
  '--no-pager',
  '--literal-pathspecs',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.fsmonitor=false',
]
const passed = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR']

/** Git in a folder; undefined where the folder is in no repository. */
export const gitAt = (host: Host, folder: string): Git | undefined =>
  hasRepository(host, folder) ? questions((args, input = '') => run(host, folder, args, input)) : undefined

const run = (host: Host, cwd: string, args: readonly string[], input: string): Promise<Ran> =>
  host.processes.run('git', [...careful, ...args], {
    cwd,
    // None of the caller's GIT_ variables: they could point git elsewhere.
    env: {
      ...Object.fromEntries(passed.flatMap((name) => (host.env[name] ? [[name, host.env[name]]] : []))),
      LC_ALL: 'C',
      GIT_TERMINAL_PROMPT: '0',
    },
    input,
    timeoutMs: secondsEach * 1000,
    maxBytes: mostBytes,
    keep: 'output',
    alone: true,
  })

type Ask = (args: readonly string[], input?: string) => Promise<Ran>

/** What it wrote, where all went well. */
const said = (ran: Ran): string | undefined => (ran.end === 'exited' && ran.code === 0 ? ran.tail : undefined)

const names = (text: string | undefined): string[] => (text ?? '').split('\0').filter((name) => name !== '')

const questions = (ask: Ask): Git => ({
  works: async () => said(await ask(['rev-parse', '--is-inside-work-tree']))?.trim() === 'true',
  commit: async (ref) => said(await ask(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]))?.trim(),
  outside: async (commits) => {
    if (commits.length === 0) return []
    const isInside = async (some: readonly string[]) =>
      said(await ask(['rev-list', '--max-count=1', ...some, '^HEAD'])) === ''
    // All of them by one process, as nearly always all is well; only else each by itself.
    if (await isInside(commits)) return []
    const each = await Promise.all(commits.map((commit) => isInside([commit])))
    return commits.filter((_, i) => !each[i])
  },
  touched: async (commit) =>
    names(
      said(await ask(['diff-tree', '--no-commit-id', '--name-only', '-r', '-m', '--root', '-z', commit])),
    ),
  uncommitted: (paths) => uncommitted(ask, paths),
  listing: async () => {
    const flags = ['-z', '-v', '-s', '-c', '-m', '-d', '-o', '--exclude-standard']
    const text = said(await ask(['ls-files', ...flags]))
    return text === undefined ? undefined : listed(text)
  },
  blobs: async (paths) => {
    const text = said(await ask(['hash-object', '--stdin-paths'], paths.map((path) => `${path}\n`).join('')))
    const all = text?.split('\n').slice(0, -1)
    return all?.length === paths.length ? all : undefined
  },
})

const uncommitted = async (ask: Ask, paths: readonly string[]): Promise<Map<string, string>> => {
  const [tree, status] = await Promise.all([
    ask(['ls-tree', '-r', '-z', '--name-only', 'HEAD', '--', ...paths]),
    ask(['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--', ...paths]),
  ])
  const kept = new Set(names(said(tree)))
  const dirty = new Set(names(said(status)).map((line) => line.slice(3)))
  const reasons = new Map<string, string>()
  for (const path of paths) {
    if (!kept.has(path)) reasons.set(path, 'is not committed')
    else if (dirty.has(path)) reasons.set(path, 'has changes that are not committed')
  }
  return reasons
}

/**
 * One line a file, a changed one also under the tag that says so: `H` as in the index, `C` changed, `R` gone, `?` not
 * known. In lower case and under `S` stand those git was told to look away from: they count as changed, to be looked at.
 */
const listed = (text: string): Listed[] => {
  const found = new Map<string, Listed>()
  for (const line of names(text)) {
    const tag = line[0]!
    if (tag === '?') {
      const path = line.slice(2)
      found.set(path, { path, state: 'other', blob: '' })
      continue
    }
    const tab = line.indexOf('\t')
    const path = line.slice(tab + 1)
    const blob = line.slice(9, tab - 2)
    const before = found.get(path)
    const state = tag === 'R' ? 'gone' : tag === 'H' ? 'same' : 'changed'
    if (!before) found.set(path, { path, state, blob })
    else if (before.state !== 'gone' && state !== 'same') before.state = state
  }
  return [...found.values()]
}
