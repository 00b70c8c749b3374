import { type Cursor, indentOf, restOf, skip, skipBlank } from './cursor.ts'
import {
  fenceMarks,
  headingLevel,
  headingTitle,
  htmlEnd,
  isRule,
  itemMark,
  underlineLevel,
} from './starts.ts'
import type { Container, Heading, Leaf, Paragraph, State } from './state.ts'

/** Opens the lists and quotes that a line starts, then what it holds. It is in `depth` of those around it. */
export const placeLine = (state: State, start: number, cursor: Cursor, depth: number): void => {
  const open = state.leaf?.kind === 'paragraph' ? state.leaf : undefined
  const own = depth === state.containers.length ? open : undefined
  const entered = enterContainers(state, cursor, depth, own)
  const indented = indentOf(cursor) > 3
  const { start: at, rest } = restOf(cursor)
  const line: Line = { start, at, end: cursor.end, rest }
  const block = indented ? undefined : blockAt(line, entered ? undefined : open, entered ? undefined : own)
  if (open && !entered && !block && rest !== '') {
    open.lines.push(line)
    return
  }
  if (!entered) leave(state, depth)
  if (rest === '') return
  fillItem(state)
  if (block?.heading)
    state.headings.push({ ...block.heading, ...(state.containers.length > 0 && { inside: 'container' }) })
  state.leaf = block ? block.leaf : indented ? undefined : { kind: 'paragraph', start, lines: [line] }
}

export const skipQuote = (cursor: Cursor, indent: number): void => {
  skipBlank(cursor, indent)
  skip(cursor, 1)
  skipBlank(cursor, 1)
}

interface Line {
  start: number
  at: number
  end: number
  rest: string
}

/** Deeper than anybody nests; without an end to it, the time could grow with the square of the text. */
const deepest = 50

const enterContainers = (state: State, cursor: Cursor, depth: number, own?: Paragraph): boolean => {
  let entered = false
  for (let within = depth; within < deepest; within++) {
    const container = containerAt(cursor, entered ? undefined : own)
    if (!container) break
    if (!entered) leave(state, depth)
    entered = true
    fillItem(state)
    state.containers.push(container)
  }
  return entered
}

/** The list item or quote that starts here; the cursor goes to what it holds. */
const containerAt = (cursor: Cursor, own?: Paragraph): Container | undefined => {
  const indent = indentOf(cursor)
  const { rest } = restOf(cursor)
  if (indent > 3) return undefined
  if (rest[0] === '>') {
    skipQuote(cursor, indent)
    return { kind: 'quote' }
  }
  if (isRule(rest) || (own && underlineLevel(rest) > 0)) return undefined
  const mark = itemMark(rest, own !== undefined)
  if (mark === undefined) return undefined
  skipBlank(cursor, indent)
  skip(cursor, mark.length)
  const ahead = indentOf(cursor)
  const empty = restOf(cursor).rest === ''
  const space = empty || ahead > 4 ? 1 : ahead
  skipBlank(cursor, space)
  return { kind: 'item', width: indent + mark.length + space, empty }
}

/** Goes out of the lists and quotes that a line is not in. */
const leave = (state: State, depth: number): void => {
  state.containers.length = depth
  state.leaf = undefined
}

/** Only an item that holds something may go on behind an empty line. */
const fillItem = ({ containers }: State): void => {
  const innermost = containers.at(-1)
  if (innermost?.kind === 'item') innermost.empty = false
}

interface Block {
  heading?: Heading
  leaf?: Leaf
}

/** What a line starts that ends a paragraph: `open` is one that it may go on with, `own` one in the same container. */
const blockAt = ({ start, at, end, rest }: Line, open?: Paragraph, own?: Paragraph): Block | undefined => {
  const level = headingLevel(rest)
  if (level > 0) return { heading: { level, title: headingTitle(rest), start, at, end, underlined: false } }
  const marks = fenceMarks(rest)
  if (marks) return { leaf: { kind: 'fence', start, marks } }
  const until = htmlEnd(rest, open !== undefined)
  if (until) {
    const ended = until !== 'empty line' && until.test(rest.slice(1))
    const closing = rest.startsWith('<!--') ? '-->' : undefined
    return ended ? {} : { leaf: { kind: 'html', start, until, closing } }
  }
  const under = own ? underlineLevel(rest) : 0
  if (own && under > 0) return { heading: underlined(own, under, end) }
  return isRule(rest) ? {} : undefined
}

const underlined = ({ start, lines }: Paragraph, level: number, end: number): Heading => {
  const title = lines.map(({ rest }) => rest.trim()).join(' ')
  return { level, title, start, at: lines[0]!.at, end, underlined: true }
}
