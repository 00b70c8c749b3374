import { type Cursor, indentOf, restOf, skipBlank } from './cursor.ts'
import { placeLine, skipQuote } from './place-line.ts'
import { closesFence, headingLevel, headingTitle } from './starts.ts'
import type { Code, Container, Heading, State } from './state.ts'

export interface Blocks {
  headings: Heading[]
  code: Code[]
  /** A fence or a comment that the text does not close: where it starts, and the line that would close it. */
  open?: { start: number; closing: string }
}

/**
 * Finds the headings of a Markdown text as CommonMark has them: none in code, in comments or in other HTML. It reads
 * line by line, in linear time whatever the text, and follows lists and quotes as deep as anybody nests them.
 */
export const readBlocks = (text: string): Blocks => {
  const state: State = { containers: [], headings: [], code: [] }
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, start)
    readLine(state, { text, at: start, end, column: 0 })
    start = text.startsWith('\r\n', end) ? end + 2 : end + 1
  }
  const { headings, code, leaf, containers } = state
  if (leaf?.kind === 'fence' && containers.length === 0) code.push({ start: leaf.start, end: text.length })
  const closing = leaf?.kind === 'fence' ? leaf.marks : leaf?.kind === 'html' ? leaf.closing : undefined
  if (closing === undefined) return { headings, code }
  return { headings, code, open: { start: leaf!.start, closing: prefixOf(containers) + closing } }
}

const lineEnd = (text: string, start: number): number => {
  let at = start
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || code === 13) break
  }
  return at
}

const prefixOf = (containers: readonly Container[]): string =>
  containers.map((each) => (each.kind === 'quote' ? '> ' : ' '.repeat(each.width))).join('')

const readLine = (state: State, cursor: Cursor): void => {
  const start = cursor.at
  const depth = matchContainers(state.containers, cursor)
  const whole = depth === state.containers.length
  if (whole && goesOn(state, start, cursor)) return
  if (!whole && state.leaf?.kind !== 'paragraph') state.leaf = undefined
  placeLine(state, start, cursor, depth)
}

/** How many of the lists and quotes around the line before this one is in, too. */
const matchContainers = (containers: readonly Container[], cursor: Cursor): number => {
  for (const [depth, container] of containers.entries()) {
    const indent = indentOf(cursor)
    const { rest } = restOf(cursor)
    if (container.kind === 'quote') {
      if (indent > 3 || rest[0] !== '>') return depth
      skipQuote(cursor, indent)
    } else if (rest === '' ? !container.empty : indent >= container.width) skipBlank(cursor, container.width)
    else return depth
  }
  return containers.length
}

/** Whether the line is part of the code or the HTML that the line before it was in. */
const goesOn = (state: State, start: number, cursor: Cursor): boolean => {
  const { leaf, containers } = state
  const { start: at, rest } = restOf(cursor)
  const indented = indentOf(cursor) > 3
  if (leaf?.kind === 'fence') {
    if (indented || !closesFence(rest, leaf.marks)) return true
    if (containers.length === 0) state.code.push({ start: leaf.start, end: cursor.end })
  } else if (leaf?.kind === 'html') {
    const level = leaf.until === 'empty line' && !indented ? headingLevel(rest) : 0
    const title = headingTitle(rest)
    if (level > 0)
      state.headings.push({ level, title, start, at, end: cursor.end, underlined: false, inside: 'html' })
    if (leaf.until === 'empty line' ? rest !== '' : !leaf.until.test(rest)) return true
  } else return false
  state.leaf = undefined
  return true
}
