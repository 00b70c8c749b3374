import { normalPath } from '../kernel/path.ts'
import { codeAndRows } from '../markdown/code.ts'

/** Markdown files that a text links to, below its own folder, in path order. */
export const linkedFiles = (body: string): string[] =>
  [...new Set(linksOf(body))]
    .map(normalPath)
    .filter((path) => isMarkdown(path) && isInside(path) && path !== 'SKILL.md')
    .filter((path, i, all) => all.indexOf(path) === i)
    .sort()

const isMarkdown = (path: string): boolean => /\.(md|markdown|mdx)$/i.test(path)

/** Neither absolute nor above the folder it is relative to. */
const isInside = (path: string): boolean =>
  !path.startsWith('/') && path !== '..' && !path.startsWith('../') && !path.includes('\0')

/** Targets of `[text](target)` and `[name]: target` that are no web address, without their anchors. Code has none. */
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
    // A stray percent sign stands for itself.
    return target
  }
}
