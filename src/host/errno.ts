import { type DiskReason, diskReasons } from '../refusals/disk-reasons.ts'

export const errnoOf = (error: unknown): string | undefined => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

export const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')

/**
 * Returns why a file was not read or written, as the end of a sentence such as `Cannot read a.txt: permission denied.`
 */
export const fileReason = (error: unknown): string =>
  fileReasons()[errnoOf(error) ?? ''] ?? (error as Error).message

// `fileReasons` and `diskErrors` are functions, so that only a command that meets an error builds these tables.
const fileReasons = (): Record<string, string> => ({
  ENOENT: 'there is no such file',
  EACCES: diskReasons.denied,
  EPERM: 'not permitted',
  EROFS: diskReasons.readonly,
  ENOSPC: diskReasons.full,
  EDQUOT: diskReasons.quota,
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  ELOOP: 'it is a link',
  ENXIO: 'it is not a regular file',
  EBADF: 'it is closed',
  ENAMETOOLONG: 'it has a path that is too long',
})

export const diskReason = (error: unknown): DiskReason | undefined => diskErrors()[errnoOf(error) ?? '']

const diskErrors = (): Record<string, DiskReason> => ({
  ENOSPC: 'full',
  EDQUOT: 'quota',
  EROFS: 'readonly',
  EACCES: 'denied',
  EPERM: 'denied',
})

export const programReason = (error: unknown): string => {
  const code = errnoOf(error)
  if (code === 'ENOENT') return 'there is no such program'
  return code === 'EACCES' ? 'it is not executable' : (error as Error).message
}

/** How many bytes of a program's standard error are kept. */
export const mostErrors = 4096
