import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { moreTasks, TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { drawTask } from '../../task-lists/draw-tasks.ts'
import { readTask } from '../../tasks/read-task.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { taskShape } from '../../tasks/task-shape.ts'

/** At most this many linked entries are shown, newest first; `cleo research links` lists all. */
const mostEntries = 10

export const show = operation({
  name: 'tasks.show',
  kind: 'query',
  tier: 0,
  summary: 'Show a task with all its fields.',
  get input() {
    return v.strictObject({
      id: describe(TaskId, 'the task'),
      more: moreTasks('more tasks; if one does not exist, none is shown'),
    })
  },
  output: taskShape,
  errors: ['task.not_found'],
  several: true,
  tool: ['id'],
  cli: {
    command: 'show',
    suggestedFor: ['get', 'view', 'cat', 'info', 'open', 'read', 'display', 'print', 'details', 'inspect'],
    positional: ['id', 'more'],
    examples: ['cleo show T012', 'cleo show T012 T013'],
  },
  human: drawTask,
  async run({ id: first, more }, context) {
    if (!more) return showTask(context, first)
    // Load this module only for several tasks, because agents usually show one task at a time.
    const { forEachTask } = await import('../../operation/several.ts')
    return forEachTask(first, more, (id) => showTask(context, id))
  },
})

const showTask = async (context: Context, id: string) => {
  const { store } = context
  const row = await tasks.find(store, id)
  if (!row) return fail('task.not_found', { id })
  const task = await readTask(store, row)
  // Most tasks have no gates, votes or entries, so the code for them is loaded only if this task has some.
  const has = await tasks.recordsOf(store, id)
  if (has.consensus) {
    const { consensusOf } = await import('../../consensus/consensus-line.ts')
    task.consensus = await consensusOf(store, id)
  }
  if (row.children > 0) {
    const { childrenOf } = await import('../children-of.ts')
    Object.assign(task, await childrenOf(store, row))
  }
  if (row.attempt_out > 0) {
    const { spawnOut } = await import('../spawn-out.ts')
    const spawn = await spawnOut(context, row)
    if (spawn) task.spawn = spawn
  }
  if (has.links) {
    const { entriesOfTask } = await import('../../manifest/sql/links.ts')
    const linked = await entriesOfTask(store, id, mostEntries)
    task.entries = linked.map(({ id, status }) => ({ id, status }))
  }
  if (row.status === 'done' && (has.links || has.contract)) {
    const { resultOf } = await import('../../manifest/result-of.ts')
    Object.assign(task, await resultOf(store, id))
  }
  if (!has.contract) return ok(task)
  const { recordedGates } = await import('../../standing/recorded-gates.ts')
  const gates = await recordedGates(context, row)
  return ok({ ...task, ...(gates && { gates }) })
}
