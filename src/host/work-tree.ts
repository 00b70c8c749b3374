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
 * or would take in; else all there is. Undefined where git does not say.
 */
export const treeAt = async (
  folder: string,
  git: Git | undefined,
  leftOut: (path: string) => boolean,
): Promise<Tree | undefined> => {
  const { contentOf, walked } = await import('./look-around.ts')
  if (!git) return walked(folder, leftOut)
  const listing = await git.listing()
  if (!listing) return undefined
  const files = new Map<string, { content: string; tracked: boolean }>()
  for (const { path, tracked } of listing) {
    const content = leftOut(path) ? undefined : contentOf(folder, path, files.size >= mostRead)
    if (content !== undefined) files.set(path, { content, tracked })
  }
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
