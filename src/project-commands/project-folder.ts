import { contentAt } from '../host/content-at.ts'
import type { Host } from '../host/host.ts'
import { which } from '../host/programs.ts'
import { sha256 } from '../host/sha256.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'

/** Paths are relative to the folder. */
export interface ProjectFolder {
  /** The names directly in the folder. */
  names: readonly string[]
  /** Returns the text of a file; undefined if there is no such file in the folder, or if it is too large to search. */
  read(path: string): string | undefined
  /** Returns the hash of a file's bytes; empty if there is no such file in the folder. */
  hash(path: string): string
  list(path: string): readonly string[]
  isFile(path: string): boolean
  isFolder(path: string): boolean
  isOnPath(program: string): boolean
}

/** Files larger than this are not searched for settings. They are only hashed. */
const mostText = 8 << 20

/** Reads each file at most once, because several commands depend on the same files. */
export const projectFolder = (host: Host, folder: string): ProjectFolder => {
  const { files } = host
  const texts = new Map<string, string | undefined>()
  const placeOf = (path: string): string | undefined => {
    const place = resolvePath(folder, path)
    return place === folder || isBelow(folder, place) ? place : undefined
  }
  const kindOf = (path: string) => {
    const place = placeOf(path)
    return place === undefined ? undefined : files.kind(place)
  }
  // Files outside the folder are not read. A link in a clone can lead to any file, and CLEO would show its text to
  // people and put it into prompts.
  const isInside = (path: string): boolean => {
    const real = files.realPath(placeOf(path)!)
    return isBelow(folder, real) || isBelow(files.realPath(folder), real)
  }
  const isFile = (path: string) => kindOf(path) === 'file'
  const isFolder = (path: string) => kindOf(path) === 'folder'
  return {
    names: files.list(folder),
    isFile,
    isFolder,
    read(path) {
      if (texts.has(path)) return texts.get(path)
      const place = isFile(path) && isInside(path) ? placeOf(path)! : undefined
      const text = place !== undefined && files.size(place) <= mostText ? files.read(place) : undefined
      texts.set(path, text)
      return text
    },
    hash(path) {
      if (!isFile(path)) return ''
      const real = files.realPath(placeOf(path)!)
      return contentAt(real)?.sha256 ?? sha256(real)
    },
    list: (path) => (isFolder(path) ? files.list(placeOf(path)!) : []),
    isOnPath: (program) => which(withPath(host), program, folder) !== undefined,
  }
}

/** If PATH is not set, sets it to the folders that the system searches without a PATH. */
const withPath = (host: Host): Host =>
  host.env['PATH'] === undefined
    ? { ...host, env: { ...host.env, PATH: '/usr/local/bin:/usr/bin:/bin' } }
    : host
