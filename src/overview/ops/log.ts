import * as v from 'valibot'
import * as audit from '../../audit/sql.ts'
import { ok } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe, text } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { Limit, pageOf } from '../../operation/paging.ts'
import { SessionId } from '../../sessions/named.ts'
import { titlesOf } from '../../tasks/sql/search.ts'
import { drawLog, toLogEntry } from '../log-story.ts'

const logEntry = () =>
  v.object({
    seq: v.number(),
    at: v.string(),
    actor: v.string(),
    session: v.optional(v.string()),
    operation: v.string(),
    taskId: v.optional(v.string()),
    before: v.optional(v.unknown()),
    after: v.optional(v.unknown()),
  })

export const log = operation({
  name: 'admin.log',
  kind: 'query',
  tier: 2,
  summary: 'Read the audit log, newest first.',
  input: v.strictObject({
    task: v.optional(describe(TaskId, 'only changes to this task')),
    in: v.optional(describe(SessionId, 'only changes in the session with this id')),
    actor: v.optional(describe(text(64), 'only changes by this person or agent')),
    operation: v.optional(describe(text(64), 'only changes by this operation, such as `tasks.complete`')),
    details: v.optional(describe(v.boolean(), 'also show the operation and the changed values')),
    limit: v.optional(Limit(), 20),
    after: v.optional(
      describe(v.pipe(v.number(), v.integer(), v.minValue(1)), 'the `next` value of the previous page'),
    ),
  }),
  output: () => v.object({ entries: v.array(logEntry()), details: v.optional(v.literal(true)) }),
  errors: [],
  cli: {
    command: 'log',
    positional: ['task'],
    suggestedFor: ['audit', 'activity', 'events'],
    examples: ['cleo log', 'cleo log T012 --details', 'cleo log --actor T012.1 --limit 100'],
  },
  human: ({ entries, details }, style) =>
    entries.length === 0 ? [style.dim('No entries.')] : drawLog(entries, details === true, style),
  async run({ in: session, after, limit, details, ...filter }, { store }) {
    const { rows, ...total } = await audit.read(store, {
      ...filter,
      session,
      before: after,
      limit: limit + 1,
    })
    const { shown, ...next } = pageOf(rows, limit, ({ seq }) => String(seq))
    const titles = await titlesOf(
      store,
      shown.flatMap(({ task }) => task ?? []),
    )
    return ok(
      { entries: shown.map(toLogEntry), ...(details && { details: true as const }) },
      { page: { ...total, limit, ...next }, titles },
    )
  },
})
