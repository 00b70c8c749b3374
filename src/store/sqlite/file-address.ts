/** Returns the address of a database file with SQLite's options, such as `mode=ro`. */
export const fileAddress = (path: string, options: string): string =>
  `file:${isPlain(path) ? path : path.replaceAll('%', '%25').replaceAll('?', '%3f').replaceAll('#', '%23')}?${options}`

/**
 * Most paths have no character to escape. For these paths `fileAddress` does not call `replaceAll`, because the first
 * call of `replaceAll` in a process is slow.
 */
const isPlain = (path: string): boolean => !path.includes('%') && !path.includes('?') && !path.includes('#')
