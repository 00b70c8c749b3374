import * as v from 'valibot'
import { fail, ok } from '../../model/result.ts'
import { NoteText } from '../../model/task-fields.ts'
import { describe } from '../../model/text.ts'
import * as focus from '../../store/focus.ts'
import * as notes from '../../store/notes.ts'
import { operation } from '../operation.ts'
import { timeWarning } from '../time-promises.ts'

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
  human: ({ id }, ink) => [`noted on ${ink.cyan(id)}`],
  run: ({ text }, { actor, session, write }) =>
    write(async (tx) => {
      const current = await focus.current(tx.db, session?.id, actor.id)
      if (!current) return fail('focus.missing', { actor: actor.id })
      await notes.add(tx.db, { task: current.task, session: session?.id, at: tx.now, actor: actor.id, text })
      await tx.record({ task: current.task, after: { note: text } })
      return ok({ id: current.task }, { warnings: timeWarning('note', text) })
    }),
})
