/** Returns the address of a database file with SQLite's options, such as `mode=ro`. */
export const fileAddress = (path: string, options: string): string =>
  `file:${path.replaceAll('%', '%25').replaceAll('?', '%3f').replaceAll('#', '%23')}?${options}`
