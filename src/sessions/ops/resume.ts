import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import { namedSession, refuseForeignSession, SessionId } from '../named.ts'
import { readSession, sessionShape } from '../session-shape.ts'
import * as sessions from '../sql.ts'

export const resume = operation({
  name: 'session.resume',
  kind: 'mutate',
  tier: 1,
  summary: 'Resume a session that has ended.',
  input: v.strictObject({ id: v.optional(SessionId) }),
  output: () => v.object({ ...sessionShape().entries, noChange: v.optional(v.literal(true)) }),
  errors: ['session.unnamed', 'session.not_found'],
  cli: { command: 'session resume', positional: ['id'], examples: ['cleo session resume ses_4f0k2m9x1c7d'] },
  human: ({ id, notes }, style) => [`${style.cyan(id)} resumed`, ...(notes ?? []).map((note) => `  ${note}`)],
  run: ({ id }, { actor, session, write }) =>
    write(async (tx) => {
      const row = await namedSession(tx.db, id, session)
      if ('ok' in row) return row
      refuseForeignSession(actor, row, 'session.resume')
      if (row.status === 'active') return ok({ ...(await readSession(tx.db, row)), noChange: true as const })
      await sessions.setStatus(tx.db, row.id, 'active', null)
      await tx.record({
        before: { session: row.id, status: 'ended' },
        after: { session: row.id, status: 'active' },
      })
      tx.emit('session.started')
      return ok(await readSession(tx.db, (await sessions.find(tx.db, row.id))!))
    }),
})
