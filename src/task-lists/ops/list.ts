import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { Label, Priority, Size, Status, TaskType } from '../../kernel/task-filters.ts'
import { TaskId, taskNumber } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { pageOf } from '../../operation/paging.ts'
import type { Db } from '../../store/port.ts'
import { epicRoot } from '../../tasks/ready-set.ts'
import * as lines from '../../tasks/sql/list.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { taskLine } from '../../tasks/task-shape.ts'
import { drawLines } from '../draw-tasks.ts'
import { workNotes } from '../wait-notes.ts'

const sorts = ['id', 'created', 'updated', 'priority', 'title'] as const
type Sort = (typeof sorts)[number]

/** The limit that `--limit 0` stands for. No project has that many tasks. */
const everything = 100_000_000

export const list = operation({
  name: 'tasks.list',
  kind: 'query',
  tier: 1,
  summary: 'List tasks, by default the open ones.',
  input: v.strictObject({
    status: v.optional(
      describe(
        v.union([v.pipe(v.array(Status), v.minLength(1, 'is empty')), Status]),
        'only tasks with one of these statuses',
      ),
    ),
    all: v.optional(describe(v.boolean(), 'include done and cancelled tasks')),
    ready: v.optional(describe(v.boolean(), 'only tasks that can start now, in the order to start them')),
    mine: v.optional(
      describe(v.boolean(), 'only tasks that you, or the agent given with --as, have claimed'),
    ),
    type: v.optional(describe(TaskType, 'only tasks of this type')),
    parent: v.optional(describe(TaskId, 'only children of this task')),
    epic: v.optional(describe(TaskId, 'only this epic and the tasks below it')),
    label: v.optional(describe(Label, 'only tasks with this label')),
    priority: v.optional(describe(Priority, 'only tasks with this priority')),
    size: v.optional(describe(Size, 'only tasks of this size')),
    sort: v.optional(
      describe(
        v.picklist(sorts),
        'order: id, created (newest first), updated (last changed first), priority or title',
      ),
    ),
    limit: v.optional(
      describe(
        v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)),
        'maximum number of results; 0 for all',
      ),
      20,
    ),
    after: v.optional(describe(TaskId, 'the `next` value of the previous page')),
  }),
  output: () => v.object({ tasks: v.array(taskLine()) }),
  errors: ['task.not_found', 'epic.expected', 'list.unsorted', 'input.invalid'],
  cli: {
    command: 'list',
    also: ['ls'],
    suggestedFor: ['todo', 'todos', 'issues', 'backlog', 'tickets', 'll', 'dir'],
    positional: ['epic'],
    examples: [
      'cleo list',
      'cleo list T001 --status blocked',
      'cleo list --status done,cancelled --sort updated',
      'cleo list --ready --label api',
      'cleo list --all --limit 0',
    ],
  },
  human: ({ tasks }, style) => (tasks.length === 0 ? [style.dim(style.note(''))] : drawLines(tasks, style)),
  async run({ all, epic, priority, after, limit, status, ready, mine, sort, ...filter }, { store, actor }) {
    const statuses = status === undefined ? undefined : [status].flat()
    if (ready && (all || (statuses && !statuses.includes('pending'))))
      return fail('input.invalid', { problems: [readyIsPending(all ? '--all' : '--status')] })
    const refusal = await epicRoot(store, epic)
    if (refusal) return refusal
    const most = limit === 0 ? everything : limit
    const wanted: lines.ListFilter = {
      ...filter,
      statuses: ready ? ['pending'] : statuses,
      open: !all && statuses === undefined,
      root: epic,
      priority: priority && tasks.priorityRank(priority),
      ...(ready && { ready }),
      ...(mine && { mine: actor.id }),
      after: after === undefined ? undefined : taskNumber(after),
      limit: most + 1,
    }
    const found = await rowsOf(store, wanted, sort, after)
    if ('ok' in found) return found
    const { rows, ...total } = found
    const { shown, ...next } = pageOf(rows, most, ({ id }) => id)
    return ok(
      { tasks: tasks.toLines(shown) },
      {
        page: { ...total, limit, ...next },
        notes: shown.length > 0 ? await workNotes(store, shown) : await whyEmpty(store, wanted),
      },
    )
  },
})

const whyEmpty = async (db: Db, filter: lines.ListFilter) =>
  (await import('../why-empty.ts')).emptyNotes(db, filter)

const readyIsPending = (flag: string) => ({
  path: 'ready',
  message: `--ready lists pending tasks; leave out ${flag}`,
})

const rowsOf = async (
  db: Db,
  filter: lines.ListFilter,
  sort: Sort | undefined,
  after: string | undefined,
) => {
  if (sort === 'created') return lines.list(db, { ...filter, newest: true })
  if (sort === 'id' || (sort === undefined && !filter.ready)) return lines.list(db, filter)
  // Load this module only here, because most lists are in order of creation and do not need it.
  const { byPriority, bySorting, mostSorted, readyOnes } = await import('../sql/list-sorted.ts')
  const last = after === undefined ? undefined : await tasks.find(db, after)
  if (after !== undefined && !last) return fail('task.not_found', { id: after })
  if (sort === undefined) return readyOnes(db, filter, last)
  if (sort === 'priority') return byPriority(db, filter, last)
  return (await bySorting(db, filter, sort, last)) ?? fail('list.unsorted', { sort, most: mostSorted })
}
