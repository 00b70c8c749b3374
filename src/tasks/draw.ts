import type { Ink } from '../kernel/ink.ts'
import type { Status, TaskLine } from '../kernel/task.ts'
import type { Task } from '../kernel/task-shape.ts'

const marks: Record<Status, string> = { pending: '○', active: '◐', blocked: '■', done: '✓', cancelled: '✗' }

export const mark = (status: Status, ink: Ink): string => {
  const sign = marks[status]
  if (status === 'done') return ink.green(sign)
  if (status === 'active') return ink.yellow(sign)
  if (status === 'blocked') return ink.red(sign)
  return ink.dim(sign)
}

export const lineCells = (line: TaskLine, ink: Ink): string[] => [
  `${mark(line.status, ink)} ${ink.cyan(line.id)}`,
  line.title,
  line.status,
  line.priority === 'medium' ? ink.dim(line.priority) : line.priority,
  ink.dim(line.size),
]

/** A list of tasks under its headings; `more` adds a column. */
export const drawLines = <T extends TaskLine>(
  lines: readonly T[],
  ink: Ink,
  more?: (line: T) => string,
): string[] => {
  const headings = ['  id', 'title', 'status', 'priority', 'size'].map(ink.dim)
  const rows = lines.map((line) => [...lineCells(line, ink), ...(more ? [more(line)] : [])])
  return ink.table([headings, ...rows], 1)
}

/** A moment as people read it, in UTC. */
export const moment = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)}`

export const drawTask = (task: Task, ink: Ink): string[] => {
  const facts: [string, string | undefined][] = [
    ['status', task.reason ? `${task.status}: ${task.reason}` : task.status],
    ['outcome', task.outcome === 'partial' ? 'partial' : undefined],
    ['kind', [task.type, `${task.priority} priority`, task.size].join(' · ')],
    ['parent', task.parent],
    ['depends', task.depends?.join(', ')],
    ['labels', task.labels?.join(', ')],
    ['files', task.files?.join(', ')],
    ['stage', task.stage],
    [
      'gates',
      task.gates &&
        Object.entries(task.gates)
          .map(([name, { state }]) => `${name} ${state}`)
          .join(', '),
    ],
    ['completes', task.completes],
    ['claim', task.claim && `${task.claim.owner} until ${moment(task.claim.expires)}`],
    ['created', `${moment(task.createdAt)} by ${task.origin}`],
    [task.status === 'cancelled' ? 'cancelled' : 'done', task.completedAt && moment(task.completedAt)],
  ]
  const width = Math.max(...facts.filter(([, value]) => value).map(([name]) => name.length))
  return [
    `${mark(task.status, ink)} ${ink.cyan(task.id)} ${ink.bold(task.title)}`,
    ...facts.flatMap(([name, value]) => (value ? [`  ${ink.dim(name.padEnd(width))}  ${value}`] : [])),
    ...section(task.description ? task.description.split('\n') : []),
    ...section(
      task.acceptance?.map(
        ({ n, text, state }) =>
          `${state === 'met' ? ink.green('✓') : '·'} ${n}. ${text}${state === 'open' ? '' : ` (${state})`}`,
      ),
    ),
    ...section(task.notes?.map(({ at, by, text }) => `${ink.dim(`${moment(at)} ${by}`)}  ${text}`)),
  ]
}

const section = (lines: string[] | undefined): string[] =>
  lines && lines.length > 0 ? ['', ...lines.map((line) => `  ${line}`)] : []
