/**
 * A pattern is a file, a folder with everything in it, or a glob with `*`, `?`, `**` and `{a,b}`. Brackets are ordinary
 * characters, because file names such as `[id].tsx` are common. Anyone can write a pattern into a task, so matching
 * must be fast for every pattern. The time grows at most with the length of the path times the length of the pattern.
 */
export const pathMatcher = (patterns: readonly string[]): ((path: string) => boolean) => {
  let all: Pattern[] | undefined
  return (path) => {
    // The patterns are parsed on first use, because most matchers that a command makes are never called.
    all ??= patterns.flatMap((pattern) => [pattern, ...withoutBraces(pattern)]).flatMap(patternOf)
    let parts: string[] | undefined
    return all.some((pattern) => {
      if (!pattern.literals.every((text) => path.includes(text))) return false
      parts ??= segments(path)
      return matchesFrom(parts, pattern.segments)
    })
  }
}

interface Pattern {
  segments: string[]
  /**
   * The texts between the wildcards. A path that lacks one of these texts cannot match, and looking for them is
   * fast. For example, `complete` compares files with the 17 patterns for by-products. Without this search, comparing
   * eight files took 8 of the 49 million instructions of the command.
   */
  literals: string[]
}

/** An empty pattern matches nothing, so it is left out. */
const patternOf = (pattern: string): Pattern[] => {
  const all = segments(pattern)
  const literals = all.flatMap((part) => part.replaceAll('?', '*').split('*')).filter((text) => text !== '')
  return all.length > 0 ? [{ segments: all, literals }] : []
}

const segments = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.')

const mostAlternatives = 50

/** Expands `{a,b}` into several patterns. Returns none if the pattern has no braces or too many alternatives. */
const withoutBraces = (pattern: string): string[] => {
  let open = [pattern]
  for (;;) {
    const next = open.flatMap((each) => {
      const start = each.indexOf('{')
      const end = each.indexOf('}', start)
      if (start < 0 || end < 0) return [each]
      return each
        .slice(start + 1, end)
        .split(',')
        .map((choice) => each.slice(0, start) + choice + each.slice(end + 1))
    })
    if (next.length > mostAlternatives) return []
    if (next.join('\0') === open.join('\0')) return next.length === 1 && next[0] === pattern ? [] : next
    open = next
  }
}

/** Whether the pattern matches the path or one of the folders that contain it. */
const matchesFrom = (parts: readonly string[], pattern: readonly string[]): boolean => {
  // The positions in the pattern that can be reached with the path parts read so far.
  let reached = skipStars(pattern, new Set([0]))
  for (const part of parts) {
    const next = new Set<number>()
    for (const at of reached) {
      if (pattern[at] === '**') next.add(at)
      else if (pattern[at] !== undefined && matchesName(part, pattern[at])) next.add(at + 1)
    }
    if (next.has(pattern.length)) return true
    reached = skipStars(pattern, next)
    if (reached.has(pattern.length)) return true
  }
  return false
}

/** Adds the positions after `**`, because `**` can also match no folder at all. */
const skipStars = (pattern: readonly string[], reached: Set<number>): Set<number> => {
  for (const at of reached) if (pattern[at] === '**') reached.add(at + 1)
  return reached
}

/**
 * Whether a name matches a pattern with `*` and `?`. After a mismatch, the comparison goes back to the last star only,
 * and this star matches one more character.
 */
const matchesName = (name: string, pattern: string): boolean => {
  let star = -1
  let resume = 0
  let p = 0
  for (let n = 0; n < name.length; ) {
    if (pattern[p] === '*') {
      star = p++
      resume = n
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n])) {
      p++
      n++
    } else if (star >= 0) {
      p = star + 1
      n = ++resume
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}
