import { refuse } from '../kernel/result.ts'

// Loaded on first use: see `bun.ts`.
const fs = () => process.getBuiltinModule('node:fs')

const own = '/.cleo/'

/**
 * Searches a path for links, from the project's `.cleo` to the end. Returns the first link; undefined if there is
 * none. A cloned repository can contain a link that points anywhere. The user's own `~/.cleo` belongs to no
 * project, so it may be a link.
 */
export const ownLink = (path: string): string | undefined => {
  const start = `${path}/`.lastIndexOf(own)
  if (start < 0 || path.slice(0, start) === process.env['HOME']) return undefined
  for (let end = start + own.length - 1; ; ) {
    const part = path.slice(0, end)
    if (isLink(part)) return part
    if (end >= path.length) return undefined
    const next = path.indexOf('/', end + 1)
    end = next < 0 ? path.length : next
  }
}

/**
 * Returns false if the path does not exist or cannot be read, because the command that uses the path reports the
 * reason.
 */
const isLink = (path: string): boolean => {
  try {
    return fs().lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  } catch {
    return false
  }
}

/**
 * Refuses a path that leads through a link in `.cleo`. Call it before anything is made, written or removed at the
 * path.
 */
export const refuseOwnLinks = (path: string): void => {
  const link = ownLink(path)
  if (link !== undefined) refuse('file.link', { path: link })
}
