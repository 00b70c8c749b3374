import { readBlocks } from './blocks.ts'

/** From `# Title` to below `### name`, under which a skill stands in a prompt. */
export const belowSkill = 3

/**
 * Lowers the headings of a text by some levels, to the sixth at most, so that none of them can be taken for a section
 * of what it is put into. Underlined ones become `#` ones: they have no third level. Code stays as it is.
 */
export const demote = (text: string, by: number): string => {
  let out = ''
  let copied = 0
  for (const { level, title, at, end, underlined } of readBlocks(text).headings) {
    const marks = '#'.repeat(Math.min(6, level + by))
    // Marks at the end of the words would be taken for the closing ones.
    const words = title.endsWith('#') ? `${title} #` : title
    out += text.slice(copied, at) + (underlined ? `${marks} ${words}` : marks)
    copied = underlined ? end : at + level
  }
  return out + text.slice(copied)
}
