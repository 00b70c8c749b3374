import { isObject, type JsonObject } from '../../kernel/json-object.ts'
import type { Status } from '../../kernel/task.ts'
import { describedBy, type ForeignProject, type ForeignTask, fieldReader } from './foreign-task.ts'

const tool = 'Task Master'

const statuses: Readonly<Record<string, Status>> = {
  pending: 'pending',
  'in-progress': 'active',
  review: 'active',
  blocked: 'blocked',
  deferred: 'blocked',
  done: 'done',
  completed: 'done',
  cancelled: 'cancelled',
}
const priorities = { critical: 'critical', high: 'high', medium: 'medium', low: 'low' } as const

/** Older versions of Task Master write one list without a tag. */
const tagsIn = (value: JsonObject): [tag: string, tasks: JsonObject[], about: string][] => {
  const lists = Array.isArray(value['tasks']) ? { master: value } : value
  return Object.entries(lists).flatMap(([tag, content]) => {
    if (!isObject(content) || !Array.isArray(content['tasks'])) return []
    const about = isObject(content['metadata']) ? fieldReader(content['metadata']).text('description') : ''
    return [[tag, content['tasks'].filter(isObject), about]]
  })
}

export const isTaskMaster = (value: unknown): value is JsonObject =>
  isObject(value) && tagsIn(value).length > 0

/** Each tag becomes an epic. */
export const readTaskMaster = (value: JsonObject): ForeignProject => {
  const tags = tagsIn(value)
  return {
    tool,
    tasks: tags.flatMap(([tag, list]) => list.flatMap((task) => taskWithSubtasks(task, tag))),
    groups: new Map(tags.map(([tag, , about]) => [tag, about])),
    left: [],
    problems: [],
  }
}

const taskWithSubtasks = (task: JsonObject, tag: string): ForeignTask[] => {
  const { subtasks, ...own } = task
  const number = String(task['id'])
  return [
    { ...taskOf(own, named(tag, number), (id) => named(tag, id)), group: tag },
    ...fieldReader({ subtasks })
      .records('subtasks')
      .map((subtask) => ({
        // A subtask refers to another subtask of the same task by a plain number.
        ...taskOf(subtask, named(tag, `${number}.${subtask['id']}`), (id) =>
          named(tag, id.includes('.') ? id : `${number}.${id}`),
        ),
        parent: named(tag, number),
      })),
  ]
}

/** Makes an id from a tag and a number, because tasks of different tags can have the same number. */
const named = (tag: string, number: string): string => `${tag} ${number}`

const taskOf = (record: JsonObject, id: string, depends: (id: string) => string): ForeignTask => {
  const fields = fieldReader(record)
  fields.text('id')
  const written = fields.text('status') || 'pending'
  const status = fieldReader({ status: written }).word('status', statuses)
  const needsReason = status === 'blocked' || status === 'cancelled'
  return {
    id,
    title: fields.text('title'),
    description: describedBy([
      ['', fields.text('description')],
      ['Details', fields.text('details')],
      ['Test strategy', fields.text('testStrategy')],
    ]),
    status: status ?? 'pending',
    ...(needsReason && { reason: `${written} in ${tool}` }),
    priority: fields.word('priority', priorities),
    labels: [],
    depends: fields.list('dependencies').map(depends),
    criteria: fields.list('acceptanceCriteria'),
    notes: [],
    createdAt: fields.time('createdAt'),
    updatedAt: fields.time('updatedAt'),
    others: { ...(status === undefined && { status: written }), ...fields.others() },
  }
}
