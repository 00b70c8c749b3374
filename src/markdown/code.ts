import { type Range, readBlocks } from './blocks.ts'

/** A range of code. `ticks` is the number of backticks that open a code span, and 0 for a fenced block. */
export interface CodeRange extends Range {
  ticks: number
}

export interface CodeAndRows {
  code: CodeRange[]
  /** Lines of tables. */
  rows: Range[]
}

/** Finds code and table rows in a Markdown text, in order and in linear time. Indented code counts as text. */
export const codeAndRows = (text: string): CodeAndRows => {
  const { fences, prose } = readBlocks(text)
  const found: CodeAndRows = { code: [], rows: [] }
  let next = 0
  const fencesBefore = (end: number): void => {
    for (; next < fences.length && fences[next]!.start < end; next++)
      found.code.push({ start: fences[next]!.start, end: fences[next]!.end, ticks: 0 })
  }
  for (const lines of prose) {
    fencesBefore(lines[0]!.start)
    let runs: Run[] = []
    for (const line of lines) {
      const row = isRow(text, line)
      if (row) {
        pairUp(runs, found.code)
        runs = []
        found.rows.push(line)
      }
      collectRuns(text, line, runs)
      if (row) {
        pairUp(runs, found.code)
        runs = []
      }
    }
    pairUp(runs, found.code)
  }
  fencesBefore(text.length)
  return found
}

const isRow = (text: string, { start, end }: Range): boolean => {
  let at = start
  while (at < end && (text[at] === '>' || text[at] === ' ' || text[at] === '\t')) at++
  return text[at] === '|'
}

interface Run {
  at: number
  length: number
  /** How many of the backticks can open a span. After a backslash, the first backtick is literal. */
  ticks: number
}

const collectRuns = (text: string, { start, end }: Range, runs: Run[]): void => {
  for (let at = start; at < end; at++) {
    if (text[at] !== '`') continue
    let length = 1
    while (at + length < end && text[at + length] === '`') length++
    runs.push({ at, length, ticks: isEscaped(text, at) ? length - 1 : length })
    at += length
  }
}

const isEscaped = (text: string, at: number): boolean => {
  let before = at
  while (text[before - 1] === '\\') before--
  return (at - before) % 2 === 1
}

/**
 * Pairs each run of backticks with the next run of the same length, which ends the code span. Goes through the runs
 * backwards, so that the next run of each length is already known.
 */
const pairUp = (runs: readonly Run[], found: CodeRange[]): void => {
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
