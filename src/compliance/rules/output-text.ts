import { readBlocks } from '../../markdown/blocks.ts'
import { sections } from '../../markdown/headings.ts'

/** What stands below a heading of one of these names, its number left aside; undefined where there is no such heading. */
export const sectionOf = (text: string, names: readonly string[]): string | undefined => {
  const found = sections(text).find(({ title }) => names.includes(plainTitle(title)))
  if (!found) return undefined
  const whole = text.slice(found.start, found.end)
  return withoutComments(whole.slice(lineEnd(whole))).trim()
}

const plainTitle = (title: string): string =>
  title
    .replaceAll(/[*_`:]/g, '')
    .replace(/^[\d.§ ]+/, '')
    .trim()
    .toLowerCase()

const lineEnd = (text: string): number => {
  const end = text.indexOf('\n')
  return end < 0 ? text.length : end
}

/** Everything before the second heading: title, version, status and the like. */
export const headOf = (text: string): string =>
  text.slice(0, readBlocks(text).headings[1]?.start ?? text.length)

/** The text without its code: what stands there is somebody's example. */
export const proseOf = (text: string): string => {
  let prose = ''
  let at = 0
  for (const { start, end, inside } of readBlocks(text).fences) {
    if (inside) continue
    prose += text.slice(at, start)
    at = end
  }
  return prose + text.slice(at)
}

/** How many lines of a section are entries of a list or a table. */
export const entriesIn = (section: string): number =>
  section.split('\n').filter((line) => isEntry(line.trim())).length

const isEntry = (line: string): boolean => {
  if (line.length > 2000) return true
  const item = /^(?:[-*+]|\d+[.)]|\[[^\]]{1,20}\]:?|\|)\s*(.+)$/.exec(line)?.[1]
  if (item === undefined) return false
  // What a skeleton left open, and the ruler of a table.
  const said = item.replaceAll(/<[^>]*>(?!\S)|[…|\s:.-]/g, '')
  return said.length > 2 && !['none', 'tbd', 'todo'].includes(said.toLowerCase())
}

/** A line such as `**Status**: draft` or `| Version | 1.0 |`, without its marks: what stands behind the name. */
export const fieldsOf = (head: string, name: string): string[] =>
  head.split('\n').flatMap((line) => {
    const words = line
      .replaceAll(/[*_`>|#:-]/g, ' ')
      .trim()
      .split(/\s+/)
    return words[0]?.toLowerCase() === name && words.length > 1 ? [words.slice(1).join(' ')] : []
  })

const withoutComments = (text: string): string => {
  let kept = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('<!--', at)
    if (start < 0) return kept + text.slice(at)
    kept += text.slice(at, start)
    const end = text.indexOf('-->', start)
    if (end < 0) return kept
    at = end + 3
  }
}
