import * as v from 'valibot'
import * as spawns from '../../claims/sql/spawns.ts'
import { fail, ok } from '../../kernel/result.ts'
import { closed } from '../../kernel/task.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { formatMinute, iso } from '../../kernel/time.ts'
import { operation } from '../../operation/operation.ts'
import { Limit, pageOf } from '../../operation/paging.ts'
import { epicRoot } from '../../tasks/ready-set.ts'
import * as tasks from '../../tasks/sql/tasks.ts'

export const list = operation({
  name: 'orchestrate.spawn.list',
  kind: 'query',
  tier: 1,
  summary: 'List spawns, newest first.',
  input: v.strictObject({
    task: v.optional(describe(TaskId, 'only spawns of this task')),
    epic: v.optional(describe(TaskId, 'only spawns of tasks below this epic')),
    limit: v.optional(Limit(), 20),
    after: v.optional(
      describe(v.pipe(v.number(), v.integer(), v.minValue(1)), 'the `next` value of the previous page'),
    ),
  }),
  output: () =>
    v.object({
      spawns: v.array(
        v.object({
          spawnId: v.string(),
          protocol: v.string(),
          tier: v.number(),
          /** The prompt's length in model tokens. */
          tokens: v.number(),
          /** Hash of the prompt. */
          hash: v.string(),
          at: v.string(),
          /**
           * `waits`: not started. `started`: the agent works. `superseded`: a later attempt replaced this spawn.
           * `over`: the task is closed.
           */
          state: v.picklist(['waits', 'started', 'superseded', 'over']),
        }),
      ),
    }),
  errors: ['task.not_found', 'epic.expected'],
  cli: { command: 'spawn list', positional: ['epic'], examples: ['cleo spawn list T001'] },
  human: ({ spawns }, style) =>
    spawns.length === 0
      ? [style.dim('No spawns.')]
      : style.table(
          spawns.map(({ spawnId, protocol, tokens, at, state }) => [
            style.cyan(spawnId),
            protocol,
            `${tokens} tokens`,
            formatMinute(at),
            state === 'superseded' ? style.dim(state) : state,
          ]),
          1,
          [2],
        ),
  async run({ task, epic, limit, after }, { store }) {
    if (task && !(await tasks.find(store, task))) return fail('task.not_found', { id: task })
    const refusal = await epicRoot(store, epic)
    if (refusal) return refusal
    const rows = await spawns.list(store, { task, epic, before: after, limit: limit + 1 })
    const { shown, ...next } = pageOf(rows, limit, ({ seq }) => String(seq))
    const total = await spawns.count(store, { task, epic })
    return ok({ spawns: shown.map(toLine) }, { page: { total, limit, ...next } })
  },
})

const toLine = ({ id, protocol, tier, tokens, hash, at, ...row }: spawns.SpawnLine) => ({
  spawnId: id,
  protocol,
  tier,
  tokens,
  hash: hash.slice(0, 12),
  at: iso(at),
  state: stateOf(row),
})

type SpawnState = Pick<spawns.SpawnLine, 'attempt' | 'latest' | 'status' | 'started_at'>

const stateOf = ({ attempt, latest, status, started_at }: SpawnState) => {
  if (attempt < latest) return 'superseded' as const
  if (closed(status)) return 'over' as const
  return started_at === null ? ('waits' as const) : ('started' as const)
}
