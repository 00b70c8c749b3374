import { lstatSync, readdirSync } from 'node:fs'
import { contentAt } from './content-at.ts'
import type { Git } from './git.ts'
import { newHash } from './sha256.ts'

/** The files of a folder, each with a string that changes whenever its content does. */
export interface FileTree {
  files: ReadonlyMap<string, TreeFile>
}

interface TreeFile {
  content: string
  tracked: boolean
}

/** After this many files, only sizes and times are read: reading all takes longer than the command under test. */
const mostRead = 20_000

/**
 * Reads the files of a folder by content, so that committing a file makes no difference. With git, reads the files
 * that git tracks or would add. Without git, reads all files except those in `skipped`. Undefined if git fails.
 */
export const treeAt = async (
  folder: string,
  git: Git | undefined,
  leftOut: (path: string) => boolean,
): Promise<FileTree | undefined> => {
  if (!git) return walk(folder, leftOut)
  const listing = await git.listing()
  if (!listing) return undefined
  const files = new Map<string, TreeFile>()
  for (const { path, tracked } of listing) {
    const content = leftOut(path) ? undefined : contentOf(folder, path, files.size >= mostRead)
    if (content !== undefined) files.set(path, { content, tracked })
  }
  return { files }
}

const skipped = new Set(['.git', '.hg', '.svn', '.cleo', 'node_modules', '.venv', '__pycache__'])

const walk = (folder: string, leftOut: (path: string) => boolean): FileTree => {
  const files = new Map<string, TreeFile>()
  const open = ['']
  while (open.length > 0) {
    const at = open.pop()!
    for (const entry of readdirSync(`${folder}/${at}`, { withFileTypes: true })) {
      const path = at + entry.name
      if (skipped.has(entry.name) || leftOut(path)) continue
      if (entry.isDirectory()) open.push(`${path}/`)
      else {
        const content = contentOf(folder, path, files.size >= mostRead)
        if (content !== undefined) files.set(path, { content, tracked: false })
      }
    }
  }
  return { files }
}

/** Returns a string for the content of a file or, if `onlyStat`, for its size and times; undefined without a file. */
const contentOf = (folder: string, path: string, onlyStat: boolean): string | undefined => {
  const at = `${folder}/${path}`
  if (onlyStat) {
    const stat = lstatSync(at, { throwIfNoEntry: false })
    return stat && `${stat.mode} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
  }
  const content = contentAt(at)
  if (content?.is === 'folder') return innerRepository(at)
  return content && `${content.is} ${content.sha256}${content.isProgram ? ' program' : ''}`
}

/**
 * Returns a string for a repository inside the folder, because git does not list its files. A worktree belongs to
 * another agent, so its files are not read.
 */
const innerRepository = (folder: string): string =>
  lstatSync(`${folder}/.git`, { throwIfNoEntry: false })?.isFile()
    ? 'worktree'
    : treeHash(
        walk(folder, () => false),
        [],
      )

/** Returns one hash over a tree. By-products of a run are left out, unless git tracks them. */
export const treeHash = ({ files }: FileTree, byProducts: readonly string[]): string => {
  const isByProduct = matcherFor(byProducts)
  const hash = newHash()
  for (const path of [...files.keys()].sort()) {
    const { content, tracked } = files.get(path)!
    if (tracked || !isByProduct(path)) hash.update(`${path}\0${content}\n`)
  }
  return hash.digest('hex')
}

/** A name that ends with a slash means everything in that folder. */
const matcherFor = (names: readonly string[]): ((path: string) => boolean) => {
  const files = new Set(names.filter((name) => !name.endsWith('/')))
  const folders = names.filter((name) => name.endsWith('/'))
  return (path) => files.has(path) || folders.some((folder) => path.startsWith(folder))
}

/** The files that differ between two snapshots of a folder. */
export const differences = (before: FileTree, after: FileTree): { path: string; tracked: boolean }[] => {
  const found: { path: string; tracked: boolean }[] = []
  for (const [path, { content, tracked }] of after.files)
    if (before.files.get(path)?.content !== content)
      found.push({ path, tracked: tracked || (before.files.get(path)?.tracked ?? false) })
  for (const [path, { tracked }] of before.files) if (!after.files.has(path)) found.push({ path, tracked })
  return found
}

/** The files of a tree that are newer than another file on the same disk. */
export const changedSince = (folder: string, { files }: FileTree, mark: string): string[] => {
  const at = lstatSync(mark, { throwIfNoEntry: false })?.mtimeMs
  if (at === undefined) return []
  return [...files.keys()].filter(
    (path) => (lstatSync(`${folder}/${path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0) > at,
  )
}
