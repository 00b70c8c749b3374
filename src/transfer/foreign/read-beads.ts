import { isObject, type JsonObject } from '../../kernel/json-object.ts'
import type { Problem } from '../../kernel/result.ts'
import type { Priority, Status } from '../../kernel/task.ts'
import { jsonIn } from '../records.ts'
import { describedBy, type ForeignProject, type ForeignTask, fieldReader } from './foreign-task.ts'

const tool = 'beads'

const statuses: Readonly<Record<string, Status>> = {
  open: 'pending',
  'in-progress': 'active',
  hooked: 'active',
  blocked: 'blocked',
  deferred: 'blocked',
  closed: 'done',
}
const priorities: Readonly<Record<string, Priority>> = {
  0: 'critical',
  1: 'high',
  2: 'medium',
  3: 'low',
  4: 'low',
}
/** If a link has one of these types, the linked issue has to be done first. */
const waits = new Set(['blocks', 'conditional-blocks', 'waits-for'])

export const isBeads = (value: unknown): boolean =>
  isObject(value) && typeof value['id'] === 'string' && typeof value['title'] === 'string'

/** Reads the issues of a JSONL file. Deleted issues (tombstones) are left out. */
export const readBeads = (text: string): ForeignProject => {
  const problems: Problem[] = []
  const issues: JsonObject[] = []
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const value = jsonIn(line)
    if (isObject(value) && isBeads(value)) issues.push(value)
    else problems.push({ path: `line ${i + 1}`, message: 'is not an issue: it needs an id and a title' })
  }
  const kept = issues.filter(({ status }) => status !== 'tombstone')
  const ids = new Set(kept.map(({ id }) => String(id)))
  const estimated = kept.filter(({ estimated_minutes }) => Number(estimated_minutes) > 0)
  return {
    tool,
    tasks: kept.map((issue) => taskOf(issue, ids)),
    left: [
      { what: 'deleted issues', count: issues.length - kept.length, why: `they are tombstones of ${tool}` },
      { what: 'time estimates', count: estimated.length, why: 'CLEO keeps none; set --size instead' },
    ],
    problems,
  }
}

const taskOf = (issue: JsonObject, ids: ReadonlySet<string>): ForeignTask => {
  const fields = fieldReader(issue)
  const id = fields.text('id')
  const links = fields.records('dependencies').map((link) => {
    const of = fieldReader(link)
    return { type: of.text('type'), to: of.text('depends_on_id') }
  })
  const written = fields.text('status') || 'open'
  const status = fieldReader({ status: written }).word('status', statuses)
  const others = links.filter(({ type }) => type !== 'parent-child' && !waits.has(type))
  const closeReason = fields.text('close_reason')
  // Fields that are not read get into a note. The time estimate must not, so read it, although its value is not used.
  fields.text('estimated_minutes')
  const type = fields.text('issue_type')
  return {
    id,
    title: fields.text('title'),
    description: describedBy([
      ['', fields.text('description')],
      ['Design', fields.text('design')],
      ['Notes', fields.text('notes')],
    ]),
    isEpic: type === 'epic',
    parent: links.find((link) => link.type === 'parent-child')?.to ?? parentInId(id, ids),
    status: status ?? 'pending',
    ...(status === 'blocked' && { reason: `${written} in ${tool}` }),
    priority: fields.word('priority', priorities),
    labels: [...fields.list('labels'), ...(type && type !== 'task' && type !== 'epic' ? [type] : [])],
    depends: links.filter((link) => waits.has(link.type)).map(({ to }) => to),
    criteria: linesOf(fields.text('acceptance_criteria')),
    notes: [
      ...fields.records('comments').map((comment) => {
        const of = fieldReader(comment)
        return { text: of.text('text'), at: of.time('created_at'), by: of.text('author') || undefined }
      }),
      ...(closeReason ? [{ text: `Closed: ${closeReason}` }] : []),
    ],
    createdAt: fields.time('created_at'),
    updatedAt: fields.time('updated_at'),
    completedAt: fields.time('closed_at'),
    others: {
      ...(status === undefined && { status: written }),
      ...(others.length > 0 && { links: others.map(({ type, to }) => `${type} ${to}`) }),
      ...fields.others(),
    },
  }
}

/** Returns the id before the last dot, if there is such an issue: the parent of `bd-a1b2.3` is `bd-a1b2`. */
const parentInId = (id: string, ids: ReadonlySet<string>): string | undefined => {
  const parent = /^(.+)\.\d+$/.exec(id)?.[1]
  return parent !== undefined && ids.has(parent) ? parent : undefined
}

/** Returns one criterion for each line, without its bullet, number or check box. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])?\s*(?:\[[ xX]\])?\s*/, '').trim())
    .filter((line) => line !== '')
