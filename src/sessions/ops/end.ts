import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { NoteText } from '../../kernel/task-fields.ts'
import { describe } from '../../kernel/text.ts'
import { shortTimeWarning } from '../../kernel/time-estimates.ts'
import { operation } from '../../operation/operation.ts'
import * as notes from '../../tasks/sql/notes.ts'
import { OwnSessionId, ownSession, ownSessionCodes, refuseForeignSession } from '../named.ts'
import { readSession, sessionShape } from '../session-shape.ts'
import * as sessions from '../sql.ts'

export const end = operation({
  name: 'session.end',
  kind: 'mutate',
  tier: 1,
  summary: 'End a session, with a hand-over note.',
  input: v.strictObject({
    id: v.optional(OwnSessionId),
    note: v.optional(describe(NoteText, 'hand-over note: current state and next steps')),
  }),
  output: () => v.object({ ...sessionShape().entries, noChange: v.optional(v.literal(true)) }),
  errors: ownSessionCodes,
  cli: {
    command: 'session end',
    positional: ['id'],
    examples: ['cleo session end --note "T003 is half done, tests are red"'],
  },
  human: ({ id, tasks, noChange }, style) => [
    `${style.cyan(id)} ${noChange ? 'had already ended' : 'ended'}; ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'} touched`,
  ],
  run: ({ id, note }, context) =>
    context.write(async (tx) => {
      const row = await ownSession(tx.db, context, { id, command: 'cleo session end' })
      if ('ok' in row) return row
      refuseForeignSession(context.actor, row, 'session.end')
      if (row.status === 'ended') return ok({ ...(await readSession(tx.db, row)), noChange: true as const })
      if (note) await notes.add(tx.db, { session: row.id, at: tx.now, actor: tx.actor.id, text: note })
      await sessions.setStatus(tx.db, row.id, 'ended', tx.now)
      await tx.record({
        before: { session: row.id, status: 'active' },
        after: { session: row.id, status: 'ended', note },
      })
      tx.emit('session.ended')
      const ended = await readSession(tx.db, (await sessions.find(tx.db, row.id))!)
      return ok(ended, { warnings: shortTimeWarning('note', note ?? '') })
    }),
})
