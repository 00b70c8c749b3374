import { constants, type Dirent, opendirSync } from 'node:fs'
import { byDescriptor, liesAt, type NotRead, openPlace, plainPath, refused } from './safe-read.ts'
import { isSecret } from './secret-names.ts'

export type FindInside = { ok: true; paths: string[] } | NotRead

/**
 * The files below a folder that fit a pattern, in path order. A `*` stands for any characters of one name, but not for
 * the dot of a hidden one. Links are not followed, and no more names are looked at than allowed.
 */
export const findInside = (folder: string, pattern: string, maxNames: number): FindInside => {
  const plain = plainPath(pattern)
  if (typeof plain !== 'string') return plain
  if (plain.includes('**')) return refused('has a **, and only * is known')
  const parts = plain.split('/')
  const fixed = parts.findIndex((part) => part.includes('*'))
  let left = maxNames
  let reached = [parts.slice(0, fixed).join('/')]
  for (let i = fixed; i < parts.length; i++) {
    const isLast = i === parts.length - 1
    const next: string[] = []
    for (const path of reached) {
      for (const entry of entriesOf(folder, path, left + 1)) {
        if (--left < 0) return refused(`would have more than ${maxNames} names looked at`)
        const isWanted = isLast ? entry.isFile() : entry.isDirectory() && !isSecret(entry.name)
        if (isWanted && fits(entry.name, parts[i]!))
          next.push(path === '' ? entry.name : `${path}/${entry.name}`)
      }
    }
    reached = next
  }
  return { ok: true, paths: reached.sort() }
}

/** Read by descriptor, like the files: a folder that a link has taken the place of shows no names either. */
const entriesOf = (folder: string, path: string, most: number): Dirent[] => {
  const found = openPlace(folder, path, constants.O_RDONLY | constants.O_DIRECTORY, (descriptor, place) => {
    if (!liesAt(descriptor, place)) return []
    const names = opendirSync(byDescriptor(descriptor) ?? place)
    try {
      const entries: Dirent[] = []
      for (let entry = names.readSync(); entry && entries.length < most; entry = names.readSync())
        entries.push(entry)
      return liesAt(descriptor, place) ? entries : []
    } finally {
      names.closeSync()
    }
  })
  return Array.isArray(found) ? found : []
}

/** Each piece between the stars at its first place behind the one before: there is no need to ever go back. */
const fits = (name: string, part: string): boolean => {
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
