import type { GitWriter } from '../host/git-writer.ts'
import { checkoutBusyWith } from '../host/repository.ts'
import { isBelow } from '../kernel/path.ts'
import { type Failure, fail } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import { changesBetween, isNew, unlike } from './update-checkout.ts'

export const checkoutCodes = ['checkout.busy', 'land.dirty', 'land.overwrites'] as const
type CheckoutCode = (typeof checkoutCodes)[number]

interface Move {
  folder: string
  from: string
  to: string
}

/** Why the files of a checkout cannot be brought from one commit to another; undefined if they can. */
export const checkoutProblem = async (
  context: Context,
  git: GitWriter,
  { folder, from, to }: Move,
): Promise<Failure<CheckoutCode> | undefined> => {
  const doing = await checkoutBusyWith(context.host, folder)
  if (doing) return fail('checkout.busy', { folder, doing })
  const { isOwn, isManifest } = ownFiles(context, git)
  const changed = await changedFiles(git, folder)
  const dirty = changed.filter((path) => !isOwn(path))
  if (dirty.length > 0) return fail('land.dirty', { folder, files: dirty })
  const changes = await changesBetween(git, from, to)
  const other = await unlike(git, folder, changes)
  const { files } = context.host
  const lost = changes
    .filter(({ path }) => !isManifest(path))
    .filter((change) => {
      const { path } = change
      const isThere = files.kind(`${folder}/${path}`) !== undefined
      if (isNew(change)) return isThere && other.has(path)
      // The project tracks this output file, and both the checkout and the work that lands have changed it.
      return changed.includes(path) && other.has(path) && isThere
    })
  return lost.length > 0
    ? fail('land.overwrites', { folder, files: lost.map(({ path }) => path) })
    : undefined
}

/** Tracked files that differ from HEAD, in the index or on the disk. */
const changedFiles = async (git: GitWriter, folder: string): Promise<string[]> => {
  const { text } = await git.run(
    [
      ...[`--git-dir=${folder}/.git`, `--work-tree=${folder}`, 'status', '--porcelain', '-z'],
      ...['--untracked-files=no', '--no-renames', '--ignore-submodules=untracked'],
    ],
    { folder },
  )
  return text
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => line.slice(3))
}

interface OwnFiles {
  /** Whether a path is below `.cleo` or an output folder. */
  isOwn(path: string): boolean
  /** Whether a path is the manifest. The manifest in the checkout has all lines of the work that lands. */
  isManifest(path: string): boolean
}

/** Recognises the files that CLEO writes, by their path in the repository. */
export const ownFiles = (context: Context, git: GitWriter): OwnFiles => {
  const { outputRoots, manifest } = workFoldersIn(context, context.root)
  const folders = [context.folder, ...outputRoots]
  return {
    isOwn: (path) => folders.some((folder) => isBelow(folder, `${git.top}/${path}`)),
    isManifest: (path) => `${git.top}/${path}` === manifest,
  }
}
