/** Lists ids in a sentence: the first ten, then how many more there are. */
export const listIds = (ids: readonly string[]): string =>
  ids.length > 10 ? `${ids.slice(0, 10).join(', ')} and ${ids.length - 10} more` : ids.join(', ')

/** Prints a chain of tasks that each wait for the next. Cuts a long chain in the middle. */
export const showChain = (path: readonly string[]): string =>
  (path.length > 24 ? [...path.slice(0, 12), `… ${path.length - 23} more …`, ...path.slice(-11)] : path).join(
    ' → ',
  )
