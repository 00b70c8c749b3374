import {
  constants,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { isMissing } from './errno.ts'
import { openInside } from './safe-read.ts'
import { newHash } from './sha256.ts'

/** Stat data of a path; links are not followed. */
export interface FileStat {
  kind: 'file' | 'folder' | 'link' | 'other'
  size: number
  /** Changes with every write, because it contains the ctime, which no program can set back. */
  stamp: string
  /** Time of the last change, by the clock of the file system. */
  changed: number
}

export const statAt = (path: string): FileStat | undefined => {
  const stat = lstatAt(path)
  return stat && fileStat(stat)
}

export const lstatAt = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

export const bytesAt = (path: string): Buffer | undefined => {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

const fileStat = (stat: Stats): FileStat => ({
  kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'link' : 'other',
  size: stat.size,
  stamp: `${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.ino}`,
  changed: Math.max(stat.mtimeMs, stat.ctimeMs),
})

/**
 * Resolves the links in the existing part of a path. Undefined if a link cannot be read or its target does not exist.
 */
export const resolvedEnd = (path: string): string | undefined => {
  let end = path
  while (end !== '' && !lstatAt(end)) end = end.slice(0, end.lastIndexOf('/'))
  try {
    return realpathSync.native(end || '/') + path.slice(end.length)
  } catch {
    return undefined
  }
}

export interface FolderName {
  name: string
  /** True for any link, even one that does not point to a folder. */
  isLink: boolean
}

/**
 * Returns the folders and links in a folder, sorted by name, without hidden ones. Empty if the folder does not
 * exist; undefined if it cannot be read.
 */
export const foldersIn = (folder: string): FolderName[] | undefined => {
  try {
    const found: FolderName[] = []
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const isLink = entry.isSymbolicLink()
      if ((isLink || entry.isDirectory()) && entry.name[0] !== '.') found.push({ name: entry.name, isLink })
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    return isMissing(error) ? [] : undefined
  }
}

export interface FileBelow extends FileStat {
  /** The path, relative to the folder that was searched. */
  path: string
}

/** Returns every file below a folder, in path order; undefined if there are more than `most` names. */
export const filesBelow = (folder: string, most: number): FileBelow[] | undefined => {
  const found: FileBelow[] = []
  const open = ['']
  for (let names = 0; open.length > 0; ) {
    const under = open.pop()!
    for (const name of namesIn(`${folder}/${under}`)) {
      if (++names > most) return undefined
      const path = under + name
      const each = statAt(`${folder}/${path}`)
      if (each?.kind === 'folder') open.push(`${path}/`)
      else if (each) found.push({ ...each, path })
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The content of a link is its target. Returns undefined if a file cannot be read. */
export const hashFiles = (folder: string, files: readonly FileBelow[]): string | undefined => {
  const hash = newHash()
  for (const { path, kind } of files) {
    const content =
      kind === 'file' ? readContent(folder, path) : kind === 'link' && targetOf(`${folder}/${path}`)
    if (!content) return undefined
    hash.update(`${kind} ${path}\0${content.length}\0`)
    hash.update(content)
  }
  return hash.digest('hex')
}

const readContent = (folder: string, path: string): Buffer | undefined => {
  const content = openInside(folder, path, constants.O_RDONLY, (file) => readFileSync(file))
  return Buffer.isBuffer(content) ? content : undefined
}

const targetOf = (link: string): Buffer | undefined => {
  try {
    return readlinkSync(link, 'buffer')
  } catch {
    return undefined
  }
}

/** Follows no links and leaves out everything that cannot be read. */
export const diskUse = (folder: string): number => {
  let bytes = 0
  // Start only at a real folder: an agent can replace its worktree by a link to another folder, such as `/`.
  const waiting = lstatOrNothing(folder)?.isDirectory() ? [folder] : []
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
    for (const name of namesIn(at)) {
      const stat = lstatOrNothing(`${at}/${name}`)
      if (stat?.isDirectory()) waiting.push(`${at}/${name}`)
      else bytes += (stat?.blocks ?? 0) * 512
    }
  return bytes
}

const lstatOrNothing = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
