import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { formatMinute } from '../../kernel/time.ts'
import { operation } from '../../operation/operation.ts'
import { OwnSessionId, ownSession, ownSessionCodes } from '../named.ts'
import { readSession, sessionShape } from '../session-shape.ts'

export const status = operation({
  name: 'session.status',
  kind: 'query',
  tier: 1,
  summary: 'Show a session: scope, notes and the tasks it touched.',
  input: v.strictObject({ id: v.optional(OwnSessionId) }),
  output: sessionShape,
  errors: ownSessionCodes,
  cli: { command: 'session status', positional: ['id'], examples: ['cleo session status'] },
  human: (session, style) => [
    `${style.cyan(session.id)} ${style.bold(session.name)}  ${session.status}`,
    `  ${style.dim('scope')}    ${session.scope}`,
    `  ${style.dim('started')}  ${formatMinute(session.startedAt)} by ${session.by}`,
    ...(session.endedAt ? [`  ${style.dim('ended')}    ${formatMinute(session.endedAt)}`] : []),
    `  ${style.dim('tasks')}    ${session.tasks.join(', ') || 'none yet'}`,
    ...(session.notes ?? []).map((note) => `  ${note}`),
  ],
  async run({ id }, context) {
    const { store } = context
    const row = await ownSession(store, context, { id, command: 'cleo session status' })
    return 'ok' in row ? row : ok(await readSession(store, row))
  },
})
