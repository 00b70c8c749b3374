export const markPrefix = 'project.'

/**
 * Returns the path of the mark file. The mark file tells which project's database belongs in this folder. The project's
 * id is part of the file's name, because every command checks the id, and finding a file is faster than reading it.
 */
export const markOf = (path: string, id: string): string =>
  `${path.slice(0, path.lastIndexOf('/') + 1)}${markPrefix}${id}`

/**
 * Whether a text is a project id: twelve lower-case letters and digits. The check is needed because an id becomes
 * part of paths, and a database from a clone can contain any text.
 */
export const isProjectId = (id: string): boolean => {
  if (id.length !== 12) return false
  for (const char of id) if (!((char >= '0' && char <= '9') || (char >= 'a' && char <= 'z'))) return false
  return true
}
