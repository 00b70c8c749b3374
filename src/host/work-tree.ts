import { lstatSync, readdirSync, readlinkSync } from 'node:fs'
import type { Git } from './git.ts'
import { hashInside } from './hash-inside.ts'
import { newHash } from './sha256.ts'

/** The files of a folder as they are, each with what tells its content from another. */
export interface Tree {
  files: ReadonlyMap<string, { content: string; tracked: boolean }>
}

/** Looking at more files than this would take longer than the commands they are looked at for. */
const mostRead = 20_000
const unlooked = new Set(['.git', '.hg', '.svn', '.cleo', 'node_modules', '.venv', '__pycache__'])

/**
 * What a folder holds, by content: a file is the same before it is committed and after. With git that is what git has
 * or would take in, and git has the names of most of them at hand; else all there is.
 */
export const treeAt = async (
  folder: string,
  git: Git | undefined,
  leftOut: (path: string) => boolean,
): Promise<Tree | undefined> => {
  if (!git) return walked(folder, leftOut)
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
  const read: string[] = []
  for (const { path, state, blob } of listing) {
    if (leftOut(path) || state === 'gone') continue
    const tracked = state !== 'other'
    const content = state === 'same' ? blob : unusual(folder, path, read.length >= mostRead)
    if (content === 'gone') continue
    files.set(path, { content: content ?? '', tracked })
    if (content === undefined) read.push(path)
  }
  const blobs = read.length > 0 ? await git.blobs(read) : []
  if (!blobs) return undefined
  for (const [i, path] of read.entries()) files.get(path)!.content = blobs[i]!
  return { files }
}

/** What stands for a file that is not to be read: a link, a folder with a repository of its own, one too many. */
const unusual = (folder: string, path: string, enough: boolean): string | undefined => {
  const stat = lstatSync(`${folder}/${path}`, { throwIfNoEntry: false })
  if (!stat) return 'gone'
  if (stat.isSymbolicLink()) return `link ${readlinkSync(`${folder}/${path}`)}`
  if (!stat.isFile() || path.includes('\n')) return `${stat.mode} ${stat.mtimeMs}`
  return enough ? `${stat.size} ${stat.mtimeMs}` : undefined
}

const walked = (folder: string, leftOut: (path: string) => boolean): Tree => {
  const files = new Map<string, { content: string; tracked: boolean }>()
  const open = ['']
  while (open.length > 0) {
    const at = open.pop()!
    for (const entry of readdirSync(`${folder}/${at}`, { withFileTypes: true })) {
      const path = at + entry.name
      if (unlooked.has(entry.name) || leftOut(path)) continue
      if (entry.isDirectory()) open.push(`${path}/`)
      else if (entry.isFile()) {
        const hashed = files.size < mostRead ? hashInside(folder, path) : undefined
        const content = hashed?.ok ? hashed.sha256 : unusual(folder, path, true)
        if (content !== undefined) files.set(path, { content, tracked: false })
      }
    }
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

/** The files of a tree that were written after another file was, which the same clock has stamped. */
export const changedSince = (folder: string, { files }: Tree, mark: string): string[] => {
  const at = lstatSync(mark, { throwIfNoEntry: false })?.mtimeMs
  if (at === undefined) return []
  return [...files.keys()].filter(
    (path) => (lstatSync(`${folder}/${path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0) > at,
  )
}
