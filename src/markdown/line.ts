/** A position in a line. It includes the column, because the width of a tab depends on the column. */
export interface Cursor {
  text: string
  at: number
  /** The end of the line, without its line break. */
  end: number
  column: number
}

/** Returns how many columns of white space follow the cursor. */
export const indentOf = ({ text, at, end, column }: Cursor): number => {
  let reached = column
  for (; at < end && isBlank(text, at); at++) reached += widthAt(text, at, reached)
  return reached - column
}

/** Skips up to this many columns of white space. If a tab is wider than that, only a part of the tab is skipped. */
export const skipBlank = (cursor: Cursor, columns: number): void => {
  const goal = cursor.column + columns
  while (cursor.column < goal && cursor.at < cursor.end && isBlank(cursor.text, cursor.at)) {
    const next = cursor.column + widthAt(cursor.text, cursor.at, cursor.column)
    if (next <= goal) cursor.at++
    cursor.column = Math.min(next, goal)
  }
}

/** Skips characters that are one column wide. */
export const skip = (cursor: Cursor, characters: number): void => {
  cursor.at += characters
  cursor.column += characters
}

export const restOf = ({ text, at, end }: Cursor): { start: number; rest: string } => {
  let start = at
  while (start < end && isBlank(text, start)) start++
  return { start, rest: text.slice(start, end) }
}

const isBlank = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code === 32 || code === 9
}

const widthAt = (text: string, at: number, column: number): number =>
  text.charCodeAt(at) === 9 ? 4 - (column % 4) : 1

export const headingLevel = (rest: string): number => /^#{1,6}(?=[ \t]|$)/.exec(rest)?.[0].length ?? 0

export const headingTitle = (rest: string): string => {
  const words = rest.slice(headingLevel(rest)).trim()
  let end = words.length
  while (words[end - 1] === '#') end--
  return end === 0 || words[end - 1] === ' ' || words[end - 1] === '\t' ? words.slice(0, end).trim() : words
}

/** Returns the level of the heading that this line underlines; 0 if the line is not an underline. */
export const underlineLevel = (rest: string): number =>
  /^(?:=+|-+)[ \t]*$/.test(rest) ? (rest[0] === '=' ? 1 : 2) : 0

export const fenceMarks = (rest: string): string | undefined => {
  const found = /^(?:(`{3,})[^`]*|(~{3,}).*)$/s.exec(rest)
  return found?.[1] ?? found?.[2]
}

export const closesFence = (rest: string, marks: string): boolean =>
  rest.startsWith(marks) && rest.trimEnd() === marks[0]!.repeat(rest.trimEnd().length)

export const isRule = (rest: string): boolean => {
  const mark = rest[0]
  if (mark !== '-' && mark !== '*' && mark !== '_') return false
  let marks = 0
  for (const char of rest) {
    if (char === mark) marks++
    else if (char !== ' ' && char !== '\t') return false
  }
  return marks > 2
}

/** Inside a paragraph, an item counts only if it has text. A numbered item must also have the number 1. */
export const itemMark = (rest: string, inParagraph: boolean): string | undefined => {
  const mark = /^(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)/.exec(rest)?.[0]
  if (mark === undefined || !inParagraph) return mark
  const alone = rest.slice(mark.length).trim() === ''
  return alone || (mark.length > 1 && Number.parseInt(mark, 10) !== 1) ? undefined : mark
}

/** Returns a pattern for the end of the HTML block that starts on this line; undefined if no block starts here. */
export const htmlEnd = (rest: string, inParagraph: boolean): RegExp | 'empty line' | undefined => {
  if (rest[0] !== '<') return undefined
  if (/^<(?:script|pre|style|textarea)(?=[ \t>]|$)/i.test(rest)) return /<\/(?:script|pre|style|textarea)>/i
  if (rest.startsWith('<!--')) return /-->/
  if (rest.startsWith('<?')) return /\?>/
  if (rest.startsWith('<![CDATA[')) return /\]\]>/
  if (/^<![a-z]/i.test(rest)) return />/
  const name = /^<\/?([a-z][a-z\d-]*)(?=[ \t>]|\/>|$)/i.exec(rest)?.[1]
  if (name && isBlockName(name.toLowerCase())) return 'empty line'
  return !inParagraph && rest.length < longestTag && isWholeTag(rest) ? 'empty line' : undefined
}

/** Call this only for a block that does not end at an empty line. */
export const htmlClosing = (rest: string): string => {
  if (rest.startsWith('<!--')) return '-->'
  if (rest.startsWith('<?')) return '?>'
  if (rest.startsWith('<![CDATA[')) return ']]>'
  return rest.startsWith('<!') ? '>' : `</${/^<([a-z]+)/i.exec(rest)![1]}>`
}

/** Tags longer than this are not recognised, because the pattern has repeated groups and could overflow the stack. */
const longestTag = 2000
const isWholeTag = (rest: string): boolean =>
  /^(?:<[a-z][a-z\d-]*(?:[ \t]+[a-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^ \t"'=<>`]+|'[^']*'|"[^"]*"))?)*[ \t]*\/?>|<\/[a-z][a-z\d-]*[ \t]*>)[ \t]*$/i.test(
    rest,
  )

const blockNames = `
  address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt
  fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main
  menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr
  track ul`

// Made on first use, because most texts contain no HTML.
let knownNames: Set<string> | undefined
const isBlockName = (name: string): boolean => {
  knownNames ??= new Set(blockNames.split(/\s+/))
  return knownNames.has(name)
}
