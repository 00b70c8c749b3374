import { constants, type Dirent, opendirSync } from 'node:fs'
import { byDescriptor, cannotRead, isAt, type NotRead, openInside, plainPath } from './safe-read.ts'
import { isSecret } from './secret-names.ts'

export type FindInside = { ok: true; paths: string[] } | NotRead

/**
 * Finds the files below a folder that match a pattern, in path order. A `*` matches any characters of one name, except
 * the leading dot of a hidden name. Follows no links and reads at most `maxNames` names.
 */
export const findInside = (folder: string, pattern: string, maxNames: number): FindInside => {
  const plain = plainPath(pattern)
  if (typeof plain !== 'string') return plain
  if (plain.includes('**')) return cannotRead('contains **, but only * is supported')
  const parts = plain.split('/')
  const fixed = parts.findIndex((part) => part.includes('*'))
  let left = maxNames
  let reached = [parts.slice(0, fixed).join('/')]
  for (let i = fixed; i < parts.length; i++) {
    const isLast = i === parts.length - 1
    const next: string[] = []
    for (const path of reached) {
      for (const entry of entriesOf(folder, path, left + 1)) {
        if (--left < 0) return cannotRead(`would read more than ${maxNames} names`)
        const isWanted = isLast ? entry.isFile() : entry.isDirectory() && !isSecret(entry.name)
        if (isWanted && matches(entry.name, parts[i]!))
          next.push(path === '' ? entry.name : `${path}/${entry.name}`)
      }
    }
    reached = next
  }
  return { ok: true, paths: reached.sort() }
}

/** Lists a folder by its descriptor. Returns an empty list if the folder was replaced by a link. */
const entriesOf = (folder: string, path: string, most: number): Dirent[] => {
  const found = openInside(folder, path, constants.O_RDONLY | constants.O_DIRECTORY, (descriptor, at) => {
    if (!isAt(descriptor, at)) return []
    const names = opendirSync(byDescriptor(descriptor) ?? at)
    try {
      const entries: Dirent[] = []
      for (let entry = names.readSync(); entry && entries.length < most; entry = names.readSync())
        entries.push(entry)
      return isAt(descriptor, at) ? entries : []
    } finally {
      names.closeSync()
    }
  })
  return Array.isArray(found) ? found : []
}

/**
 * Whether `name` matches the glob `part`. Each piece between stars is matched as early as possible, so no backtracking
 * is needed.
 */
const matches = (name: string, part: string): boolean => {
  if (name.startsWith('.') && !part.startsWith('.')) return false
  const [first, ...others] = part.split('*') as [string, ...string[]]
  const last = others.pop()
  if (last === undefined) return name === part
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  let at = first.length
  for (const piece of others) {
    const found = name.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return at <= name.length - last.length
}
