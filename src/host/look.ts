import { constants, lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs'
import { openPlace } from './safe-read.ts'
import { newHash } from './sha256.ts'

/** What a name stands for, links not followed. */
export interface Seen {
  kind: 'file' | 'folder' | 'link' | 'other'
  size: number
  /** Another one after any change: the times, which nobody can set back, and the number of the file. */
  stamp: string
  /** When it was changed last, by the clock of its disk. */
  changed: number
}

/** Undefined where there is nothing, or nobody may look. */
export const look = (path: string): Seen | undefined => {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat && seen(stat)
  } catch {
    return undefined
  }
}

const seen = (stat: Stats): Seen => ({
  kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'link' : 'other',
  size: stat.size,
  stamp: `${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.ino}`,
  changed: Math.max(stat.mtimeMs, stat.ctimeMs),
})

export interface Folder {
  name: string
  /** It may lead to a folder, or to anything else. */
  isLink: boolean
}

/** Folders and links in a folder, by name; hidden ones are left out. Undefined where nobody may look. */
export const foldersIn = (folder: string): Folder[] | undefined => {
  try {
    const found: Folder[] = []
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const isLink = entry.isSymbolicLink()
      if ((isLink || entry.isDirectory()) && entry.name[0] !== '.') found.push({ name: entry.name, isLink })
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '') ? [] : undefined
  }
}

export interface Below extends Seen {
  /** Relative to the folder. */
  path: string
}

/** Everything below a folder that is not a folder, in path order; undefined where there is more than allowed. */
export const filesBelow = (folder: string, most: number): Below[] | undefined => {
  const found: Below[] = []
  const open = ['']
  for (let looked = 0; open.length > 0; ) {
    const under = open.pop()!
    for (const name of namesIn(`${folder}/${under}`)) {
      if (++looked > most) return undefined
      const path = under + name
      const each = look(`${folder}/${path}`)
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

/** One hash over names and contents; of a link, where it leads. Undefined where something is not for reading. */
export const hashFiles = (folder: string, files: readonly Below[]): string | undefined => {
  const hash = newHash()
  for (const { path, kind } of files) {
    const content =
      kind === 'file' ? contentOf(folder, path) : kind === 'link' && targetOf(`${folder}/${path}`)
    if (!content) return undefined
    hash.update(`${kind} ${path}\0${content.length}\0`)
    hash.update(content)
  }
  return hash.digest('hex')
}

const contentOf = (folder: string, path: string): Buffer | undefined => {
  const content = openPlace(folder, path, constants.O_RDONLY, (file) => readFileSync(file))
  return Buffer.isBuffer(content) ? content : undefined
}

const targetOf = (link: string): Buffer | undefined => {
  try {
    return readlinkSync(link, 'buffer')
  } catch {
    return undefined
  }
}
