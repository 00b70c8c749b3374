import type { Git } from './git.ts'
import { newHash } from './sha256.ts'

/** The files of a folder as they are, each with what tells its content from another. */
export interface Tree {
  files: ReadonlyMap<string, { content: string; tracked: boolean }>
}

/** Looking at more files than this would take longer than the commands they are looked at for. */
export const mostRead = 20_000

/**
 * What a folder holds, by content: a file is the same before it is committed and after. With git that is what git has
 * or would take in, and git has the names of most of them at hand; else all there is.
 */
export const treeAt = async (
  folder: string,
  git: Git | undefined,
  leftOut: (path: string) => boolean,
): Promise<Tree | undefined> => {
  if (!git) return (await import('./look-around.ts')).walked(folder, leftOut)
  // What was there a moment ago may have gone before it was read.
  for (let tries = 0; tries < 3; tries++) {
    const tree = await byGit(folder, git, leftOut)
    if (tree) return tree
  }
  return undefined
}

const byGit = async (
  folder: string,
  git: Git,
  leftOut: (path: string) => boolean,
): Promise<Tree | undefined> => {
  const listing = await git.listing()
  if (!listing) return undefined
  const files = new Map<string, { content: string; tracked: boolean }>()
  const differing = listing.filter(
    ({ path, state }) => state !== 'same' && state !== 'gone' && !leftOut(path),
  )
  for (const { path, state, blob } of listing)
    if (state === 'same' && !leftOut(path)) files.set(path, { content: blob, tracked: true })
  if (differing.length === 0) return { files }
  const { unusual } = await import('./look-around.ts')
  const read: string[] = []
  for (const { path, state } of differing) {
    const content = unusual(folder, path, read.length >= mostRead)
    if (content === 'gone') continue
    files.set(path, { content: content ?? '', tracked: state !== 'other' })
    if (content === undefined) read.push(path)
  }
  const blobs = read.length > 0 ? await git.blobs(read) : []
  if (!blobs) return undefined
  for (const [i, path] of read.entries()) files.get(path)!.content = blobs[i]!
  return { files }
}

/** One hash over all of a tree, but for files that git does not have and a run made by the way. */
export const treeHash = ({ files }: Tree, byProducts: readonly string[]): string => {
  const isByProduct = among(byProducts)
  const hash = newHash()
  for (const path of [...files.keys()].sort()) {
    const { content, tracked } = files.get(path)!
    if (tracked || !isByProduct(path)) hash.update(`${path}\0${content}\n`)
  }
  return hash.digest('hex')
}

/** A name that ends in a slash stands for all that is in that folder. */
const among = (names: readonly string[]): ((path: string) => boolean) => {
  const files = new Set(names.filter((name) => !name.endsWith('/')))
  const folders = names.filter((name) => name.endsWith('/'))
  return (path) => files.has(path) || folders.some((folder) => path.startsWith(folder))
}

/** What differs between two looks at a folder. */
export const differences = (before: Tree, after: Tree): { path: string; tracked: boolean }[] => {
  const found: { path: string; tracked: boolean }[] = []
  for (const [path, { content, tracked }] of after.files)
    if (before.files.get(path)?.content !== content)
      found.push({ path, tracked: tracked || (before.files.get(path)?.tracked ?? false) })
  for (const [path, { tracked }] of before.files) if (!after.files.has(path)) found.push({ path, tracked })
  return found
}
