import type { GitWriter } from '../host/git-writer.ts'
import type { Host } from '../host/host.ts'
import { copyFile, removeTree } from '../host/permissions.ts'
import { indexOf } from '../host/repository.ts'

/** A file that differs between two commits. `mode` is 000000 where the newer commit does not have it. */
export interface ChangedFile {
  path: string
  was: string
  mode: string
  blob: string
}

const absent = '000000'

/** Whether a file is new in the newer commit. */
export const isNew = ({ was }: ChangedFile): boolean => was === absent

export const changesBetween = async (git: GitWriter, from: string, to: string): Promise<ChangedFile[]> => {
  const { text } = await git.run(['diff-tree', '-r', '-z', '--no-renames', '--raw', from, to, '--'])
  const parts = text.split('\0')
  const changes: ChangedFile[] = []
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [was = '', mode = '', , blob = ''] = parts[i]!.slice(1).split(' ')
    changes.push({ path: parts[i + 1]!, was, mode, blob })
  }
  return changes
}

/** Git in a checkout, with an index that is not the one of the checkout. */
const inCheckout =
  (git: GitWriter, folder: string, env: Record<string, string>) =>
  (args: readonly string[], input = '') =>
    git.run([`--git-dir=${folder}/.git`, `--work-tree=${folder}`, ...args], {
      folder,
      // Here the user's own files are written, so files of git-lfs get their content.
      env: { GIT_LFS_SKIP_SMUDGE: '0', ...env },
      input,
    })

const indexLines = (changes: readonly ChangedFile[]): string =>
  changes.map(({ mode, blob, path }) => `${mode} ${blob} 0\t${path}\0`).join('')

/** Returns the paths whose file in a folder is not as in the newer commit, also if it is missing. */
export const unlike = (
  git: GitWriter,
  folder: string,
  changes: readonly ChangedFile[],
): Promise<Set<string>> =>
  git.withIndex(async (env) => {
    const run = inCheckout(git, folder, env)
    const there = changes.filter(({ mode }) => mode !== absent)
    await run(['update-index', '-z', '--index-info'], indexLines(there))
    // Reads the files, which `diff-files` alone does not do. Fails if one differs.
    await run(['update-index', '-q', '--refresh'])
    const { text } = await run(['diff-files', '--name-only', '-z'])
    return new Set(text.split('\0').filter((path) => path !== ''))
  })

/** Returns the files that are as in neither commit, because the user edited them after a crash. */
export const editedSince = async (
  { files }: Host,
  git: GitWriter,
  { folder, from, to }: Pick<CheckoutMove, 'folder' | 'from' | 'to'>,
): Promise<Set<string>> => {
  const changes = await changesBetween(git, from, to)
  const unlikeNew = await unlike(git, folder, changes)
  const unlikeOld = await unlike(git, folder, await changesBetween(git, to, from))
  const edited = changes.filter(
    (change) =>
      unlikeNew.has(change.path) &&
      (isNew(change) || unlikeOld.has(change.path)) &&
      files.kind(`${folder}/${change.path}`) !== undefined,
  )
  return new Set(edited.map(({ path }) => path))
}

/** What is written into git's own lock of an index, so that a lock of a killed process can be told from git's. */
const lockText = 'cleo land\n'
const lockTries = 80
const lockPauseMs = 25

/**
 * Runs `work` while no git command can change the index of a checkout. The caller must hold the lock for landing: then a
 * lock of CLEO that is found here was left by a killed process. Returns undefined if a git command keeps the index locked.
 */
export const withIndexLocked = async <T>(
  host: Host,
  folder: string,
  work: (index: string) => Promise<T>,
): Promise<T | undefined> => {
  const { files } = host
  const index = (await indexOf(host, folder))!
  const lock = `${index}.lock`
  for (let tries = 0; !files.writeNew(lock, lockText, 0o644); tries++) {
    if (files.read(lock) === lockText) break
    if (tries >= lockTries) return undefined
    await new Promise((resolve) => setTimeout(resolve, lockPauseMs))
  }
  try {
    return await work(index)
  } finally {
    removeTree(lock)
  }
}

/** Removes the lock of an index that a killed process of CLEO left. The caller must hold the lock for landing. */
export const dropIndexLock = async (host: Host, folder: string): Promise<void> => {
  const index = await indexOf(host, folder)
  if (index && host.files.read(`${index}.lock`) === lockText) removeTree(`${index}.lock`)
}

interface CheckoutMove {
  folder: string
  /** The index of the folder, which the caller has locked. */
  index: string
  from: string
  to: string
  /** Paths whose file stays as it is. */
  keep(path: string): boolean
}

/**
 * Brings the files and the index of a checkout from one commit to another, as `git merge --ff-only` does it: git refuses
 * before it writes, if a file has changes that it would lose. Can be repeated after a crash: a file that is already as
 * in the newer commit is taken as it is. Returns what git said if it refused.
 */
export const updateCheckout = async (
  { files }: Host,
  git: GitWriter,
  { folder, index, from, to, keep }: CheckoutMove,
): Promise<string | undefined> => {
  const own = `${index}.cleo`
  removeTree(own)
  if (files.kind(index) !== undefined) copyFile(index, own)
  try {
    const run = inCheckout(git, folder, { GIT_INDEX_FILE: own })
    const changes = await changesBetween(git, from, to)
    const other = await unlike(git, folder, changes)
    const taken = changes.filter(({ path, mode }) => mode !== absent && (!other.has(path) || keep(path)))
    const set = await run(['update-index', '-z', '--index-info'], indexLines(taken))
    const read = set.ok ? await run(['read-tree', '-m', '-u', from, to]) : set
    if (!read.ok) return read.errors.split('\n')[0]!.replace(/^error: |^fatal: |\.$/g, '')
    // Git exits with an error if a kept file differs, which is expected here.
    await run(['update-index', '-q', '--refresh'])
    files.move(own, index)
    return undefined
  } finally {
    removeTree(own)
    removeTree(`${own}.lock`)
  }
}
