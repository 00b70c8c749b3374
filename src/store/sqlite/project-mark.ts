export const markPrefix = 'project.'

/**
 * The file that says which project's database belongs beside it. Its name holds the id, because every command checks it,
 * and finding a file takes less time than reading it.
 */
export const markOf = (path: string, id: string): string =>
  `${path.slice(0, path.lastIndexOf('/') + 1)}${markPrefix}${id}`

/** An id becomes part of paths, and a database that came with a clone may hold any text: twelve lower-case letters and digits. */
export const isProjectId = (id: string): boolean => {
  if (id.length !== 12) return false
  for (const char of id) if (!((char >= '0' && char <= '9') || (char >= 'a' && char <= 'z'))) return false
  return true
}
