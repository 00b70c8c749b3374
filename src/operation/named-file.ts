import { resolve } from 'node:path'
import type { Host } from '../host/host.ts'
import { isThere } from '../host/permissions.ts'
import { refuse } from '../kernel/result.ts'
import { shellQuote } from '../print/shell-quote.ts'

/** Refuses a path that is not a file, and a file of more than `most` bytes. */
export const readNamedFile = (
  { files, cwd }: Host,
  given: string,
  /** `instead` is the command that reads standard input. It is the suggested fix if the path is a pipe. */
  { field, most, instead }: { field: string; most: number; instead: string },
): string => {
  const path = resolve(cwd, given)
  const kind = files.kind(path)
  if (kind === undefined && isThere(path))
    return refuse('file.unreadable', {
      ...{ path, reason: 'it is a pipe or a device' },
      fix: `${instead} < ${shellQuote(given)}`,
    })
  if (kind !== 'file') return refuse('file.unreadable', { path, reason: whyUnreadable(kind) })
  if (files.size(path) > most)
    return refuse('input.invalid', { problems: [{ path: field, message: `is limited to ${most} bytes` }] })
  return files.read(path) ?? ''
}

const whyUnreadable = (kind: 'folder' | 'denied' | undefined): string => {
  if (kind === 'folder') return 'it is a folder'
  if (kind === 'denied') return 'permission denied'
  return 'there is no such file'
}
