/** Paths and commits that a text speaks of. */
export interface NamedIn {
  paths: string[]
  commits: string[]
}

const mostEach = 100

/**
 * What a text claims to be there: paths with a folder and an ending, and commits that are called so. A sentence that
 * denies something or speaks of what is to come claims nothing.
 */
export const namedIn = (text: string): NamedIn => {
  const paths = new Set<string>()
  const commits = new Set<string>()
  for (const sentence of text.split(/(?<=[.!?;])\s|\n/)) {
    if (sentence.length > 2000 || denials.test(sentence)) continue
    for (const word of sentence.split(/[\s()[\]{}<>"'`,;|]+/)) {
      const path = pathIn(word)
      if (path !== undefined && paths.size < mostEach) paths.add(path)
    }
    for (const [, sha] of sentence.matchAll(/\bcommit[:\s`]{1,3}([0-9a-f]{7,40})\b/gi))
      if (commits.size < mostEach) commits.add(sha!.toLowerCase())
  }
  return { paths: [...paths], commits: [...commits] }
}

const denials =
  /\b(?:no|not|none|neither|nor|never|without|missing|lacks?|absent|cannot|removed?|deleted?|deletes|renamed?|moved|former(?:ly)?|should|would|could|will|must|propos\w*|plan\w*|new|creates?|add(?:s|ed)?|e\.g|example|such as)\b|n't\b/i

/** `src/a.ts:12` without the line; undefined for what is no path of a file. */
const pathIn = (word: string): string | undefined => {
  const path = word.replace(/[.:!?]+$/, '').replace(/:\d+(?:[-:]\d+)?$/, '')
  if (path.length > 300 || path.includes('://') || !path.includes('/')) return undefined
  if (!/^(?:\.{1,2}\/|\/)?[\w@+.-]+(?:\/[\w@+.-]+)*\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(path)) return undefined
  // An address without its scheme, or a package of some registry.
  return /^(?:@|www\.)|^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|sh|ai|edu|gov)\//i.test(path)
    ? undefined
    : path
}
