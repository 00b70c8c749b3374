import { unescaped } from './outline-line.ts'
import type { OutlineItem } from './outline-shape.ts'

const tabStop = 4

export const indentOf = (line: string): { indent: number; rest: string } => {
  let indent = 0
  let at = 0
  for (; line[at] === ' ' || line[at] === '\t'; at++)
    indent = line[at] === '\t' ? indent - (indent % tabStop) + tabStop : indent + 1
  return { indent, rest: line.slice(at) }
}

export const withoutIndent = (line: string, columns: number): string => {
  let indent = 0
  let at = 0
  for (; indent < columns && (line[at] === ' ' || line[at] === '\t'); at++)
    indent = line[at] === '\t' ? indent - (indent % tabStop) + tabStop : indent + 1
  return ' '.repeat(Math.max(0, indent - columns)) + line.slice(at)
}

const labelPattern =
  /^(?:\*\*|__)?(?:acceptance(?: criteria)?|criteria|done when|definition of done)(?:\*\*|__)?:(?:\*\*|__)?$/i
export const labelHeading = /^(?:acceptance(?: criteria)?|criteria|done when|definition of done):?$/i

export const isLabel = (line: string): boolean => labelPattern.test(line.trim())

export const frontMatterEnd = (lines: readonly string[]): number => {
  if (lines[0]?.trimEnd() !== '---') return 0
  const end = lines.findIndex((line, i) => i > 0 && (line.trimEnd() === '---' || line.trimEnd() === '...'))
  // If no line between the two lines of dashes has the form `name: value`, there is no front matter. In that case, the
  // first line is a horizontal rule.
  return end > 0 && lines.slice(1, end).some((line) => /^[\w-]+:/.test(line)) ? end + 1 : 0
}

/** Stands before each quoted line. Quoted lines are kept exactly, even empty ones. */
export const quotedMark = '\u0000'

/** Removes the empty lines around the text of an item, and resolves the escapes in its criteria. */
export const trimText = (item: OutlineItem): void => {
  const { text } = item
  let end = text.length
  while (end > 0 && text[end - 1] === '') end--
  let start = 0
  while (start < end && text[start] === '') start++
  for (const criterion of item.criteria) criterion.text = unescaped(criterion.text)
  item.text = text.slice(start, end).map((line) => (line.startsWith(quotedMark) ? line.slice(1) : line))
}
