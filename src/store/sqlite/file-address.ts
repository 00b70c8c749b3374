/** Returns the address of a database file with SQLite's options, such as `mode=ro`. */
export const fileAddress = (path: string, options: string): string =>
  `file:${isPlain(path) ? path : path.replaceAll('%', '%25').replaceAll('?', '%3f').replaceAll('#', '%23')}?${options}`

/**
 * Whether a path has no character to escape, like most paths. Such a path needs no `replaceAll`, which is code of
 * the engine that most commands do not use.
 */
const isPlain = (path: string): boolean => !path.includes('%') && !path.includes('?') && !path.includes('#')
