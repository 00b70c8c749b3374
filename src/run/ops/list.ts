import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import { formatMinute, iso } from '../../kernel/time.ts'
import { operation } from '../../operation/operation.ts'
import { Limit, pageOf } from '../../operation/paging.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { driverOf } from '../preflight.ts'
import { RunId, runId } from '../run-id.ts'
import { optionsOfRun } from '../run-options.ts'
import * as runs from '../sql.ts'

export const list = operation({
  name: 'run.list',
  kind: 'query',
  tier: 1,
  summary: 'List runs, newest first.',
  input: v.strictObject({
    limit: v.optional(Limit(), 20),
    after: v.optional(describe(RunId, 'the `next` value of the previous page')),
  }),
  output: () =>
    v.object({
      runs: v.array(
        v.object({
          id: v.string(),
          epic: v.string(),
          title: v.string(),
          state: v.picklist(['running', 'draining', 'stopped', 'finished', 'interrupted']),
          why: v.optional(v.string()),
          agent: v.string(),
          began: v.string(),
        }),
      ),
    }),
  errors: [],
  cli: { command: 'run list', examples: ['cleo run list'] },
  human: (data, style) =>
    data.runs.length === 0
      ? [style.dim('No runs.')]
      : style.table(
          data.runs.map(({ id, epic, title, state, why, agent, began }) => [
            style.cyan(id),
            `${style.cyan(epic)} ${title}`,
            `${state}${why ? ` (${why})` : ''}`,
            agent,
            formatMinute(began),
          ]),
          1,
        ),
  async run({ limit, after }, { store }) {
    const rows = await runs.list(store, { ...(after !== undefined && { before: after }), limit: limit + 1 })
    const { shown, ...next } = pageOf(rows, limit, ({ seq }) => runId(seq))
    const epics = await tasks.findMany(store, [...new Set(shown.map(({ epic }) => epic))])
    const now = await store.now()
    return ok(
      {
        runs: shown.map((run) => ({
          ...{ id: runId(run.seq), epic: run.epic, title: epics.get(run.epic)?.title ?? '' },
          state: run.state === 'running' && !driverOf(run, now) ? ('interrupted' as const) : run.state,
          ...(run.why !== null && { why: run.why }),
          ...{ agent: optionsOfRun(run).agent, began: iso(Number(run.at)) },
        })),
      },
      { page: { total: await runs.count(store), limit, ...next } },
    )
  },
})
