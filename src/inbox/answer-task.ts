import { brief } from '../kernel/print/brief.ts'
import { fail, ok } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import * as notes from '../tasks/sql/notes.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { transition } from '../tasks/transition.ts'

const mostOfReason = 80

/** Takes the block from a task. The answer becomes a note: whoever gets the task next reads it there. */
export const answerTask = ({ write, session }: Context, id: string, text: string) =>
  write(async (tx) => {
    const task = await tasks.find(tx.db, id)
    if (!task) return fail('task.not_found', { id })
    if (task.status !== 'blocked') return fail('task.status', { id, status: task.status, verb: 'answer' })
    const note = task.reason
      ? `Answer to "${brief(task.reason.replaceAll('"', "'"), mostOfReason)}": ${text}`
      : text
    await notes.add(tx.db, { task: id, session: session?.id, at: tx.now, actor: tx.actor.id, text: note })
    await tx.record({ task: id, after: { note } })
    await transition(tx, task, { to: 'pending', event: 'task.unblocked' })
    return ok({ id, answer: 'unblocked', task: id, then: `cleo orchestrate spawn ${id} --ref` })
  })
