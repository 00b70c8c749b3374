import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { NoteText } from '../../kernel/task-fields.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { shortTimeWarning } from '../../kernel/time-estimates.ts'
import { operation } from '../../operation/operation.ts'
import * as notes from '../sql/notes.ts'
import * as tasks from '../sql/tasks.ts'

export const note = operation({
  name: 'tasks.note',
  kind: 'mutate',
  tier: 0,
  summary: 'Write a note on a task.',
  input: v.strictObject({ id: describe(TaskId, 'the task'), text: describe(NoteText, 'the note') }),
  output: () => v.object({ id: v.string(), notes: v.number() }),
  errors: ['task.not_found'],
  tool: ['id', 'text'],
  cli: {
    command: 'note',
    suggestedFor: ['comment', 'annotate', 'remark', 'reply'],
    positional: ['id', 'text'],
    examples: ['cleo note T012 "the API answers 429 under load"'],
  },
  human: ({ id, notes }, style) => [`${style.cyan(id)} has ${notes} ${notes === 1 ? 'note' : 'notes'}`],
  run: ({ id, text }, { actor, session, write }) =>
    write(async (tx) => {
      if (!(await tasks.find(tx.db, id))) return fail('task.not_found', { id })
      await notes.add(tx.db, { task: id, session: session?.id, at: tx.now, actor: actor.id, text })
      await tx.record({ task: id, after: { note: text } })
      return ok({ id, notes: await notes.countOf(tx.db, id) }, { warnings: shortTimeWarning('note', text) })
    }),
})
