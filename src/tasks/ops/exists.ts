import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { moreTasks, TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { forEachTask } from '../../operation/several.ts'
import * as tasks from '../sql/tasks.ts'

export const exists = operation({
  name: 'tasks.exists',
  kind: 'query',
  tier: 0,
  summary: 'Exit 0 if all the tasks exist, 4 if one does not.',
  input: v.strictObject({ id: describe(TaskId, 'the task'), more: moreTasks('more tasks') }),
  output: () => v.object({ id: v.string(), exists: v.literal(true) }),
  errors: ['task.not_found'],
  several: true,
  cli: { command: 'exists', positional: ['id', 'more'], examples: ['cleo exists T012 && echo there'] },
  human: ({ id }) => [id],
  run: ({ id: first, more }, { store }) =>
    forEachTask(first, more, async (id) =>
      (await tasks.find(store, id)) ? ok({ id, exists: true as const }) : fail('task.not_found', { id }),
    ),
})
