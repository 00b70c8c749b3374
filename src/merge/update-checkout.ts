import { indexOf } from '../git/git-folder.ts'
import type { GitWriter } from '../git/git-writer.ts'
import { contentAt, hashKind } from '../host/content-at.ts'
import type { Host } from '../host/host.ts'
import { copyFile, removeTree } from '../host/permissions.ts'
import { statAt } from '../host/stat.ts'

/**
 * A file that differs between two commits. `was` is its mode in the older commit, and `mode` is its mode in the
 * newer commit. The mode is 000000 if the commit does not have the file.
 */
export interface ChangedFile {
  path: string
  was: string
  mode: string
  blob: string
}

const absent = '000000'

export const isNew = ({ was }: ChangedFile): boolean => was === absent

export const isGone = ({ mode }: ChangedFile): boolean => mode === absent

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

/** Runs git in a checkout, with the index that `env` names. */
const inCheckout =
  (git: GitWriter, folder: string, env: Record<string, string>) =>
  (args: readonly string[], input = '') =>
    git.run([`--git-dir=${folder}/.git`, `--work-tree=${folder}`, ...args], {
      folder,
      // Git writes the user's own files here, so files of git-lfs must get their real content.
      env: { GIT_LFS_SKIP_SMUDGE: '0', ...env },
      input,
    })

const indexLines = (changes: readonly ChangedFile[]): string =>
  changes.map(({ mode, blob, path }) => `${mode} ${blob} 0\t${path}\0`).join('')

/** Returns which of the changed files differ from the newer commit or are missing in the folder. */
export const unlike = (
  git: GitWriter,
  folder: string,
  changes: readonly ChangedFile[],
): Promise<Set<string>> =>
  git.withIndex(async (env) => {
    const run = inCheckout(git, folder, env)
    const there = changes.filter((change) => !isGone(change))
    const set = await run(['update-index', '-z', '--index-info'], indexLines(there))
    // `diff-files` only compares the times and sizes that are in the index. So first let `update-index --refresh`
    // compare the content of the files. It fails if a file differs, which is normal here.
    await run(['update-index', '-q', '--refresh'])
    const found = set.ok ? await run(['diff-files', '--name-only', '-z']) : set
    // If the disk has no room for an index, the files cannot be compared. In that case all of them count as different.
    if (!found.ok) return new Set(there.map(({ path }) => path))
    return new Set(found.text.split('\0').filter((path) => path !== ''))
  })

/**
 * Returns the files that match neither the old nor the new commit. The caller keeps them, because the user has probably
 * edited them after a landing was killed.
 */
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

interface HalfWritten {
  folder: string
  index: string
  /** The paths of `written` that existed before git wrote them. */
  before: ReadonlySet<string>
  written: readonly ChangedFile[]
  errors: string
}

/**
 * Undoes what git wrote into a checkout before git failed, for example because the disk is full. Some files then differ
 * from both commits. If git's errors name such a file, git wrote only a part of it, and the file is restored. If they
 * do not name it, another program has just written the file, and it is kept.
 */
const putBack = async (
  git: GitWriter,
  { folder, index, before, written, errors }: HalfWritten,
): Promise<void> => {
  const failed = new Set(
    [...errors.matchAll(/unable to (?:write|create) file (.+?)(?:: .*)?$/gm)].map(([, path]) => path),
  )
  const isAdded = (change: ChangedFile) => isNew(change) && !before.has(change.path)
  const ours = new Set(
    written.filter(
      ({ path, blob }) => failed.has(path) || contentAt(`${folder}/${path}`, hashKind(blob))?.blob === blob,
    ),
  )
  const removeAdded = () => {
    for (const change of ours) if (isAdded(change)) removeTree(`${folder}/${change.path}`)
  }
  removeAdded()
  // Git's filters may have changed the remaining files, so only git can compare them. Git needs room on the disk for
  // this, so compare them after the removal above.
  const filtered = written.filter((change) => !isGone(change) && !ours.has(change))
  const unlikeNew = await unlike(git, folder, filtered)
  for (const change of filtered) if (!unlikeNew.has(change.path)) ours.add(change)
  removeAdded()
  const lost = written.filter(
    (change) =>
      before.has(change.path) && !isNew(change) && (ours.has(change) || !statAt(`${folder}/${change.path}`)),
  )
  const run = inCheckout(git, folder, { GIT_INDEX_FILE: index })
  await run(['checkout-index', '--force', '-z', '--stdin'], lost.map(({ path }) => `${path}\0`).join(''))
}

/**
 * The text that CLEO writes into git's index lock. If CLEO is killed, the lock stays. The next process finds this text
 * in the lock, and so knows that CLEO made it.
 */
const lockText = 'cleo land\n'
const lockTries = 80
const lockPauseMs = 25

/**
 * Runs `work` while no git command can change the index of a checkout. The caller must hold the lock for landing, so no
 * other process of CLEO needs the index lock. If an index lock of CLEO exists already, a killed process left it, and
 * this process takes it over. Returns undefined if a git command keeps the index locked.
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

/** Removes the index lock of a CLEO process that was killed. The caller must hold the lock for landing. */
export const dropIndexLock = async (host: Host, folder: string): Promise<void> => {
  const index = await indexOf(host, folder)
  if (index && host.files.read(`${index}.lock`) === lockText) removeTree(`${index}.lock`)
}

interface CheckoutMove {
  folder: string
  /** The index of the folder. The caller has locked it. */
  index: string
  from: string
  to: string
  keep(path: string): boolean
}

/**
 * Moves the files and the index of a checkout from one commit to another, as `git merge --ff-only` does. If changes
 * to a file would be lost, git refuses before it writes anything, and git's message is returned. Can run again after
 * a crash: files that already equal the newer commit are accepted.
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
    const taken = changes.filter(
      (change) => !isGone(change) && (!other.has(change.path) || keep(change.path)),
    )
    const set = await run(['update-index', '-z', '--index-info'], indexLines(taken))
    const why = ({ errors }: { errors: string }) =>
      errors.split('\n')[0]!.replace(/^error: |^fatal: |\.$/g, '')
    if (!set.ok) return why(set)
    const wanted = ['read-tree', '-m', '-u']
    const tried = await run([...wanted, '--dry-run', from, to])
    if (!tried.ok) return why(tried)
    const stays = new Set(taken.map(({ path }) => path))
    const written = changes.filter(({ path }) => !stays.has(path))
    const before = new Set(written.filter(({ path }) => statAt(`${folder}/${path}`)).map(({ path }) => path))
    const read = await run([...wanted, from, to])
    if (!read.ok) {
      await putBack(git, { folder, index, before, written, errors: read.errors })
      return why(read)
    }
    // `update-index --refresh` fails if a kept file differs, which is normal here.
    await run(['update-index', '-q', '--refresh'])
    files.move(own, index)
    return undefined
  } finally {
    removeTree(own)
    removeTree(`${own}.lock`)
  }
}
