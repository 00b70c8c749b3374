/** Tasks in a sentence, the first ten of them. */
export const names = (ids: readonly string[]): string =>
  ids.length > 10 ? `${ids.slice(0, 10).join(', ')} and ${ids.length - 10} more` : ids.join(', ')

/** Tasks that each wait on the next; of a long chain both ends. */
export const chain = (path: readonly string[]): string =>
  (path.length > 24 ? [...path.slice(0, 12), `… ${path.length - 23} more …`, ...path.slice(-11)] : path).join(
    ' → ',
  )
