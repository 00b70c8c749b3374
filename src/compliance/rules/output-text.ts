import { readBlocks } from '../../markdown/blocks.ts'
import { sections } from '../../markdown/headings.ts'

/** Returns the text below the first heading with one of these names. A number before the name is ignored. */
export const sectionOf = (text: string, names: readonly string[]): string | undefined => {
  const found = sections(text).find(({ title }) => names.includes(plainTitle(title)))
  if (!found) return undefined
  const whole = text.slice(found.start, found.end)
  return withoutComments(whole.slice(lineEnd(whole))).trim()
}

const plainTitle = (title: string): string =>
  (isPlain(title) ? title : title.replaceAll(/[*_`:]/g, '').replace(/^[\d.§ ]+/, '')).trim().toLowerCase()

/** Most titles are plain. For a plain title, no pattern is compiled. */
const isPlain = (title: string): boolean =>
  !'0123456789.§ '.includes(title[0] ?? '') && !['*', '_', '`', ':'].some((mark) => title.includes(mark))

const lineEnd = (text: string): number => {
  const end = text.indexOf('\n')
  return end < 0 ? text.length : end
}

/** Returns everything before the second heading, such as title, version and status. */
export const headOf = (text: string): string =>
  text.slice(0, readBlocks(text).headings[1]?.start ?? text.length)

/** Returns the text without its code blocks, which are examples. */
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

/** Counts the list items and table rows of a section. */
export const entriesIn = (section: string): number =>
  section.split('\n').filter((line) => isEntry(line.trim())).length

const isEntry = (line: string): boolean => {
  if (line.length > 2000) return true
  if (!'-*+[|0123456789'.includes(line[0] ?? ' ')) return false
  const item = /^(?:[-*+]|\d+[.)]|\[[^\]]{1,20}\]:?|\|)\s*(.+)$/.exec(line)?.[1]
  if (item === undefined) return false
  // Remove placeholders of the template and separator lines of tables.
  const text = item.replaceAll(/<[^>]*>(?!\S)|[…|\s:.-]/g, '')
  return text.length > 2 && !['none', 'tbd', 'todo'].includes(text.toLowerCase())
}

/** Returns the values of lines such as `**Status**: draft` or `| Version | 1.0 |`. */
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
