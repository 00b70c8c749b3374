import { normalised } from '../kernel/text.ts'
import { closesFence, fenceMarks, headingLevel, isRule } from '../markdown/line.ts'
import { readTitle, type Settings, settingsLine } from './outline-line.ts'
import {
  frontMatterEnd,
  indentOf,
  isLabel,
  labelHeading,
  quotedMark,
  trimText,
  withoutIndent,
} from './outline-marks.ts'
import type { Outline, OutlineCriterion, OutlineItem } from './outline-shape.ts'

/** A list item that the next line can belong to, with the columns of its mark and of its text. */
interface Open {
  indent: number
  content: number
  item: OutlineItem | undefined
  /** If the item is a criterion, not a task: the task that the criterion belongs to. */
  criterionOf?: OutlineItem
  criterion?: OutlineCriterion
}

interface State extends Outline {
  headings: { rank: number; item: OutlineItem }[]
  lists: Open[]
  /** The task whose next list contains criteria, because a line above the list says so. */
  criteriaFor?: OutlineItem
  fence?: { marks: string; owner: OutlineItem | undefined; indent: number }
  inComment: boolean
  afterBlank: boolean
  /** Whether the first indented item uses tabs or spaces, and the line of this item. */
  indentation?: { char: string; line: number }
}

const itemPattern = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/
const boxPattern = /^\[([ xX])\](?=[ \t]|$)/
/**
 * Reads a Markdown outline. Headings and list items are tasks. Indented check boxes are criteria. Everything else is
 * text.
 */
export const readOutline = (source: string): Outline => {
  const state: State = {
    items: [],
    all: [],
    lines: { task: 0, criterion: 0, dependency: 0, text: 0, ignored: 0, notUnderstood: 0 },
    doubts: [],
    headings: [],
    lists: [],
    inComment: false,
    afterBlank: false,
  }
  const lines = normalised(source).split('\n')
  if (lines.at(-1) === '') lines.pop()
  let from = frontMatterEnd(lines)
  state.lines.ignored += from
  if (from > 0) state.doubts.push({ line: 1, message: 'the front matter is left out' })
  for (; from < lines.length; from++) {
    const underlined = underlineRank(state, lines, from)
    if (underlined > 0) {
      readHeading(state, from + 1, underlined, lines[from]!.trim())
      state.lines.ignored++
      from++
    } else readLine(state, lines[from]!, from + 1)
  }
  if (state.fence) state.doubts.push({ line: lines.length, message: 'the code block above is not closed' })
  for (const item of state.all) trimText(item)
  return state
}

/** Returns the heading level of the line; 0 if the next line does not underline it. */
const underlineRank = ({ fence, inComment, lists }: State, lines: readonly string[], at: number): number => {
  const [line, next] = [lines[at]!, lines[at + 1]]
  if (fence || inComment || next === undefined || !/^ {0,3}(?:=+|-{2,})[ \t]*$/.test(next)) return 0
  if (lists.length > 0 || !/^\S/.test(line) || /^[>|<]/.test(line)) return 0
  if (itemPattern.test(line) || headingLevel(line) > 0 || isRule(line)) return 0
  // Several lines of text above an underline are a paragraph, not a heading.
  if (at > 0 && lines[at - 1]!.trim() !== '' && headingLevel(lines[at - 1]!) === 0) return 0
  return next.trim()[0] === '=' ? 1 : 2
}

const readLine = (state: State, line: string, number: number): void => {
  const { indent, rest } = indentOf(line)
  if (state.fence) return readFenced(state, line, rest)
  if (state.inComment || rest.startsWith('<!--')) {
    state.inComment = !rest.includes('-->')
    state.lines.ignored++
    return
  }
  if (rest === '') {
    state.lines.ignored++
    state.afterBlank = true
    textOwner(state, 0, true)?.text.push('')
    return
  }
  if (headingLevel(rest) > 0 && indent < 4 && indent < (state.lists.at(-1)?.content ?? 4)) {
    readHeading(state, number, headingLevel(rest), rest.replace(/^#+/, '').trim())
  } else if (isRule(rest)) state.lines.ignored++
  else if (itemPattern.test(rest)) readItem(state, { indent, rest, line, number })
  else readText(state, { indent, rest, line, number })
  state.afterBlank = false
}

const readHeading = (state: State, number: number, rank: number, text: string): void => {
  state.lists = []
  state.criteriaFor = undefined
  while (state.headings.length > 0 && state.headings.at(-1)!.rank >= rank) state.headings.pop()
  const above = state.headings.at(-1)?.item
  // `## Title ##` is the same heading as `## Title`.
  const words = text.replace(/(?:^|[ \t]+)#+$/, '')
  if (above && labelHeading.test(words)) {
    state.criteriaFor = above
    state.lines.text++
    return
  }
  const item = newItem(state, { number, text: words, above, isHeading: true, ticked: false })
  if (item) state.headings.push({ rank, item })
}

interface Read {
  indent: number
  rest: string
  line: string
  number: number
}

const readItem = (state: State, { indent, rest, line, number }: Read): void => {
  noteIndentation(state, line, number)
  const above = parentAt(state, indent, number)
  const mark = itemPattern.exec(rest)![0]
  const after = rest.slice(mark.length)
  const content = indent + mark.length + Math.min(Math.max(indentOf(after).indent, 1), 4)
  const box = boxPattern.exec(after.trimStart())
  const text = box ? after.trimStart().slice(3).trim() : after.trim()
  const heading = state.headings.at(-1)?.item
  const open: Open = { indent, content, item: undefined }
  state.lists.push(open)
  if (text === '') {
    state.lines.notUnderstood++
    state.doubts.push({ line: number, message: 'is an item without text, and is left out' })
    return
  }
  // An indented check box without an item above belongs to the heading.
  const owner = above ? asTask(state, above) : heading
  const isCriterion = box !== null && owner !== undefined && (above !== undefined || indent >= 2)
  if (owner && (isCriterion || (state.criteriaFor === owner && (box || !above)))) {
    const criterion = { line: number, text, ticked: /x/i.test(box?.[1] ?? '') }
    owner.criteria.push(criterion)
    Object.assign(open, { criterion, criterionOf: owner })
    state.lines.criterion++
    return
  }
  const item = newItem(state, {
    number,
    text,
    above: owner,
    isHeading: false,
    ticked: /x/i.test(box?.[1] ?? ''),
  })
  open.item = item
  if (item && box && !above && heading && heading.level > 1)
    state.doubts.push({
      line: number,
      message: `is read as a task below "${heading.title}"; to make it a criterion, indent it or write "Acceptance:" above it`,
    })
}

/** Closes the list items that end before a line at this column. Returns the innermost item that stays open. */
const parentAt = (state: State, indent: number, number: number): Open | undefined => {
  const { lists } = state
  let closed: Open | undefined
  for (let top = lists.at(-1); top && indent < Math.min(top.content, top.indent + 2); top = lists.at(-1))
    closed = lists.pop()
  // Criteria of a heading are indented, but its tasks are not. So a task after criteria may be indented less.
  const isAfterCriteria = closed?.criterionOf !== undefined && lists.length === 0
  if (closed && closed.indent !== indent && !isAfterCriteria)
    state.doubts.push({
      line: number,
      message: `is not indented like the items above it; it is read as ${lists.length > 0 ? 'an item below' : 'an item beside'} line ${lists.at(-1) ? lineOf(lists.at(-1)!) : lineOf(closed)}`,
    })
  return lists.at(-1)
}

const lineOf = ({ item, criterion }: Open): number => item?.line ?? criterion?.line ?? 0

/** Reports each item that is not indented like the first indented item, or that mixes tabs and spaces. */
const noteIndentation = (state: State, line: string, number: number): void => {
  const blank = line.slice(0, line.length - line.trimStart().length)
  if (blank === '') return
  const char = blank.includes('\t') ? (blank.includes(' ') ? 'tabs and spaces' : 'tabs') : 'spaces'
  state.indentation ??= { char, line: number }
  if (char !== state.indentation.char || char === 'tabs and spaces')
    state.doubts.push({
      line: number,
      message: `is indented with ${char}, line ${state.indentation.line} with ${state.indentation.char}; a tab counts as 4 columns`,
    })
}

/** A criterion with items below it becomes a task. */
const asTask = (state: State, open: Open): OutlineItem | undefined => {
  if (open.item || !open.criterion) return open.item
  const { line, text, ticked } = open.criterion
  const above = open.criterionOf!
  above.criteria.pop()
  state.lines.criterion--
  open.item = newItem(state, { number: line, text, above, isHeading: false, ticked })
  open.criterion = undefined
  state.doubts.push({ line, message: 'has items below it, so it is read as a task, not as a criterion' })
  return open.item
}

const newItem = (
  state: State,
  given: {
    number: number
    text: string
    above: OutlineItem | undefined
    isHeading: boolean
    ticked: boolean
  },
): OutlineItem | undefined => {
  const { number: line, text, above, isHeading, ticked } = given
  const { doubts, ...parts } = readTitle(text)
  for (const message of doubts) state.doubts.push({ line, message })
  if (parts.title === '') {
    state.lines.notUnderstood++
    state.doubts.push({ line, message: 'has no title, and is left out' })
    return undefined
  }
  const level = (above?.level ?? 0) + 1
  const item: OutlineItem = {
    ...{ line, level, ...parts, isHeading, ticked },
    ...{ criteria: [], text: [], children: [] },
    ...(above && { above }),
  }
  state.lines.task++
  state.all.push(item)
  const beside = above ? above.children : state.items
  beside.push(item)
  return item
}

const readText = (state: State, { indent, rest, line, number }: Read): void => {
  const top = state.lists.at(-1)
  // The line right after a criterion continues the criterion if the line is unindented or indented beyond the mark.
  const goesOn = top && !state.afterBlank && (indent === 0 || indent >= top.indent + 2)
  if (top?.criterion && goesOn && !rest.startsWith('>') && !fenceMarks(rest)) {
    top.criterion.text += ` ${rest.trimEnd()}`
    state.lines.criterion++
    return
  }
  const owner = textOwner(state, indent, false)
  if (!owner) {
    state.lines.notUnderstood++
    state.doubts.push({ line: number, message: 'has no task above it, and is left out' })
    return
  }
  const settings = settingsLine(rest.trimEnd())
  if (settings) {
    for (const [name, values] of Object.entries(settings))
      owner.settings[name as keyof Settings] = [...(owner.settings[name as keyof Settings] ?? []), ...values]
    state.lines[settings.depends ? 'dependency' : 'text']++
    return
  }
  state.lines.text++
  if (isLabel(rest)) {
    state.criteriaFor = owner
    return
  }
  if (state.criteriaFor === owner) state.criteriaFor = undefined
  const column = state.lists.at(-1)?.content ?? 0
  if (rest.startsWith('>')) owner.text.push(quotedMark + rest.slice(rest[1] === ' ' ? 2 : 1))
  else owner.text.push(withoutIndent(line, column))
  const marks = fenceMarks(rest)
  if (marks) state.fence = { marks, owner, indent: column }
  if (rest.startsWith('|'))
    state.doubts.push({
      line: number,
      message: `is part of a table, and is kept as text of "${owner.title}"`,
    })
}

const readFenced = (state: State, line: string, rest: string): void => {
  const { marks, owner, indent } = state.fence!
  owner?.text.push(withoutIndent(line, indent))
  state.lines.text++
  if (closesFence(rest.trimEnd(), marks)) state.fence = undefined
}

/** Unindented text directly below an item belongs to that item. */
const textOwner = (state: State, indent: number, blank: boolean): OutlineItem | undefined => {
  if (!blank && (state.afterBlank || indent > 0))
    while (state.lists.length > 0 && isLeftOf(indent, state.lists.at(-1)!)) state.lists.pop()
  const top = state.lists.at(-1)
  return top ? (top.item ?? top.criterionOf) : state.headings.at(-1)?.item
}

const isLeftOf = (indent: number, open: Open): boolean => indent < Math.min(open.content, open.indent + 2)
