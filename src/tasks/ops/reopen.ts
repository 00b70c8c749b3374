import * as v from 'valibot'
import * as spawns from '../../claims/sql/spawns.ts'
import { fail, ok } from '../../kernel/result.ts'
import { closed } from '../../kernel/task.ts'
import { Reason } from '../../kernel/task-fields.ts'
import { moreTasks, TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { forEachTask } from '../../operation/several.ts'
import { refuseForeignTask } from '../own-work.ts'
import * as notes from '../sql/notes.ts'
import * as tasks from '../sql/tasks.ts'
import { transition } from '../transition.ts'

export const reopen = operation({
  name: 'tasks.reopen',
  kind: 'mutate',
  tier: 1,
  summary: 'Reopen a done or cancelled task and say why.',
  input: v.strictObject({
    id: describe(TaskId, 'the task'),
    more: moreTasks(),
    reason: describe(Reason, 'why the task is reopened'),
  }),
  output: () => v.object({ id: v.string(), status: v.literal('pending'), reopened: v.array(v.string()) }),
  errors: ['task.not_found', 'task.status'],
  several: true,
  cli: {
    command: 'reopen',
    suggestedFor: ['undone', 'uncomplete', 'uncancel'],
    positional: ['id', 'more'],
    examples: ['cleo reopen T012 --reason "fails on empty input"'],
  },
  human: ({ reopened }, style) => [`${style.cyan(reopened.join(', '))} pending again`],
  run: ({ id: first, more, reason }, { session, write }) =>
    write((tx) => {
      const opened = new Set<string>()
      return forEachTask(first, more, async (id) => {
        // An open task cannot have a closed ancestor, so its ancestors are reopened too.
        const line = await tasks.lineage(tx.db, id)
        const task = line[0]
        if (!task) return fail('task.not_found', { id })
        // If the command names several tasks, it might already have reopened this task as an ancestor of another
        // one. That is not an error.
        if (!closed(task.status) && !opened.has(id))
          return fail('task.status', { id, status: task.status, verb: 'reopen' })
        await refuseForeignTask(tx, task, 'reopen')
        const reopened = line.filter(({ status }) => closed(status))
        for (const each of reopened) {
          await transition(tx, each, { to: 'pending', reason, event: 'task.reopened' })
          await spawns.markAllReturned(tx.db, each.id, tx.now)
          opened.add(each.id)
        }
        // Store the reason as a note too, so that the next agent can read it. The next change of status removes the
        // reason from the task.
        const note = `Opened again: ${reason}`
        await notes.add(tx.db, { task: id, session: session?.id, at: tx.now, actor: tx.actor.id, text: note })
        const own = reopened.length > 0 ? reopened.map((each) => each.id) : [id]
        return ok({ id, status: 'pending' as const, reopened: own })
      })
    }),
})
