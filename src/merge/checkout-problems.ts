import { generatedPart } from '../git/generated-files.ts'
import { checkoutBusyWith } from '../git/git-folder.ts'
import type { GitWriter } from '../git/git-writer.ts'
import { statAt } from '../host/stat.ts'
import { isBelow } from '../kernel/path.ts'
import { type Failure, fail } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import { changesBetween, isGone, isNew, unlike } from './update-checkout.ts'

export const checkoutCodes = ['checkout.busy', 'land.dirty', 'land.overwrites'] as const
type CheckoutCode = (typeof checkoutCodes)[number]

interface Move {
  folder: string
  from: string
  to: string
}

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
  const removed = new Set(changes.filter(isGone).map(({ path }) => path))
  const lost = changes.flatMap((change) => {
    const { path } = change
    if (isManifest(path) || !other.has(path)) return []
    const isThere = statAt(`${folder}/${path}`) !== undefined
    if (!isNew(change))
      // The commit `from` has the file too. Refuse if the user has changed the file and not deleted it. Such a file is
      // below `.cleo` or in an output folder, because changes to other files were refused above.
      return changed.includes(path) && isThere ? [path] : []
    const inTheWay = isThere ? path : fileAbove(folder, path)
    return inTheWay !== undefined && !removed.has(inTheWay) ? [inTheWay] : []
  })
  if (lost.length === 0) return undefined
  const files = [...new Set(lost)]
  const parts = files.map((path) => generatedPart(path, (name) => statAt(`${folder}/${name}`) !== undefined))
  const generated = parts.every((part) => part !== undefined)
    ? [...new Set(parts.map(({ path }) => path))]
    : undefined
  return fail('land.overwrites', { folder, files, ...(generated && { generated }) })
}

/**
 * Returns a file or link at a place where the path needs a folder. If git ignores that file or link, git would
 * delete it to make the folder.
 */
const fileAbove = (folder: string, path: string): string | undefined => {
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
    const kind = statAt(`${folder}/${path.slice(0, end)}`)?.kind
    if (kind === undefined) return undefined
    if (kind !== 'folder') return path.slice(0, end)
  }
  return undefined
}

/** Returns tracked files that differ from HEAD, in the index or on the disk. */
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
  /**
   * Whether a path is the manifest. A landing leaves the checkout's manifest as it is, because this file already has
   * all lines of the work that lands.
   */
  isManifest(path: string): boolean
}

export const ownFiles = (context: Context, git: GitWriter): OwnFiles => {
  const { outputRoots, manifest } = workFoldersIn(context, context.root)
  const folders = [context.folder, ...outputRoots]
  return {
    isOwn: (path) => folders.some((folder) => isBelow(folder, `${git.top}/${path}`)),
    isManifest: (path) => `${git.top}/${path}` === manifest,
  }
}
