import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { Label, Priority, Size, Status, TaskType } from '../../kernel/task-fields.ts'
import { TaskId, taskNumber } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { pageOf, paging } from '../../operation/paging.ts'
import { drawLines } from '../draw-tasks.ts'
import { epicRoot } from '../ready-set.ts'
import * as lines from '../sql/list.ts'
import { priorityRank, toLines } from '../sql/tasks.ts'
import { taskLine } from '../task-shape.ts'

export const list = operation({
  name: 'tasks.list',
  kind: 'query',
  tier: 1,
  summary: 'List tasks, by default the open ones.',
  input: v.strictObject({
    status: v.optional(describe(Status, 'only tasks with this status')),
    all: v.optional(describe(v.boolean(), 'include done and cancelled tasks')),
    type: v.optional(describe(TaskType, 'only tasks of this type')),
    parent: v.optional(describe(TaskId, 'only children of this task')),
    epic: v.optional(describe(TaskId, 'only this epic and the tasks below it')),
    label: v.optional(describe(Label, 'only tasks with this label')),
    priority: v.optional(describe(Priority, 'only tasks with this priority')),
    size: v.optional(describe(Size, 'only tasks of this size')),
    limit: paging.limit,
    after: v.optional(describe(TaskId, 'the `next` value of the previous page')),
  }),
  output: () => v.object({ tasks: v.array(taskLine()) }),
  errors: ['task.not_found', 'epic.expected'],
  cli: {
    command: 'list',
    also: ['ls'],
    suggestedFor: ['todo', 'todos', 'issues', 'backlog'],
    positional: ['epic'],
    examples: ['cleo list', 'cleo list T001 --status blocked', 'cleo list --all --limit 100'],
  },
  human: ({ tasks }, style) => (tasks.length === 0 ? [style.dim('No tasks.')] : drawLines(tasks, style)),
  async run({ all, epic, priority, after, limit, ...filter }, { store }) {
    const refusal = await epicRoot(store, epic)
    if (refusal) return refusal
    const { rows, ...total } = await lines.list(store, {
      ...filter,
      open: !all && filter.status === undefined,
      root: epic,
      priority: priority && priorityRank(priority),
      after: after === undefined ? undefined : taskNumber(after),
      limit: limit + 1,
    })
    const { shown, ...next } = pageOf(rows, limit, ({ id }) => id)
    return ok({ tasks: toLines(shown) }, { page: { ...total, limit, ...next } })
  },
})
