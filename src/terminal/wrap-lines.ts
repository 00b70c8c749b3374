import { splitWide, widthOf } from './text-width.ts'

/**
 * Breaks lines that are wider than the terminal, between two words. Indents the rest of a line to where its text
 * begins. A command gets a `\` at each break, so it can still be copied and run. If an element of `lines`
 * contains line breaks, it is a document and is not changed.
 */
export const wrapLines = (lines: readonly string[], width: number): string[] => {
  const out: string[] = []
  for (const line of lines) {
    if (line.includes('\n') || widthOf(line) <= width) out.push(line)
    else out.push(...wrapLine(line, width))
  }
  return out
}

const wrapLine = (line: string, width: number): string[] => {
  const isCommand = commandLine.test(line.replaceAll(colour, ''))
  const lead = leadOf(line) + (isCommand && !/^\s*\S+: /.test(line.replaceAll(colour, '')) ? 4 : 0)
  // On a very narrow terminal, deep indents would leave no room for words.
  const indent = ' '.repeat(lead > width / 2 ? Math.min(2, lead) : lead)
  const room = width - (isCommand ? 2 : 0)
  const out: string[] = []
  let current = ''
  for (const { gap, word } of wordsOf(line, isCommand)) {
    const isFirst = current.replaceAll(colour, '').trim() === ''
    const fitsBelow = widthOf(word) <= room - indent.length
    if (!isFirst && fitsBelow && widthOf(current) + widthOf(gap) + widthOf(word) > room) {
      out.push(isCommand ? `${current} \\` : current)
      current = indent + gap.replaceAll(' ', '')
    } else if (!isFirst || out.length === 0) current += gap
    const parts = hasWide.test(word) ? splitWide(word, Math.max(10, width - widthOf(current))) : [word]
    for (const part of parts.slice(0, -1)) {
      out.push(current + part)
      current = indent
    }
    current += parts.at(-1)!
  }
  return [...out, current]
}

const colour = /\u001b\[[\d;]*m/g
/** Matches characters of scripts that have no blanks between words. */
const hasWide = /[\u3041-\u30ff\u3400-\u9fff]/
/**
 * Matches a line with a command. Only these labels may stand before the command, because a sentence can also have a
 * colon before `cleo` or `git`.
 */
const commandLine = /^\s+(?:(?:fix|or|try|then|next|also|answer|maybe): )?(?:\$ )?(?:cleo|git) /

/**
 * Returns the width of everything before the text of a line: blanks, a mark or a label, and a name in a first column.
 * An id before a title belongs to the text. In a line of a diff, the text begins after the sign, the blanks and the
 * dash of a list.
 */
const leadOf = (line: string): number => {
  const plain = line.replaceAll(colour, '')
  const [changed] = /^(?:[+-] *(?:- )?)?/.exec(plain)!
  if (changed) return changed.length
  const [lead] =
    /^\s*(?:[○◐■✓✗·!–│$+-] |\d+\. |waits |(?:fix|or|try|then|next|also|warning): )?(?:(?!T\d+ \S)[^\s]+(?: [^\s]+)? {2,})?/u.exec(
      plain,
    )!
  // If a row begins with an id, as in `worktree list`, the id is part of the text. If the row is broken, its
  // further lines are indented by two columns.
  return lead === '' && /^T\d+\S* .* {2}/.test(plain) ? 2 : widthOf(lead)
}

/**
 * Matches the blanks before a word of a command, and the word: a flag with its value, quoted text, or any other word.
 */
const commandWord =
  /((?:(?:\u001b\[\d+m)* +(?:\u001b\[\d+m)*)*)((?:--[\w-]+ (?!-))?(?:"[^"]*"|'[^']*'|[^ "'])+)/g

interface Word {
  /** The blanks before the word, with the colour codes between them. */
  gap: string
  word: string
}

/** In a command, quoted text is part of one word, because a line break would change the text. */
const wordsOf = (line: string, isCommand: boolean): Word[] => {
  const words: Word[] = []
  const pattern = isCommand ? commandWord : /((?:(?:\u001b\[\d+m)* +(?:\u001b\[\d+m)*)*)([^ ]+)/g
  for (const [, gap = '', word = ''] of line.matchAll(pattern)) words.push({ gap, word })
  return words
}
