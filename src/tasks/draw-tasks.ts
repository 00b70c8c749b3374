import type { Style } from '../kernel/style.ts'
import type { Status, TaskLine } from '../kernel/task.ts'
import { formatMinute } from '../kernel/time.ts'
import { columnsOf, type FieldsOf } from '../store/columns/column.ts'
import { tasks as columns } from '../store/columns/tasks.ts'
import type { Task } from './task-shape.ts'

const marks: Record<Status, string> = { pending: '○', active: '◐', blocked: '■', done: '✓', cancelled: '✗' }

export const statusMark = (status: Status, style: Style): string => {
  const sign = marks[status]
  if (status === 'done') return style.green(sign)
  if (status === 'active') return style.yellow(sign)
  if (status === 'blocked') return style.red(sign)
  return style.dim(sign)
}

export const lineCells = (line: TaskLine, style: Style): string[] => [
  `${statusMark(line.status, style)} ${style.cyan(line.id)}`,
  line.title,
  line.status,
  line.priority === 'medium' ? style.dim(line.priority) : line.priority,
  style.dim(line.size),
]

/** Draws a table of tasks with headings; `more` adds a column. */
export const drawLines = <T extends TaskLine>(
  lines: readonly T[],
  style: Style,
  more?: (line: T) => string,
): string[] => {
  const headings = ['  id', 'title', 'status', 'priority', 'size'].map(style.dim)
  const rows = lines.map((line) => [...lineCells(line, style), ...(more ? [more(line)] : [])])
  return style.table([headings, ...rows], 1)
}

/** The fields that are each printed on a separate line. */
const ownLines = () =>
  columnsOf(columns).flatMap(({ field, as }) =>
    field && !['title', 'description', 'priority', 'size'].includes(as) ? [as as OwnLine] : [],
  )
type OwnLine = Exclude<keyof FieldsOf<typeof columns>, 'title' | 'description' | 'priority' | 'size'>

export const drawTask = (task: Task, style: Style): string[] => {
  const facts: [string, string | undefined][] = [
    ['status', task.reason ? `${task.status}: ${task.reason}` : task.status],
    ['outcome', task.outcome === 'partial' ? 'partial' : undefined],
    ['kind', [task.type, `${task.priority} priority`, task.size].join(' · ')],
    ['parent', task.parent],
    ['depends', task.depends?.join(', ')],
    ['labels', task.labels?.join(', ')],
    ['files', task.files?.join(', ')],
    ...ownLines().map((name): [string, string | undefined] => [name, task[name]]),
    [
      'gates',
      task.gates &&
        Object.entries(task.gates)
          .map(([name, { state }]) => `${name} ${state}`)
          .join(', '),
    ],
    ['claim', task.claim && `${task.claim.owner} until ${formatMinute(task.claim.expires)}`],
    ['created', `${formatMinute(task.createdAt)} by ${task.origin}`],
    [task.status === 'cancelled' ? 'cancelled' : 'done', task.completedAt && formatMinute(task.completedAt)],
  ]
  const width = Math.max(...facts.filter(([, value]) => value).map(([name]) => name.length))
  return [
    `${statusMark(task.status, style)} ${style.cyan(task.id)} ${style.bold(task.title)}`,
    ...facts.flatMap(([name, value]) => (value ? [`  ${style.dim(name.padEnd(width))}  ${value}`] : [])),
    ...section(task.description ? task.description.split('\n') : []),
    ...section(
      task.acceptance?.map(
        ({ n, text, state }) =>
          `${state === 'met' ? style.green('✓') : '·'} ${n}. ${text}${state === 'open' ? '' : ` (${state})`}`,
      ),
    ),
    ...section(task.notes?.map(({ at, by, text }) => `${style.dim(`${formatMinute(at)} ${by}`)}  ${text}`)),
  ]
}

const section = (lines: string[] | undefined): string[] =>
  lines && lines.length > 0 ? ['', ...lines.map((line) => `  ${line}`)] : []
