import { resolve } from 'node:path'
import type { Host } from '../host/host.ts'
import { isThere } from '../host/permissions.ts'
import { refuse } from '../kernel/result.ts'

/**
 * Reads the file that a field of the input names. Refuses a path that is not a file, and a file of more than `most`
 * bytes.
 */
export const readNamedFile = (
  { files, cwd }: Host,
  given: string,
  { field, most }: { field: string; most: number },
): string => {
  const path = resolve(cwd, given)
  const kind = files.kind(path)
  if (kind !== 'file') return refuse('file.unreadable', { path, reason: whyUnreadable(path, kind) })
  if (files.size(path) > most)
    return refuse('input.invalid', { problems: [{ path: field, message: `is limited to ${most} bytes` }] })
  return files.read(path) ?? ''
}

const whyUnreadable = (path: string, kind: 'folder' | 'denied' | undefined): string => {
  if (kind === 'folder') return 'it is a folder'
  if (kind === 'denied') return 'permission denied'
  return isThere(path) ? 'it is a pipe or a device; - reads standard input' : 'there is no such file'
}
