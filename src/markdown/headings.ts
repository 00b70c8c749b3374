import { readBlocks } from './blocks.ts'

export interface Section {
  level: number
  title: string
  start: number
  /** Where the next section of its level or above starts. */
  end: number
}

/**
 * The sections of a Markdown text, in order; each contains the lower-level ones that follow it. `counts` may exclude
 * headings.
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

/** How many levels to lower headings: from `# Title` to below `### name`, the heading of a skill in a prompt. */
export const skillHeadingDepth = 3

/**
 * Lowers the headings of a text by some levels, to the sixth at most, so that none of them can be mistaken for a
 * section of the text it is put into. Underlined headings become `#` headings, because underlines have only two
 * levels. Code stays as it is.
 */
export const demote = (text: string, by: number): string => {
  let out = ''
  let copied = 0
  for (const { level, title, at, end, underlined } of readBlocks(text).headings) {
    const marks = '#'.repeat(Math.min(6, level + by))
    // A `#` at the end of the title would be read as a closing mark.
    const words = title.endsWith('#') ? `${title} #` : title
    out += text.slice(copied, at) + (underlined ? `${marks} ${words}` : marks)
    copied = underlined ? end : at + level
  }
  return out + text.slice(copied)
}
