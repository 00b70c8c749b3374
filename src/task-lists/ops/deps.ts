import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import type { TaskLine } from '../../kernel/task.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import * as lists from '../../tasks/sql/lists.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { taskLine } from '../../tasks/task-shape.ts'
import { lineCells } from '../draw-tasks.ts'

const shown = 50

export const deps = operation({
  name: 'tasks.deps',
  kind: 'query',
  tier: 1,
  summary: 'Show which tasks a task depends on, and which tasks depend on it.',
  input: v.strictObject({ id: describe(TaskId, 'the task') }),
  output: () =>
    v.object({
      id: v.string(),
      /** The task's own dependencies. */
      needs: v.array(taskLine()),
      /** Dependencies of the task's ancestors: the task waits for these too. */
      inherited: v.array(taskLine()),
      /** The tasks that depend on this one. */
      neededBy: v.array(taskLine()),
      /** The ids of all dependencies that are still open. */
      open: v.array(v.string()),
    }),
  errors: ['task.not_found'],
  cli: {
    command: 'deps',
    suggestedFor: ['blockers', 'why', 'dependents'],
    positional: ['id'],
    examples: ['cleo deps T012'],
  },
  human: (data, style) => {
    const part = (title: string, lines: TaskLine[]) =>
      lines.length === 0
        ? []
        : [
            style.bold(title),
            ...style.table(
              lines.map((line) => {
                const [id, ...cells] = lineCells(line, style)
                return [`  ${id}`, ...cells]
              }),
              1,
              [4, 3],
            ),
          ]
    const drawn = [
      ...part(`${data.id} needs`, data.needs),
      ...part('through its parents', data.inherited),
      ...part('needed by', data.neededBy),
    ]
    const state = data.open.length > 0 ? `waits on ${data.open.join(', ')}` : 'waits on nothing'
    return [...drawn, `${style.cyan(data.id)} ${state}`]
  },
  async run({ id }, { store }) {
    const [task, ...ancestors] = await tasks.lineage(store, id)
    if (!task) return fail('task.not_found', { id })
    const above = await lists.readMany(
      store,
      'depends',
      ancestors.map((each) => each.id),
    )
    return ok({
      id,
      needs: await tasks.lines(store, await lists.read(store, 'depends', id)),
      inherited: await tasks.lines(store, [...new Set([...above.values()].flat())]),
      neededBy: await tasks.lines(store, await lists.dependents(store, id, shown)),
      open: await tasks.openNeeds(store, id),
    })
  },
})
