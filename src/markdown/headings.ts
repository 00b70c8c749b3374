import { readBlocks } from './blocks.ts'

export interface Section {
  level: number
  title: string
  start: number
  /** The offset of the next section with the same or a higher level. The end of the text if no such section follows. */
  end: number
}

/**
 * A section contains the lower-level sections that follow it. If the function `counts` returns false for the offset of
 * a heading, that heading is ignored.
 */
export const sections = (text: string, counts = (_start: number) => true): Section[] => {
  const found: Section[] = []
  const open: Section[] = []
  for (const { level, title, start, inside } of readBlocks(text).headings) {
    if (inside || !counts(start)) continue
    while (open.length > 0 && open.at(-1)!.level >= level) open.pop()!.end = start
    const section = { level, title, start, end: text.length }
    found.push(section)
    open.push(section)
  }
  return found
}

/**
 * The headings of skills and fenced texts are lowered by this many levels, so that a `# Title` is below the prompt's
 * own `### name`.
 */
export const headingDepth = 3

/**
 * Prepares a text for use inside another text. Lowers its headings by some levels, to the sixth at most, so that they
 * cannot look like sections of the surrounding text. Closes a code block or comment that the text leaves open.
 * Underlined headings become `#` headings, because underlines have only two levels. Code is not changed.
 */
export const embedded = (text: string, by: number): string => {
  const { headings, open } = readBlocks(text)
  let out = ''
  let copied = 0
  for (const { level, title, at, end, underlined } of headings) {
    const marks = '#'.repeat(Math.min(6, level + by))
    // In a line such as `# C #`, Markdown drops the last `#` as a closing mark. So if the title of an underlined
    // heading ends with `#`, add one more. Markdown then drops only the added `#`.
    const words = title.endsWith('#') ? `${title} #` : title
    out += text.slice(copied, at) + (underlined ? `${marks} ${words}` : marks)
    copied = underlined ? end : at + level
  }
  out += text.slice(copied)
  return open ? `${out.endsWith('\n') ? out : `${out}\n`}${open.closing}\n` : out
}
