/** Returns the code of a system error, such as `ENOENT`; undefined for any other error. */
export const errnoOf = (error: unknown): string | undefined => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

/** Whether the error means that a path does not exist. */
export const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')

/** Returns why a file was not read or written, to end a sentence: `Cannot read a.txt: permission denied.` */
export const fileReason = (error: unknown): string =>
  fileReasons[errnoOf(error) ?? ''] ?? (error as Error).message

const fileReasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  ELOOP: 'it is a link',
  ENXIO: 'it is not a regular file',
  ENAMETOOLONG: 'it has a path that is too long',
}

/** Returns why the system did not start a program. */
export const programReason = (error: unknown): string => {
  const code = errnoOf(error)
  if (code === 'ENOENT') return 'there is no such program'
  return code === 'EACCES' ? 'it is not executable' : (error as Error).message
}
