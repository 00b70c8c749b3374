import * as v from 'valibot'
import * as focus from '../../claims/sql/focus.ts'
import { fail, ok } from '../../kernel/result.ts'
import { NoteText } from '../../kernel/task-fields.ts'
import { describe } from '../../kernel/text.ts'
import { shortTimeWarning } from '../../kernel/time-estimates.ts'
import { operation } from '../../operation/operation.ts'
import * as notes from '../../tasks/sql/notes.ts'

export const note = operation({
  name: 'focus.note',
  kind: 'mutate',
  tier: 0,
  summary: 'Write a note on the task in focus.',
  input: v.strictObject({ text: describe(NoteText, 'the note') }),
  output: () => v.object({ id: v.string() }),
  errors: ['focus.missing'],
  cli: {
    command: 'focus note',
    positional: ['text'],
    examples: ['cleo focus note "tests pass, docs to do" --as T012.1'],
  },
  human: ({ id }, style) => [`noted on ${style.cyan(id)}`],
  run: ({ text }, { actor, session, write }) =>
    write(async (tx) => {
      const current = await focus.current(tx.db, session?.id, actor.id)
      if (!current) return fail('focus.missing', { actor: actor.id })
      await notes.add(tx.db, { task: current.task, session: session?.id, at: tx.now, actor: actor.id, text })
      await tx.record({ task: current.task, after: { note: text } })
      return ok({ id: current.task }, { warnings: shortTimeWarning('note', text) })
    }),
})
