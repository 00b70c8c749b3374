import type { AuditRow } from '../audit/sql.ts'
import type { Style } from '../kernel/style.ts'
import { formatMinute, iso } from '../kernel/time.ts'
import { brief } from '../print/brief.ts'

export interface LogEntry {
  seq: number
  at: string
  actor: string
  session?: string
  operation: string
  taskId?: string
  before?: unknown
  after?: unknown
}

export const toLogEntry = ({
  seq,
  at,
  actor,
  session,
  operation,
  task,
  before,
  after,
}: AuditRow): LogEntry => ({
  seq,
  at: iso(at),
  actor,
  ...(session && { session }),
  operation,
  ...(task && { taskId: task }),
  ...(before && { before: JSON.parse(before) as unknown }),
  ...(after && { after: JSON.parse(after) as unknown }),
})

type ChangedFields = Readonly<Record<string, unknown>>

const mostBytes = 120
const text = (value: unknown): string =>
  brief(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), mostBytes)

const storyOf = ({ operation, before, after }: LogEntry): string => {
  const [was, now] = [fieldsOf(before), fieldsOf(after)]
  if (typeof now['status'] === 'string' && now['entry'] === undefined) return statusStory(operation, was, now)
  for (const [field, say] of Object.entries(stories)) if (now[field] !== undefined) return say(now, was)
  if (was['link'] !== undefined) return `unlinked entry ${text(was['link'])}`
  if (operation === 'tasks.update' || operation === 'tasks.edit')
    return `changed ${Object.keys(now).join(', ')}`
  return [
    operation.split('.').slice(1).join(' '),
    ...Object.entries(now).map(([key, value]) => `${key} ${text(value)}`),
  ]
    .slice(0, 4)
    .join(' · ')
}

const fieldsOf = (value: unknown): ChangedFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ChangedFields) : {}

const reasonIn = ({ reason }: ChangedFields): string => (reason ? `: ${text(reason)}` : '')

const statusStory = (operation: string, was: ChangedFields, now: ChangedFields): string => {
  const status = String(now['status'])
  if (operation.startsWith('tasks.add') || was['status'] === undefined)
    return `added ${text(now['title'] ?? '')}`.trim()
  if (status === 'active') return 'started'
  if (status === 'done') return now['outcome'] === 'partial' ? 'done in part' : 'done'
  if (status !== 'pending') return `${status}${reasonIn(now)}`
  if (was['status'] === 'blocked') return 'unblocked'
  return was['status'] === 'active' ? 'gave it back' : `reopened${reasonIn(now)}`
}

/**
 * For each field of a change, a function that says what the change did. If a change has several of these fields, the
 * first one in this list is used.
 */
const stories: Readonly<Record<string, (now: ChangedFields, was: ChangedFields) => string>> = {
  landed: ({ onto }) => `landed onto ${text(onto)}`,
  merge: ({ merge, reason }) =>
    merge === 'merged' ? 'merged' : merge === 'refused' ? `sent back${reasonIn({ reason })}` : text(merge),
  entry: ({ entry, status }) =>
    status === undefined ? `changed entry ${text(entry)}` : `submitted ${text(entry)} (${text(status)})`,
  gate: ({ gate, state, reason }) => `gate ${text(gate)} ${text(state)}${reasonIn({ reason })}`,
  criterion: ({ criterion, state, reason }) =>
    `criterion ${text(criterion)} ${text(state)}${reasonIn({ reason })}`,
  returned: ({ returned }) => `received: ${text(returned)}`,
  need: ({ need }) => `returned with a need: ${text(need)}`,
  note: ({ note }, was) =>
    note === null ? `took a note back: ${text(was['note'])}` : `noted: ${text(note)}`,
  released: ({ released }) => `released ${text(released)}`,
  folder: ({ spawn, folder }) => `${text(spawn)} works in ${text(folder)}`,
  spawn: ({ spawn }) => `spawned ${text(spawn)}`,
  verdict: ({ consensus, verdict }) => `vote ${text(consensus)} decided: ${text(verdict)}`,
  consensus: ({ consensus, question }) => `vote ${text(consensus)}${question ? `: ${text(question)}` : ''}`,
  question: ({ question }) => `asked a person: ${text(question)}`,
  memory: ({ memory, text: what }) => `remembered ${text(memory)}: ${text(what)}`,
  output: ({ output }) => `made output file ${text(output)}`,
  link: ({ link }) => `linked entry ${text(link)}`,
  integration: ({ integration }) => `branch ${text(integration)}`,
  stage: ({ stage }) => `stage ${text(stage)}`,
  title: ({ title }, was) =>
    was['title'] === undefined ? `added ${text(title)}` : `changed title to ${text(title)}`,
  session: ({ session }) => `session ${text(session)}`,
  fixed: ({ fixed }) => `fixed ${text(fixed)}`,
}

export const logLine = (entry: LogEntry): string =>
  `${formatMinute(entry.at)}  ${entry.actor.padEnd(8)}  ${(entry.taskId ?? '').padEnd(5)}  ${storyOf(entry)}`

/**
 * On a terminal with fewer columns than this, the log has no titles, because they would leave too little room for the
 * texts that say what happened.
 */
const widthForTitles = 140
const mostOfTitle = 40

/** At a terminal, the lines are grouped by day. In a pipe, each line has its date. */
export const drawLog = (entries: readonly LogEntry[], details: boolean, style: Style): string[] => {
  const isGrouped = style.width !== undefined
  const isOneTask = entries.every(({ taskId }) => taskId === entries[0]!.taskId)
  const hasTitles = !isOneTask && (style.width ?? 0) >= widthForTitles
  const rows = entries.map((entry) => {
    const { at, actor, taskId = '' } = entry
    const time = isGrouped ? `  ${at.slice(11, 16)}` : formatMinute(at)
    const story = storyOf(entry)
    const title = hasTitles && !story.startsWith('added ') ? style.cut(style.title(taskId), mostOfTitle) : ''
    return [style.dim(time), actor, style.cyan(taskId), story, style.dim(title)]
  })
  // In a pipe, the column of titles is always empty, so it is left out.
  const lines = style.table(isGrouped ? rows : rows.map((row) => row.slice(0, 4)), 3, [4])
  let day = ''
  return entries.flatMap((entry, i) => {
    const isNewDay = isGrouped && entry.at.slice(0, 10) !== day
    day = entry.at.slice(0, 10)
    return [...(isNewDay ? [style.bold(day)] : []), lines[i]!, ...(details ? detailLines(entry, style) : [])]
  })
}

const detailLines = ({ seq, operation, session, before, after }: LogEntry, style: Style): string[] => [
  style.dim(`    ${[`#${seq}`, operation, ...(session ? [session] : [])].join(' · ')}`),
  ...(before === undefined ? [] : [`    ${style.dim('before')}  ${spaced(before)}`]),
  ...(after === undefined ? [] : [`    ${style.dim('after')}   ${spaced(after)}`]),
]

/** Returns JSON with a space between fields, so that a terminal can break the line there. */
const spaced = (value: unknown): string =>
  JSON.stringify(value, null, 1).replaceAll(/\n */g, (_, at: number, all: string) =>
    all[at - 1] === ',' ? ' ' : '',
  )
