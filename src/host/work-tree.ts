import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { contentAt } from './content-at.ts'
import { newHash } from './sha256.ts'
import { statAt } from './stat.ts'

/** The files of a folder without git, each with a string that changes when the content changes. */
export type FileTree = ReadonlyMap<string, string>

/**
 * `treeAt` reads the content of at most this many files. For the remaining files it takes only sizes and times,
 * because reading their content would take longer than running the tool that may have changed them.
 */
const mostRead = 20_000

export const treeAt = (folder: string, leftOut: (path: string) => boolean): FileTree => {
  const files = new Map<string, string>()
  for (const path of pathsIn(folder, leftOut)) {
    const content = contentOf(`${folder}/${path}`, files.size >= mostRead)
    if (content !== undefined) files.set(path, content)
  }
  return files
}

const skipped = new Set(['.git', '.hg', '.svn', '.cleo', 'node_modules', '.venv', '__pycache__'])

/** Yields the files below a folder one by one, so that the caller can stop early. */
export function* pathsIn(folder: string, leftOut: (path: string) => boolean): Generator<string> {
  const open = ['']
  while (open.length > 0) {
    const at = open.pop()!
    for (const entry of entriesIn(`${folder}/${at}`)) {
      const path = at + entry.name
      if (skipped.has(entry.name) || leftOut(path)) continue
      if (entry.isDirectory()) open.push(`${path}/`)
      else yield path
    }
  }
}

const entriesIn = (folder: string): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/**
 * Returns a string that changes with the content of the file. With `onlyStat`, it changes with mode, size and times.
 */
const contentOf = (path: string, onlyStat: boolean): string | undefined => {
  if (onlyStat) {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat && `${stat.mode} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
  }
  const content = contentAt(path)
  return content && `${content.is} ${content.sha256}${content.isProgram ? ' program' : ''}`
}

const mostHashed = 4 << 20

/**
 * Returns a short string that changes with the content of a file. For a large file, it changes with size and times
 * instead. Empty if there is no file.
 */
export const contentMark = (path: string): string => {
  const stat = statAt(path)
  if (!stat) return ''
  if (stat.size > mostHashed) return stat.stamp
  const content = contentAt(path)
  return content ? `${content.is} ${content.sha256.slice(0, 32)}` : ''
}

export const treeHash = (files: FileTree, byProducts: readonly string[]): string => {
  const isByProduct = isOneOf(byProducts)
  const hash = newHash()
  for (const path of [...files.keys()].sort())
    if (!isByProduct(path)) hash.update(`${path}\0${files.get(path)}\n`)
  return hash.digest('hex')
}

/** A name that ends with a slash stands for everything in that folder. */
export const isOneOf = (names: readonly string[]): ((path: string) => boolean) => {
  const files = new Set(names.filter((name) => !name.endsWith('/')))
  const folders = names.filter((name) => name.endsWith('/'))
  return (path) => files.has(path) || folders.some((folder) => path.startsWith(folder))
}

export const differences = (before: FileTree, after: FileTree): string[] => [
  ...[...after.keys()].filter((path) => before.get(path) !== after.get(path)),
  ...[...before.keys()].filter((path) => !after.has(path)),
]

/** Compares times of files, so the file `mark` must be on the same disk. */
export const changedSince = (folder: string, files: FileTree, mark: string): string[] => {
  const at = lstatSync(mark, { throwIfNoEntry: false })?.mtimeMs
  if (at === undefined) return []
  return [...files.keys()].filter(
    (path) => (lstatSync(`${folder}/${path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0) > at,
  )
}
