/** Returns the address of a database file with SQLite's options, such as `mode=ro`. */
export const fileAddress = (path: string, options: string): string =>
  `file:${isPlain(path) ? path : path.replaceAll('%', '%25').replaceAll('?', '%3f').replaceAll('#', '%23')}?${options}`

/**
 * Whether a path has no character to escape, like most paths. `fileAddress` does not call `replaceAll` for such a path,
 * because this would be its first use in most commands, and the first use takes time.
 */
const isPlain = (path: string): boolean => !path.includes('%') && !path.includes('?') && !path.includes('#')
