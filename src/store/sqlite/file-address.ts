/** Returns the address of a database file with SQLite's options, such as `mode=ro`. */
export const fileAddress = (path: string, options: string): string =>
  `file:${isPlain(path) ? path : path.replaceAll('%', '%25').replaceAll('?', '%3f').replaceAll('#', '%23')}?${options}`

/**
 * Whether a path has no character to escape. Most paths have none, and for these `fileAddress` does not call
 * `replaceAll`: in most commands it would be the first call of `replaceAll`, and the first call takes time.
 */
const isPlain = (path: string): boolean => !path.includes('%') && !path.includes('?') && !path.includes('#')
