/** A stretch of text, its end left out. */
export interface Stretch {
  start: number
  end: number
}

/** A fenced block has no ticks, a code span as many as open it. */
export interface Code extends Stretch {
  ticks: number
}

export interface Markdown {
  code: Code[]
  /** Lines of tables. */
  rows: Stretch[]
}

/**
 * Where the code and the tables of a text are, in order and in linear time. Fences are known at any depth of lists and
 * quotes, because that is where templates have them; one that is never closed goes on to the end of its quote or text.
 */
export const readMarkdown = (text: string): Markdown => {
  const found: Markdown = { code: [], rows: [] }
  let fence: (Fence & { start: number }) | undefined
  let paragraph: Run[] = []
  let depth = 0
  const endParagraph = () => {
    pairUp(paragraph, found.code)
    paragraph = []
  }
  const endFence = (end: number) => {
    found.code.push({ start: fence!.start, end, ticks: 0 })
    fence = undefined
  }
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    let line = readLine(text, start, end, fence?.quotes)
    if (fence && line.quotes < fence.quotes) {
      endFence(start)
      line = readLine(text, start, end)
    }
    if (fence) {
      if (closes(text, line, end, fence)) endFence(end)
    } else {
      const opened = openedFence(text, line, end)
      const row = text[line.at] === '|'
      const alone = row || text[line.at] === '#'
      if (opened || alone || line.item || line.at === end || line.quotes !== depth || isRule(text, line.at))
        endParagraph()
      if (opened) fence = { ...opened, start }
      else collectRuns(text, line.at, end, paragraph)
      if (alone) endParagraph()
      if (row) found.rows.push({ start, end })
      depth = line.quotes
    }
    start = end + 1
  }
  endParagraph()
  if (fence) endFence(text.length)
  return found
}

interface Line {
  /** Where its content starts: behind white space, marks of quotes and of list items. */
  at: number
  column: number
  quotes: number
  item: boolean
}

/** Inside a fence only the quote around it is looked through: the rest is code, whatever it looks like. */
const readLine = (text: string, start: number, end: number, quotesAtMost?: number): Line => {
  const line: Line = { at: start, column: 0, quotes: 0, item: false }
  while (line.at < end) {
    const char = text[line.at]!
    const width = itemWidth(text, line.at, end)
    if (char === '\t') line.column += 4 - (line.column % 4)
    else if (char === ' ' || char === '\r') line.column++
    else if (char === '>' && line.quotes < (quotesAtMost ?? Number.POSITIVE_INFINITY)) {
      line.quotes++
      line.column++
    } else if (width > 0 && quotesAtMost === undefined) {
      line.item = true
      line.column += width
      line.at += width - 1
    } else break
    line.at++
  }
  return line
}

/** How wide the mark of a list item is: `-`, `*`, `+`, `12.` or `12)`, and white space behind it. */
const itemWidth = (text: string, at: number, end: number): number => {
  let width = 0
  while (width < 9 && isDigit(text[at + width])) width++
  const mark = text[at + width]
  const isMark = width > 0 ? mark === '.' || mark === ')' : mark === '-' || mark === '*' || mark === '+'
  const behind = at + width + 1
  return isMark && (behind >= end || isBlank(text[behind])) ? width + 1 : 0
}

const isDigit = (char: string | undefined) => char !== undefined && char >= '0' && char <= '9'
const isBlank = (char: string | undefined) => char === ' ' || char === '\t' || char === '\r'

const isRule = (text: string, at: number) => text.startsWith('---', at) || text.startsWith('===', at)

interface Fence {
  mark: string
  length: number
  column: number
  quotes: number
}

const openedFence = (text: string, { at, column, quotes }: Line, end: number): Fence | undefined => {
  const mark = text[at]!
  if (mark !== '`' && mark !== '~') return undefined
  const length = runLength(text, at, end)
  if (length < 3) return undefined
  // With a backtick further on it is a code span that starts a line.
  if (mark === '`' && text.slice(at + length, end).includes('`')) return undefined
  return { mark, length, column, quotes }
}

const closes = (text: string, { at, column }: Line, end: number, fence: Fence): boolean => {
  if (text[at] !== fence.mark || column > fence.column + 3) return false
  const length = runLength(text, at, end)
  return length >= fence.length && text.slice(at + length, end).trim() === ''
}

const runLength = (text: string, at: number, end: number): number => {
  let length = 1
  while (at + length < end && text[at + length] === text[at]) length++
  return length
}

interface Run {
  at: number
  length: number
  /** How many of them can open a span: behind a backslash the first stands for itself. */
  ticks: number
}

const collectRuns = (text: string, start: number, end: number, runs: Run[]): void => {
  for (let at = start; at < end; at++) {
    if (text[at] !== '`') continue
    const length = runLength(text, at, end)
    runs.push({ at, length, ticks: isEscaped(text, at) ? length - 1 : length })
    at += length
  }
}

const isEscaped = (text: string, at: number): boolean => {
  let before = at
  while (text[before - 1] === '\\') before--
  return (at - before) % 2 === 1
}

/** A code span ends at the next run of as many backticks. Found from behind, that one is always at hand. */
const pairUp = (runs: readonly Run[], found: Code[]): void => {
  const next = new Map<number, number>()
  const closing = runs.map((): number | undefined => undefined)
  for (let i = runs.length - 1; i >= 0; i--) {
    closing[i] = next.get(runs[i]!.ticks)
    next.set(runs[i]!.length, i)
  }
  for (let i = 0; i < runs.length; i++) {
    const { at, length, ticks } = runs[i]!
    const last = closing[i]
    if (last === undefined) continue
    found.push({ start: at + length - ticks, end: runs[last]!.at + ticks, ticks })
    i = last
  }
}
