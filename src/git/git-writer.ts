import type { Host } from '../host/host.ts'
import { removeTree } from '../host/permissions.ts'
import { findOutside } from '../host/programs.ts'
import { branchInFiles } from './git-folder.ts'
import { safeEnvironment, safeOptions } from './run-git.ts'

export type GitAnswer =
  | { ok: true; text: string }
  | { ok: false; code?: number; text: string; errors: string }

export type MergedTree =
  | { state: 'clean'; tree: string }
  | { state: 'conflict'; files: string[] }
  | { state: 'failed'; errors: string }

/** Git commands that make commits, move refs and add worktrees. Only `run` can change files of the user's checkout. */
export interface GitWriter {
  /** The top of the main worktree. */
  top: string
  run(args: readonly string[], more?: GitOptions): Promise<GitAnswer>
  /** The full hash of a commit; undefined if there is no such commit. */
  commit(name: string): Promise<string | undefined>
  isAncestor(commit: string, of: string): Promise<boolean>
  ignoresCase(): Promise<boolean>
  /**
   * Moves a ref of CLEO, but only if it still points to `from`. If `from` is undefined, the ref must not exist yet. A
   * symbolic ref is replaced and not followed, because its target could be a branch of the user.
   */
  moveRef(ref: string, to: string, from: string | undefined): Promise<GitAnswer>
  /**
   * Moves a branch of the user. If the branch is a symbolic ref, for example `master` that points to `main`, moves
   * its target, as git does.
   */
  moveUserRef(ref: string, to: string, from: string): Promise<GitAnswer>
  /** Deletes a ref of CLEO. Deletes a symbolic ref itself, never its target. */
  deleteRef(ref: string, from: string): Promise<GitAnswer>
  mergeTrees(ours: string, theirs: string): Promise<MergedTree>
  /**
   * Merges the changes from `base` to `theirs` into `ours`. Uses `base` even if git would choose another merge base.
   */
  mergeSince(base: string, ours: string, theirs: string): Promise<MergedTree>
  /** Signs the commit if the user's git settings ask for signing and signing needs no input. */
  commitTree(tree: string, parents: readonly string[], message: string): Promise<GitAnswer>
  tag(name: string, at: string, message: string): Promise<boolean>
  /** Runs `work` with the environment of a temporary index, so that no index of a checkout changes. */
  withIndex<T>(work: (env: Record<string, string>) => Promise<T>): Promise<T>
  /**
   * Makes a worktree in a new folder:
   * - If `branch` is given, makes this branch at the commit `at`, and checks it out.
   * - If `isThere` is true, checks out the existing branch `at`.
   * - Otherwise, checks out the commit `at` with a detached HEAD.
   */
  addWorktree(
    folder: string,
    at: string,
    branch?: string,
    options?: { isThere?: boolean },
  ): Promise<GitAnswer>
}

interface GitOptions {
  input?: string
  /** By default, the top of the main worktree. */
  folder?: string
  env?: Record<string, string>
  seconds?: number
}

const mostBytes = 64 << 20
/**
 * The time limit of a git command. It is long, because a checkout can be large, and git sometimes waits for another
 * git process.
 */
const defaultSeconds = 300
const signingSeconds = 10

/** Whether commits of this process are signed; undefined until the first commit. */
const signing = new WeakMap<Host, boolean>()
/**
 * Whether a repository ignores case in file names, by its top folder. Git is asked only once, because a repository
 * stays on the same file system.
 */
const caseIgnored = new WeakMap<Host, Map<string, boolean>>()
/** Makes git wait for locked refs. Another git process can lock refs for a moment, for example to pack them. */
const patience = ['-c', 'core.filesRefLockTimeout=5000', '-c', 'core.packedRefsTimeout=5000']

/**
 * How many times a git command is tried while another process makes or removes a worktree. `pauseMs` is the pause
 * after the first try. Each further pause is `pauseMs` longer than the pause before.
 */
const mostTries = 10
const pauseMs = 10

const passed = ['HOME', 'XDG_CONFIG_HOME', 'TMPDIR', 'USER', 'LOGNAME']
const passedForSigning = ['GNUPGHOME', 'SSH_AUTH_SOCK', 'XDG_RUNTIME_DIR']
/** The author of CLEO's commits if git has no user name. */
const ownIdentity = {
  GIT_AUTHOR_NAME: 'CLEO',
  GIT_AUTHOR_EMAIL: 'cleo@localhost',
  GIT_COMMITTER_NAME: 'CLEO',
  GIT_COMMITTER_EMAIL: 'cleo@localhost',
}

export const gitWriterAt = (host: Host, top: string): GitWriter => {
  const { program, env: withPath, fault } = findOutside(host, 'git', top)
  const pick = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (host.env[name] ? [[name, host.env[name]!]] : [])))
  // The caller's GIT_ variables are left out, because they could point git to another repository.
  const usual = { ...pick(passed), ...withPath, ...safeEnvironment, GIT_LFS_SKIP_SMUDGE: '1' }
  const runOnce = async (args: readonly string[], options: GitOptions): Promise<GitAnswer> => {
    const { input = '', folder = top, env = {}, seconds = defaultSeconds } = options
    if (fault !== undefined) return { ok: false, text: '', errors: fault }
    const ran = await host.processes.run(program, [`--git-dir=${top}/.git`, ...safeOptions, ...args], {
      cwd: folder,
      env: { ...usual, ...env },
      input,
      timeoutMs: seconds * 1000,
      maxBytes: mostBytes,
      keep: 'output',
      keepErrors: true,
      git: true,
      ...(startsNothing(args) && { alone: true }),
    })
    if (ran.end === 'exited' && ran.code === 0) return { ok: true, text: ran.tail }
    if (ran.end === 'not started') return { ok: false, text: '', errors: `git did not start: ${ran.reason}` }
    if (ran.end !== 'exited')
      return { ok: false, text: ran.tail, errors: `git ${args[0]} did not finish in ${seconds} seconds` }
    const errors = ran.errors?.trim() || `git ${args[0]} exited with ${ran.code}`
    return { ok: false, code: ran.code, text: ran.tail, errors }
  }
  const run = async (args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> => {
    for (let tries = 1; ; tries++) {
      const answer = await runOnce(args, options)
      if (answer.ok || tries === mostTries || !metHalfMade(answer)) return answer
      await new Promise((resolve) => setTimeout(resolve, pauseMs * tries))
    }
  }
  const commit: GitWriter['commit'] = async (name) => {
    if (fault === undefined && isPlainBranch(name)) {
      const known = await branchInFiles(host, top, name)
      if (known !== undefined) return known ?? undefined
    }
    const found = await run(['rev-parse', '--verify', '--quiet', `${name}^{commit}`])
    return found.ok ? found.text.trim() : undefined
  }
  const mergeTrees: GitWriter['mergeTrees'] = async (ours, theirs) =>
    mergedTree(await run(['merge-tree', '--write-tree', '--name-only', '-z', '--no-messages', ours, theirs]))
  return {
    top,
    run,
    commit,
    ignoresCase: async () => {
      const known = caseIgnored.get(host) ?? new Map<string, boolean>()
      caseIgnored.set(host, known)
      const before = known.get(top)
      if (before !== undefined) return before
      const asked = await run(['config', '--type=bool', '--get', 'core.ignoreCase'])
      const ignores = asked.text.trim() === 'true'
      // Exit 1 means that the setting is missing, so keep that answer too. After any other failure, ask git again the
      // next time.
      if (asked.ok || asked.code === 1) known.set(top, ignores)
      return ignores
    },
    isAncestor: async (one, of) => (await run(['merge-base', '--is-ancestor', one, of])).ok,
    moveRef: (ref, to, from) =>
      run([...patience, 'update-ref', '--no-deref', '-m', 'cleo', ref, to, from ?? '0'.repeat(to.length)]),
    moveUserRef: (ref, to, from) => run([...patience, 'update-ref', '-m', 'cleo', ref, to, from]),
    deleteRef: (ref, from) => run([...patience, 'update-ref', '--no-deref', '-d', ref, from]),
    mergeTrees,
    async mergeSince(base, ours, theirs) {
      // Git before 2.40 does not let the caller choose the merge base. So make temporary commits with the same trees.
      // In their history, `base` is the merge base.
      const same = async (of: string, parents: readonly string[]): Promise<string> => {
        const args = [`${of}^{tree}`, ...parents.flatMap((parent) => ['-p', parent])]
        return (await run(['commit-tree', ...args], { input: 'base\n', env: ownIdentity })).text.trim()
      }
      const start = await same(base, [])
      return mergeTrees(await same(ours, [start]), await same(theirs, [start]))
    },
    async commitTree(tree, parents, message) {
      const args = [tree, ...parents.flatMap((parent) => ['-p', parent])]
      const input = message.endsWith('\n') ? message : `${message}\n`
      const signs =
        signing.get(host) ??
        (await run(['config', '--type=bool', '--get', 'commit.gpgSign'])).text.trim() === 'true'
      const env = pick(passedForSigning)
      const signed = signs
        ? await run(['commit-tree', '-S', ...args], { input, env, seconds: signingSeconds })
        : undefined
      // If signing failed, do not try it again. A program that asks for a passphrase would otherwise ask for each
      // commit, and there can be hundreds.
      signing.set(host, signed?.ok === true)
      if (signed?.ok) return signed
      const made = await run(['commit-tree', ...args], { input })
      return made.ok ? made : run(['commit-tree', ...args], { input, env: ownIdentity })
    },
    async tag(name, at, message) {
      const args = ['-c', 'tag.gpgSign=false', 'tag', '--annotate', '--file=-', name, at]
      const made = await run(args, { input: message })
      return made.ok || (await run(args, { input: message, env: ownIdentity })).ok
    },
    async withIndex(work) {
      const path = `${host.env['TMPDIR'] ?? '/tmp'}/cleo-index-${host.randomId(12)}`
      try {
        return await work({ GIT_INDEX_FILE: path })
      } finally {
        removeTree(path)
      }
    },
    async addWorktree(folder, at, branch, { isThere = false } = {}) {
      const add = ['-c', 'core.fsmonitor=false', 'worktree', 'add', '--quiet', '--lock', '--reason', 'cleo']
      if (branch === undefined) return run([...add, ...(isThere ? [] : ['--detach']), folder, at])
      // Without `--no-track`, git would lock and write the configuration file that all worktrees share. If several
      // spawns did this at the same time, most of them would fail.
      const on = (flag: string) => [...add, '--no-track', flag, branch, folder, at]
      const added = await runOnce(on('-b'), {})
      // If another worktree is incomplete, git fails after it has made the branch. So try again with `-B`, which
      // accepts an existing branch.
      return added.ok || !metHalfMade(added) ? added : run(on('-B'))
    },
  }
}

/**
 * Whether a name is the full name of a branch and has only characters that CLEO itself uses. With other characters,
 * the name could mean something else to git.
 */
const isPlainBranch = (name: string): boolean =>
  name.startsWith('refs/heads/') && /^[\w/-]+(?:\.[\w/-]+)*$/.test(name) && !name.endsWith('.lock')

// Git commands that start no other program, take no lock, and change nothing but objects. `merge-tree` is not in
// this list, because it can start a merge driver.
const plain = new Set([
  'cat-file',
  'commit-tree',
  'config',
  'for-each-ref',
  'log',
  'ls-tree',
  'merge-base',
  'rev-list',
  'rev-parse',
])

/**
 * Whether a git command starts no other programs. Such a command needs no process group, because only the command
 * itself has to be ended.
 */
const startsNothing = (args: readonly string[]): boolean =>
  plain.has(args.find((arg) => !arg.startsWith('--')) ?? '') && !args.includes('-S')

/**
 * Whether git failed because another git process is making or removing a worktree. To add or list worktrees, git
 * reads its records of all worktrees. It fails if one record is incomplete.
 */
const metHalfMade = (answer: GitAnswer): boolean =>
  !answer.ok &&
  answer.errors.includes('/worktrees/') &&
  (answer.errors.includes('fatal: failed to read ') || answer.errors.includes("fatal: Invalid path '"))

const mergedTree = (answer: GitAnswer): MergedTree => {
  const [tree = '', ...files] = answer.text.split('\0').filter((part) => part !== '')
  if (answer.ok) return { state: 'clean', tree: tree.trim() }
  if (answer.code === 1 && files.length > 0) return { state: 'conflict', files: [...new Set(files)] }
  const isOld = answer.code === 129
  return { state: 'failed', errors: isOld ? 'merging needs git 2.38 or newer' : answer.errors }
}
