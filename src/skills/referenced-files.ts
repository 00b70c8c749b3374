import { filesBelow, statAt } from '../host/stat.ts'
import { normalPath } from '../kernel/path.ts'
import { codeAndRows } from '../markdown/code.ts'

const mostReferences = 200
/** At most this many names below `references/` are listed. */
const mostNames = 10_000

/**
 * Returns the files that a SKILL.md refers to, in path order: all files in `references/`, and all Markdown files to
 * which SKILL.md has links. `more` is the number of files beyond the limit, or `true` if the folder has too many names
 * to count.
 */
export const referencedFiles = (folder: string, text: string): { paths: string[]; more: number | true } => {
  const found = filesBelow(`${folder}/references`, mostNames)
  const inReferences = (found ?? [])
    .filter(({ kind }) => kind === 'file')
    .map(({ path }) => `references/${path}`)
  const linked = linkedFiles(text).filter((path) => statAt(`${folder}/${path}`)?.kind === 'file')
  const all = [...new Set([...inReferences, ...linked])].sort()
  return {
    paths: all.slice(0, mostReferences),
    more: found ? Math.max(0, all.length - mostReferences) : true,
  }
}

/** Returns the targets of the links in a SKILL.md, in path order: only Markdown files inside the skill's folder. */
export const linkedFiles = (body: string): string[] =>
  [...new Set(linksOf(body))]
    .map(normalPath)
    .filter((path) => isMarkdown(path) && isInside(path) && path !== 'SKILL.md')
    .filter((path, i, all) => all.indexOf(path) === i)
    .sort()

const isMarkdown = (path: string): boolean => /\.(md|markdown|mdx)$/i.test(path)

const isInside = (path: string): boolean =>
  !path.startsWith('/') && path !== '..' && !path.startsWith('../') && !path.includes('\0')

/**
 * Returns the targets of `[text](target)` and `[name]: target`. Ignores links in code and links to web addresses.
 * Removes the anchor from a target.
 */
const linksOf = (text: string): string[] => {
  const { code } = codeAndRows(text)
  let next = 0
  const found = text.matchAll(/\]\(<?([^()<>\s]+)|^ {0,3}\[[^\]\n]{1,100}\]:[ \t]*<?([^<>\s]+)/gm)
  return [...found].flatMap(({ index, 1: inline, 2: named }) => {
    while (next < code.length && code[next]!.end <= index) next++
    if (next < code.length && code[next]!.start <= index) return []
    const target = (inline ?? named)!.split(/[?#]/)[0]!
    return target === '' || /^[a-z][a-z0-9+.-]*:|^\/\//i.test(target) ? [] : [decoded(target)]
  })
}

const decoded = (target: string): string => {
  try {
    return decodeURIComponent(target)
  } catch {
    // The percent encoding is invalid, so keep the target as it is.
    return target
  }
}
