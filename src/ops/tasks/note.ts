import * as v from 'valibot'
import { fail, ok } from '../../model/result.ts'
import { NoteText } from '../../model/task-fields.ts'
import { TaskId } from '../../model/task-id.ts'
import { describe } from '../../model/text.ts'
import * as notes from '../../store/notes.ts'
import * as tasks from '../../store/tasks.ts'
import { operation } from '../operation.ts'
import { timeWarning } from '../time-promises.ts'

export const note = operation({
  name: 'tasks.note',
  kind: 'mutate',
  tier: 0,
  summary: 'Write a note on a task.',
  input: v.strictObject({ id: describe(TaskId, 'the task'), text: describe(NoteText, 'the note') }),
  output: () => v.object({ id: v.string(), notes: v.number() }),
  errors: ['task.not_found'],
  cli: {
    command: 'note',
    positional: ['id', 'text'],
    examples: ['cleo note T012 "the API answers 429 under load"'],
  },
  human: ({ id, notes }, ink) => [`${ink.cyan(id)} has ${notes} ${notes === 1 ? 'note' : 'notes'}`],
  run: ({ id, text }, { actor, session, write }) =>
    write(async (tx) => {
      if (!(await tasks.find(tx.db, id))) return fail('task.not_found', { id })
      await notes.add(tx.db, { task: id, session: session?.id, at: tx.now, actor: actor.id, text })
      await tx.record({ task: id, after: { note: text } })
      return ok({ id, notes: await notes.countOf(tx.db, id) }, { warnings: timeWarning('note', text) })
    }),
})
