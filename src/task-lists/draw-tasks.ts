import { drawVotes } from '../kernel/consensus-line.ts'
import type { Style } from '../kernel/style.ts'
import type { Priority, Status, TaskLine } from '../kernel/task.ts'
import { formatMinute, formatMinutes } from '../kernel/time.ts'
import { columnsOf, type FieldsOf } from '../store/columns/column.ts'
import { taskColumns } from '../store/columns/tasks.ts'
import type { Task } from '../tasks/task-shape.ts'
import { workNote } from './wait-notes.ts'

const marks: Record<Status, string> = { pending: '○', active: '◐', blocked: '■', done: '✓', cancelled: '✗' }

export const statusMark = (status: Status, style: Style): string => {
  const sign = marks[status]
  if (status === 'done') return style.green(sign)
  if (status === 'active') return style.yellow(sign)
  if (status === 'blocked') return style.red(sign)
  return style.dim(sign)
}

const paintPriority = (priority: Priority, style: Style): string => {
  if (priority === 'critical') return style.red(style.bold(priority))
  return priority === 'high' ? style.yellow(priority) : style.dim(priority)
}

export const lineCells = (line: TaskLine, style: Style): string[] => [
  `${statusMark(line.status, style)} ${style.cyan(line.id)}`,
  // Mark the title of a critical task with `!`, because a narrow terminal leaves out the priority column.
  line.priority === 'critical' && style.width !== undefined
    ? `${style.red(style.bold('!'))} ${line.title}`
    : line.title,
  line.outcome ? `${line.status} (${line.outcome})` : line.status,
  paintPriority(line.priority, style),
  style.dim(line.size),
]

/** The columns that a narrow terminal leaves out: first the size, then the note, then the priority. */
const unneeded = [4, 5, 3]

/** `more` fills the last column. Without `more`, that column shows what the task waits on. */
export const drawLines = <T extends TaskLine>(
  lines: readonly T[],
  style: Style,
  more: (line: T) => string = ({ id }) => style.dim(style.note(id)),
): string[] => {
  const rows: string[][] = [[]]
  for (const heading of ['  id', 'title', 'status', 'priority', 'size']) rows[0]!.push(style.dim(heading))
  for (const line of lines) {
    const cells = lineCells(line, style)
    cells.push(more(line))
    rows.push(cells)
  }
  return style.table(rows, 1, unneeded)
}

export const countsText = (counts: Partial<Record<string, number>>): string[] =>
  Object.entries(counts).map(([status, n]) => `${n} ${status === 'unmerged' ? 'waiting for merge' : status}`)

/** The fields that are each printed on a separate line. */
const ownLines = (task: Task): [string, string | undefined][] => {
  const lines: [string, string | undefined][] = []
  for (const { field, as } of columnsOf(taskColumns()))
    if (field && !['title', 'description', 'priority', 'size'].includes(as))
      lines.push([as, task[as as OwnLine]])
  return lines
}
type OwnLine = Exclude<
  keyof FieldsOf<ReturnType<typeof taskColumns>>,
  'title' | 'description' | 'priority' | 'size'
>

export const drawTask = (task: Task, style: Style): string[] => {
  const facts: [name: string, value: string][] = []
  const add = (name: string, value: string | false | undefined): void => {
    if (value) facts.push([name, value])
  }
  add('status', task.reason ? `${task.status}: ${task.reason}` : task.status)
  add('outcome', task.outcome === 'partial' && 'partial')
  add('progress', task.progress && countsText(task.progress).join(', '))
  const priority =
    task.priority === 'critical' ? style.red(style.bold('critical priority')) : `${task.priority} priority`
  add('kind', [task.type, priority, `${task.size} size`].join(' · '))
  add('parent', task.parent)
  add('key', task.key)
  add('depends', task.depends?.join(', '))
  add('labels', task.labels?.join(', '))
  add('files', task.files?.join(', '))
  for (const [name, value] of ownLines(task)) add(name, value)
  add('gates', task.gates && gateFacts(task.gates))
  for (const line of task.consensus ?? [])
    add('consensus', `${line.id} ${line.question}  ${style.dim(drawVotes(line))}`)
  add('commits', task.status === 'done' && commitsOf(task).join(', '))
  add('output', task.output)
  add('entries', task.entries?.map(({ id, status }) => `${id} (${status})`).join(', '))
  add('spawn', task.spawn && spawnFacts(task.id, task.spawn))
  add('folder', task.spawn?.branch && folderFacts(task.spawn))
  add('merge', mergeFacts(task))
  const { claim } = task
  add(
    'claim',
    claim && claim.owner !== task.spawn?.id && `${claim.owner} until ${formatMinute(claim.expires)}`,
  )
  add('created', `${formatMinute(task.createdAt)} by ${task.origin}`)
  add(task.status === 'cancelled' ? 'cancelled' : 'done', task.completedAt && formatMinute(task.completedAt))
  const lines = [`${statusMark(task.status, style)} ${style.cyan(task.id)} ${style.bold(task.title)}`]
  let width = 0
  for (const [name] of facts) if (name.length > width) width = name.length
  for (const [name, value] of facts) lines.push(`  ${style.dim(name.padEnd(width))}  ${value}`)
  return [
    ...lines,
    ...section(task.description ? task.description.split('\n') : []),
    ...section(
      task.acceptance?.map(
        ({ n, text, state }) =>
          `${state === 'met' ? style.green('✓') : '·'} ${n}. ${text}${state === 'open' ? '' : ` (${state})`}`,
      ),
    ),
    ...section(task.findings?.map((text) => `${style.green('+')} ${text}`)),
    ...section(task.children && childLines(task, style)),
    ...section(task.notes?.map(({ at, by, text }) => `${style.dim(`${formatMinute(at)} ${by}`)}  ${text}`)),
  ]
}

const childLines = ({ id, children = [], moreChildren }: Task, style: Style): string[] => [
  ...children.map((child) => {
    const note = [...(child.outcome ? [child.outcome] : []), workNote(child)].filter(Boolean).join(' · ')
    const around = 5 + child.id.length + (note ? note.length + 2 : 0)
    const title =
      style.width === undefined ? child.title : style.cut(child.title, Math.max(12, style.width - around))
    return `${statusMark(child.status, style)} ${style.cyan(child.id)} ${title}${note ? `  ${style.dim(note)}` : ''}`
  }),
  ...(moreChildren ? [style.dim(`and ${moreChildren} more: cleo tree ${id} --all`)] : []),
]

const gateFacts = (gates: NonNullable<Task['gates']>): string =>
  Object.entries(gates)
    .map(([name, { state, evidence }]) => `${name} ${state}${failedBefore(evidence)}`)
    .join(', ')

const commitsOf = ({ gates }: Task): string[] => [
  ...new Set(
    Object.values(gates ?? {})
      .flatMap(({ evidence }) => evidence)
      .flatMap((text) => (text.startsWith('commit:') ? [text.slice('commit:'.length)] : [])),
  ),
]

/** Says which spawn a task belongs to, and how to replace the spawn if it is quiet or its return was refused. */
const spawnFacts = (
  task: string,
  { id, since, unstarted, refused, quietFor, tokens, released }: NonNullable<Task['spawn']>,
): string =>
  [
    `${id} since ${formatMinute(since)}`,
    ...(unstarted ? ['not started'] : []),
    ...(tokens === undefined ? [] : [`${tokens} tokens`]),
    ...(released === undefined ? [] : [`stopped unfinished (${released})`]),
    ...(refused ? ['return refused'] : []),
    ...(quietFor === undefined ? [] : [`quiet for ${formatMinutes(quietFor)}`]),
    ...(refused || quietFor !== undefined ? [`to replace it: cleo respawn ${task} --ref`] : []),
  ].join(' · ')

const folderFacts = ({ folder, branch, commits }: NonNullable<Task['spawn']>): string =>
  `${folder} (${branch}${commits === undefined ? '' : `, ${commits} ${commits === 1 ? 'commit' : 'commits'} ahead`})`

/** Says where the work of a done task is. */
const mergeFacts = ({ id, merge, outcome, gates, landedAt, spawn }: Task): string | undefined => {
  const isOpen = () => Object.values(gates ?? {}).some(({ state }) => state !== 'passed' && state !== 'na')
  if (merge === 'pending' && outcome === 'partial' && isOpen())
    return `on its own branch until a follow-up is merged; to make its follow-ups: cleo receive ${id}`
  if (merge === 'pending') return `on its own branch; to merge it: cleo receive ${id}`
  if (merge === 'merged') return landedAt ? `landed ${formatMinute(landedAt)}` : 'merged, not landed yet'
  if (merge !== 'refused') return undefined
  return spawn ? 'sent back, and spawned again' : `sent back; to try again: cleo respawn ${id} --ref`
}

const section = (lines: string[] | undefined): string[] => {
  if (!lines || lines.length === 0) return []
  const indented = ['']
  for (const line of lines) indented.push(`  ${line}`)
  return indented
}

/** Says how many tests already failed before the spawn. This text follows the gate that accepts these failures. */
const failedBefore = (evidence: readonly string[]): string =>
  evidence.flatMap((text) => /, \d+ failed before the spawn too/.exec(text)?.[0] ?? [])[0] ?? ''
