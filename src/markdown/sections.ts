import { readBlocks } from './blocks.ts'

export interface Section {
  level: number
  title: string
  start: number
  /** Where the next one of its level or above starts: what is below it belongs to it. */
  end: number
}

/** The sections of a Markdown text, in order; each holds those of lower rank that follow it. Not all headings may count. */
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
