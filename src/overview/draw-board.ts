import type { Style } from '../kernel/style.ts'
import type { Priority, Status } from '../kernel/task.ts'
import { formatMinute, formatMinutes, minutesBetween } from '../kernel/time.ts'
import { countsText, statusMark } from '../task-lists/draw-tasks.ts'
import type { Counts } from './counts.ts'

export interface BoardCard {
  id: string
  title: string
  priority?: Priority
  by?: string
  since?: string
  unstarted?: true
  refused?: true
  quietFor?: number
  why?: string
}

interface Column {
  tasks: BoardCard[]
  more?: number
  atLeast?: true
}

export interface Board {
  epic?: string
  at: string
  counts: Counts
  ready: Column
  active: Column
  merge: Column
  blocked: Column
  done: Column
}

const places = ['ready', 'active', 'merge', 'blocked', 'done'] as const
type BoardPlace = (typeof places)[number]

const titles: Record<BoardPlace, string> = {
  ready: 'Ready',
  active: 'Active',
  merge: 'Waiting for merge',
  blocked: 'Blocked',
  done: 'Done recently',
}
const statusOf: Record<BoardPlace, Status> = {
  ready: 'pending',
  active: 'active',
  merge: 'done',
  blocked: 'blocked',
  done: 'done',
}

/** The least width of a column of the board, in characters. */
const leastWidth = 22

/**
 * Draws the columns side by side if they fit, otherwise one below the other. In a pipe, draws one line for each task.
 */
export const drawBoard = (board: Board, style: Style): string[] => {
  const { epic, counts } = board
  const head = [
    ...(epic ? [style.cyan(epic)] : []),
    countsText(counts).join(', ') || (epic ? 'no tasks' : 'No tasks yet.'),
  ].join('  ')
  const shown = places.filter((place) => board[place].tasks.length > 0)
  if (shown.length === 0) return [head]
  if (style.width === undefined) return [head, ...listed(board, shown, style)]
  return [head, ...inColumns(board, shown, style.width, style)]
}

/**
 * This is a separate function, because the first call of a function that uses `Math` creates the 35 functions of
 * `Math`. Creating them takes time, so `drawBoard` does not use `Math` itself.
 */
const inColumns = (board: Board, shown: readonly BoardPlace[], available: number, style: Style): string[] => {
  const beside = Math.floor((available - 2 * (shown.length - 1)) / shown.length)
  const isBeside = shown.length > 1 && beside >= leastWidth
  const width = isBeside ? beside : available
  const columns = shown.map((place) => {
    const { tasks, more, atLeast } = board[place]
    return [
      style.bold(titles[place]),
      ...tasks.flatMap((card) => cardLines(card, place, { at: board.at, width }, style)),
      ...(more ? [style.dim(`+${more} ${moreWord(atLeast)}`)] : []),
    ]
  })
  return isBeside ? ['', ...sideBySide(columns, width, style)] : columns.flatMap((lines) => ['', ...lines])
}

const sideBySide = (columns: readonly string[][], width: number, style: Style): string[] => {
  const height = Math.max(...columns.map((lines) => lines.length))
  return Array.from({ length: height }, (_, i) =>
    columns
      .map((lines) => style.fit(lines[i] ?? '', width))
      .join('  ')
      .trimEnd(),
  )
}

/** The title of a task takes at most this many lines. The facts about its work also take at most this many. */
const mostLines = 3

const cardLines = (
  card: BoardCard,
  place: BoardPlace,
  { at, width }: { at: string; width: number },
  style: Style,
): string[] => {
  const facts = factsOf(card, place, (since) => formatMinutes(minutesBetween(since, at))).join(' · ')
  const [first = '', ...rest] = style.wrap(`${card.id} ${card.title}`, width - 2, mostLines)
  return [
    `${markOf(card, place, style)} ${style.cyan(card.id)}${first.slice(card.id.length)}`,
    ...rest.map((line) => `  ${line}`),
    ...(facts === ''
      ? []
      : style.wrap(facts, width - 2, mostLines).map((line) => `  ${paintFacts(card, line, style)}`)),
  ]
}

const listed = (board: Board, shown: readonly BoardPlace[], style: Style): string[] => {
  const rows: string[][] = []
  for (const place of shown) {
    const { tasks, more, atLeast } = board[place]
    for (const card of tasks)
      rows.push([
        place,
        card.id,
        card.title,
        factsOf(card, place, (since) => `since ${formatMinute(since)}`).join(' · '),
      ])
    if (more) rows.push([place, `+${more}`, moreWord(atLeast)])
  }
  return style.table(rows, 2)
}

const moreWord = (atLeast: true | undefined): string => (atLeast ? 'or more' : 'more')

const markOf = ({ unstarted }: BoardCard, place: BoardPlace, style: Style): string =>
  statusMark(unstarted ? 'pending' : statusOf[place], style)

const factsOf = (
  { priority, by, since, unstarted, refused, quietFor, why }: BoardCard,
  place: BoardPlace,
  time: (since: string) => string,
): string[] => [
  ...(priority ? [priority] : []),
  ...(by ? [by] : []),
  ...(since ? [place === 'done' ? time(since).replace(/^since /, '') : time(since)] : []),
  ...(unstarted ? ['not started'] : []),
  ...(quietFor === undefined ? [] : [`quiet for ${formatMinutes(quietFor)}`]),
  ...(refused ? ['return refused'] : []),
  ...(why ? [why] : []),
]

const paintFacts = ({ priority, refused, quietFor }: BoardCard, facts: string, style: Style): string => {
  if (refused || priority === 'critical') return style.red(facts)
  return quietFor === undefined ? style.dim(facts) : style.yellow(facts)
}
