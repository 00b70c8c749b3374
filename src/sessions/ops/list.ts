import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { Limit, pageOf } from '../../operation/paging.ts'
import { sessionLine, toLine } from '../session-shape.ts'
import * as sessions from '../sql.ts'

export const list = operation({
  name: 'session.list',
  kind: 'query',
  tier: 1,
  summary: 'List sessions, newest first.',
  input: v.strictObject({
    status: v.optional(describe(v.picklist(['active', 'ended']), 'only sessions with this status')),
    limit: v.optional(Limit(), 20),
    after: v.optional(
      describe(v.pipe(v.number(), v.integer(), v.minValue(1)), 'the `next` value of the previous page'),
    ),
  }),
  output: () => v.object({ sessions: v.array(sessionLine()) }),
  errors: [],
  cli: { command: 'session list', examples: ['cleo session list --status active'] },
  human: ({ sessions }, style) =>
    sessions.length === 0
      ? [style.dim('No sessions.')]
      : style.table(
          sessions.map(({ id, name, scope, status }) => [style.cyan(id), name, scope, status]),
          1,
        ),
  async run({ status, limit, after }, { store }) {
    const { rows, total } = await sessions.list(store, { status, before: after, limit: limit + 1 })
    const { shown, ...next } = pageOf(rows, limit, ({ seq }) => String(seq))
    return ok({ sessions: shown.map(toLine) }, { page: { total, limit, ...next } })
  },
})
