import {
  type Cursor,
  closesFence,
  fenceMarks,
  headingLevel,
  headingTitle,
  htmlClosing,
  htmlEnd,
  indentOf,
  isRule,
  itemMark,
  restOf,
  skip,
  skipBlank,
  underlineLevel,
} from './line.ts'

/** The end is exclusive. */
export interface Range {
  start: number
  end: number
}

export interface Heading extends Range {
  level: number
  title: string
  /**
   * For a heading with `#` marks, the offset of the marks. For an underlined heading, the offset of its text. `start`
   * is the offset of the first line of the heading.
   */
  at: number
  underlined: boolean
  /**
   * `container`: the heading is in a list or quote, so it starts no section. `html`: the line only looks like a
   * heading, because it is inside HTML.
   */
  inside?: 'container' | 'html'
}

/** A fenced code block, from the start of its first line to the end of its last line. */
export interface Fence extends Range {
  inside?: 'container'
}

export interface Blocks {
  headings: Heading[]
  fences: Fence[]
  /**
   * The lines outside fenced code, in groups. A code span can continue on the next line only if both lines are in
   * the same group.
   */
  prose: Range[][]
  /**
   * Set if a fence or comment is still open at the end of the text. `start` is the offset at which it begins.
   * `closing` is the line that would close it.
   */
  open?: { start: number; closing: string }
}

/**
 * Reads the blocks of a Markdown text as CommonMark defines them: headings, fenced code and the text around them, at
 * any depth of lists and quotes. Reads line by line and in linear time. A `#` in code or in a comment is not a heading.
 */
export const readBlocks = (text: string): Blocks => {
  const state: BlockState = { containers: [], headings: [], fences: [], prose: [] }
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, start)
    readLine(state, { text, at: start, end, column: 0 })
    start = text.startsWith('\r\n', end) ? end + 2 : end + 1
  }
  const { headings, fences, prose, leaf, containers } = state
  endFence(state, text.length)
  const closing = leaf?.kind === 'fence' ? leaf.marks : leaf?.kind === 'html' ? leaf.closing : undefined
  if (closing === undefined) return { headings, fences, prose }
  return { headings, fences, prose, open: { start: leaf!.start, closing: prefixOf(containers) + closing } }
}

interface BlockState extends Omit<Blocks, 'open'> {
  /** List items and quotes that contain the current line, outermost first. */
  containers: Container[]
  /** The block that the next line can continue. */
  leaf?: Leaf
}

type Container = { kind: 'quote' } | { kind: 'item'; width: number; empty: boolean }

interface Paragraph {
  kind: 'paragraph'
  start: number
  lines: { at: number; rest: string }[]
}

type Leaf =
  | Paragraph
  | { kind: 'indented'; start: number }
  | { kind: 'fence'; start: number; marks: string }
  | { kind: 'html'; start: number; until: RegExp | 'empty line'; closing?: string }

const lineEnd = (text: string, start: number): number => {
  const found = text.indexOf('\n', start)
  const end = found < 0 ? text.length : found
  // Look for `\r` only in this line. Otherwise a text without `\r` would be read to its end once for each line.
  const inLine = text.slice(start, end).indexOf('\r')
  return inLine < 0 ? end : start + inLine
}

const prefixOf = (containers: readonly Container[]): string =>
  containers.map((each) => (each.kind === 'quote' ? '> ' : ' '.repeat(each.width))).join('')

const endFence = ({ leaf, containers, fences }: BlockState, end: number): void => {
  if (leaf?.kind === 'fence')
    fences.push({ start: leaf.start, end, ...(containers.length > 0 && { inside: 'container' }) })
}

const readLine = (state: BlockState, cursor: Cursor): void => {
  const start = cursor.at
  const depth = matchContainers(state.containers, cursor)
  const whole = depth === state.containers.length
  if (whole && continues(state, start, cursor)) return
  if (!whole && state.leaf?.kind !== 'paragraph') {
    endFence(state, start)
    state.leaf = undefined
  }
  placeLine(state, start, cursor, depth)
}

/** Returns how many containers of the previous line also contain this line. Moves the cursor past their marks. */
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

/** Adds the line to the open fence or HTML block. Returns false if no fence or HTML block is open. */
const continues = (state: BlockState, start: number, cursor: Cursor): boolean => {
  const { leaf } = state
  const { start: at, rest } = restOf(cursor)
  const indented = indentOf(cursor) > 3
  if (leaf?.kind === 'fence') {
    if (indented || !closesFence(rest, leaf.marks)) return true
    endFence(state, cursor.end)
  } else if (leaf?.kind === 'html') {
    const level = leaf.until === 'empty line' && !indented ? headingLevel(rest) : 0
    const title = headingTitle(rest)
    if (level > 0)
      state.headings.push({ level, title, start, at, end: cursor.end, underlined: false, inside: 'html' })
    addProse(state, { start: at, end: cursor.end }, rest === '')
    if (leaf.until === 'empty line' ? rest !== '' : !leaf.until.test(rest)) return true
  } else return false
  state.leaf = undefined
  return true
}

const addProse = ({ prose }: BlockState, line: Range, fresh: boolean): void => {
  if (fresh || prose.length === 0) prose.push([line])
  else prose.at(-1)!.push(line)
}

interface Line extends Range {
  at: number
  rest: string
}

/**
 * Opens the lists and quotes that start on a line, then starts or continues the block inside them. The line is inside
 * the first `depth` open containers.
 */
const placeLine = (state: BlockState, start: number, cursor: Cursor, depth: number): void => {
  const before = state.leaf?.kind
  const open = state.leaf?.kind === 'paragraph' ? state.leaf : undefined
  const own = depth === state.containers.length ? open : undefined
  const entered = enterContainers(state, cursor, depth, own)
  const indented = indentOf(cursor) > 3
  const { start: at, rest } = restOf(cursor)
  const line: Line = { start, at, end: cursor.end, rest }
  const block = indented ? undefined : blockAt(line, entered ? undefined : open, entered ? undefined : own)
  if (open && !entered && !block && rest !== '') {
    open.lines.push(line)
    addProse(state, { start: at, end: cursor.end }, false)
    return
  }
  if (!entered) leave(state, depth)
  if (rest === '') return
  fillItem(state)
  if (block?.heading)
    state.headings.push({ ...block.heading, ...(state.containers.length > 0 && { inside: 'container' }) })
  if (block) state.leaf = block.leaf
  else state.leaf = indented ? { kind: 'indented', start } : { kind: 'paragraph', start, lines: [line] }
  const fresh = entered || !indented || before !== 'indented'
  if (block?.leaf?.kind !== 'fence') addProse(state, { start: at, end: cursor.end }, fresh)
}

const skipQuote = (cursor: Cursor, indent: number): void => {
  skipBlank(cursor, indent)
  skip(cursor, 1)
  skipBlank(cursor, 1)
}

/**
 * At most this many lists and quotes are read inside each other, which is more than real documents need. Without a
 * limit, the time could be quadratic.
 */
const deepest = 50

const enterContainers = (state: BlockState, cursor: Cursor, depth: number, own?: Paragraph): boolean => {
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

/** Returns the list item or quote that starts at the cursor. Moves the cursor to its content. */
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

/** Closes the open block, and the lists and quotes that do not contain the line. */
const leave = (state: BlockState, depth: number): void => {
  state.containers.length = depth
  state.leaf = undefined
}

/** Records that the innermost list item has content. An item without content ends at an empty line. */
const fillItem = ({ containers }: BlockState): void => {
  const innermost = containers.at(-1)
  if (innermost?.kind === 'item') innermost.empty = false
}

interface Block {
  heading?: Heading
  leaf?: Leaf
}

/**
 * Returns the block that starts on this line and ends the paragraph before it. `open` is the paragraph that the line
 * could continue. `own` is the same paragraph; undefined if the paragraph is in another container than the line.
 */
const blockAt = ({ start, at, end, rest }: Line, open?: Paragraph, own?: Paragraph): Block | undefined => {
  const level = headingLevel(rest)
  if (level > 0) return { heading: { level, title: headingTitle(rest), start, at, end, underlined: false } }
  const marks = fenceMarks(rest)
  if (marks) return { leaf: { kind: 'fence', start, marks } }
  const until = htmlEnd(rest, open !== undefined)
  if (until) {
    if (until === 'empty line') return { leaf: { kind: 'html', start, until } }
    return until.test(rest.slice(1))
      ? {}
      : { leaf: { kind: 'html', start, until, closing: htmlClosing(rest) } }
  }
  const under = own ? underlineLevel(rest) : 0
  if (own && under > 0) return { heading: underlined(own, under, end) }
  return isRule(rest) ? {} : undefined
}

const underlined = ({ start, lines }: Paragraph, level: number, end: number): Heading => {
  const title = lines.map(({ rest }) => rest.trim()).join(' ')
  return { level, title, start, at: lines[0]!.at, end, underlined: true }
}
