import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import { iso } from '../../kernel/time.ts'
import { operation } from '../../operation/operation.ts'
import { findRun } from '../find-run.ts'
import { driverOf } from '../preflight.ts'
import { reportOf } from '../report.ts'
import { reportShape } from '../report-shape.ts'
import { summaryLine } from '../report-text.ts'
import { RunId, runId } from '../run-id.ts'
import * as runs from '../sql.ts'

export const status = operation({
  name: 'run.status',
  kind: 'query',
  tier: 1,
  summary: 'Show the agents of a run and the tasks that wait for a person.',
  input: v.strictObject({ id: v.optional(describe(RunId, 'the run; default: the newest run')) }),
  output: () =>
    v.object({
      ...v.omit(reportShape(), ['tasks']).entries,
      /** The id of the process that drives the run; missing if no process drives the run. */
      pid: v.optional(v.number()),
      agents: v.array(
        v.object({ spawnId: v.string(), taskId: v.string(), agent: v.string(), since: v.string() }),
      ),
      waitingTasks: v.array(v.object({ id: v.string(), reason: v.string() })),
    }),
  errors: ['run.not_found'],
  cli: { command: 'run status', positional: ['id'], examples: ['cleo run status', 'cleo run status R001'] },
  human: (data, style) => [
    summaryLine({ ...data, tasks: [] }),
    ...(data.state !== 'running' && data.state !== 'draining'
      ? []
      : [
          data.pid === undefined
            ? style.yellow('  interrupted: no process drives it')
            : style.dim(`  driven by process ${data.pid}`),
        ]),
    ...style.table(
      data.agents.map(({ spawnId, agent, since }) => [
        `  ${style.cyan(spawnId)}`,
        agent,
        `since ${since.slice(11, 19)}`,
      ]),
      2,
    ),
    ...data.waitingTasks.map(
      ({ id, reason }) => `  ${style.red('■')} ${style.cyan(id)} waits for you: ${reason}`,
    ),
    `  then: ${data.then}`,
  ],
  async run({ id }, context) {
    const run = await findRun(context.store, id)
    if ('ok' in run) return run
    const { tasks, ...report } = await reportOf(context, run)
    const driver = driverOf(run, await context.store.now())
    const isLive = run.state === 'running' || run.state === 'draining'
    const live = (await runs.agents(context.store, run.seq)).filter(({ state }) => state === 'running')
    return ok({
      ...report,
      ...(isLive && !driver && { then: `cleo run resume ${runId(run.seq)}` }),
      ...(driver && { pid: driver.pid }),
      agents: live.map(({ spawn, task, agent, at }) => ({
        spawnId: spawn,
        taskId: task,
        agent,
        since: iso(Number(at)),
      })),
      waitingTasks: tasks.flatMap(({ id, reason }) => (reason ? [{ id, reason }] : [])),
    })
  },
})
