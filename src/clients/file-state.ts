import type { Host } from '../host/host.ts'
import { modeOf, whyUnwritable } from '../host/permissions.ts'
import { resolvedEnd, statAt } from '../host/stat.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'

/** If the path of the file is a link, this is the state of the file to which the link leads. */
export interface FileState {
  /** The absolute path, with links resolved. */
  target: string
  text?: string
  mode?: number
}

const mostBytes = 4 * 1024 * 1024

/** Reads a file that a set-up changes, or returns why CLEO cannot change it. */
export const fileState = ({ files }: Host, root: string, path: string): FileState | { why: string } => {
  const base = files.realPath(root)
  const target = linkedTo(resolvePath(base, path))
  if (target === undefined) return { why: 'is a link that leads nowhere' }
  if (!isBelow(base, target)) return { why: `leads to ${target}, outside ${root}` }
  if (isPrivate(target.slice(base.length)) && !isPrivate(path))
    return { why: `leads to ${target}, which is not a file of a client` }
  const kind = files.kind(target)
  if (kind === 'denied') return { why: 'is not readable' }
  if (kind === 'folder') return { why: 'is a folder' }
  if (kind === undefined && statAt(target)) return { why: 'is not a regular file' }
  if (kind === undefined) {
    const why = whyNoFolder(files, target)
    return why ? { why } : { target }
  }
  if (files.size(target) > mostBytes) return { why: 'is too large' }
  if (isLocked(target)) return { why: 'is read-only' }
  const folder = target.slice(0, target.lastIndexOf('/'))
  if (isLocked(folder)) return { why: `is in ${folder}, which is read-only` }
  const text = files.read(target)!
  return text.includes('\uFFFD') ? { why: 'is not UTF-8' } : { target, text, mode: modeOf(target) }
}

/**
 * Resolves the links in a path. Returns the result relative to the root. If a link leads outside the root or nowhere,
 * returns the given path.
 */
export const fileAt = ({ files }: Host, root: string, path: string): string => {
  const base = files.realPath(root)
  const target = linkedTo(resolvePath(base, path))
  return target !== undefined && isBelow(base, target) ? target.slice(base.length + 1) : path
}

/** A clone can contain a link into a folder of git or of CLEO, and a set-up must not write there. */
const isPrivate = (path: string): boolean => /(?:^|\/)\.(?:git|cleo)(?:\/|$)/i.test(path)

/** Returns undefined for a link that leads nowhere. */
const linkedTo = (path: string): string | undefined => {
  const target = resolvedEnd(path)
  return target !== undefined && statAt(target)?.kind === 'link' ? undefined : target
}

const whyNoFolder = (files: Host['files'], target: string): string | undefined => {
  let folder = target.slice(0, target.lastIndexOf('/'))
  while (folder !== '' && files.kind(folder) === undefined && !statAt(folder))
    folder = folder.slice(0, folder.lastIndexOf('/'))
  if (files.kind(folder || '/') !== 'folder') return `is below ${folder}, which is not a folder`
  return isLocked(folder || '/') ? `is below ${folder}, which is read-only` : undefined
}

/** Also checks the mode of the file or folder, because root can write to read-only files. */
const isLocked = (path: string): boolean =>
  whyUnwritable(path) !== undefined || ((modeOf(path) ?? 0o200) & 0o222) === 0
