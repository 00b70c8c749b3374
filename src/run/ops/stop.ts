import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import type { Db } from '../../store/port.ts'
import * as search from '../../tasks/sql/search.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { agentProcessesOf } from '../agent-room.ts'
import { findRun } from '../find-run.ts'
import { driverOf } from '../preflight.ts'
import { RunId, runId } from '../run-id.ts'
import * as runs from '../sql.ts'
import { leftoverOf } from '../take-up.ts'

/** Returns a spawn that is out, so that the refusal can name it; an empty text if none is out. */
const firstOut = async (db: Db): Promise<string> =>
  (await search.busy(db)).find(({ spawn }) => spawn)?.spawn ?? ''

export const stop = operation({
  name: 'run.stop',
  kind: 'mutate',
  tier: 1,
  summary: 'Stop a run: its agents finish their tasks or, with --now, end at once.',
  input: v.strictObject({
    id: v.optional(describe(RunId, 'the run; default: the newest run')),
    now: v.optional(describe(v.boolean(), 'end the agents at once'), false),
    task: v.optional(describe(TaskId, 'end only the agent of this task; the task then waits for a person')),
  }),
  output: () =>
    v.object({
      id: v.string(),
      state: v.picklist(['draining', 'stopping', 'stopped']),
      taskId: v.optional(v.string()),
      /** How many leftover processes were ended. */
      ended: v.optional(v.number()),
    }),
  errors: ['run.not_found', 'run.idle', 'task.not_found'],
  orchestratorOnly: true,
  runsCommands: true,
  cli: {
    command: 'run stop',
    positional: ['id'],
    examples: ['cleo run stop R001', 'cleo run stop R001 --now', 'cleo run stop R001 --task T003'],
  },
  human: ({ id, state, taskId, ended }) => [
    taskId
      ? `${id}: the agent of ${taskId} is being ended`
      : state === 'draining'
        ? `${id} starts no more agents; running agents finish`
        : state === 'stopping'
          ? `${id} ends its agents`
          : `${id} stopped${ended ? `; ${ended} processes of its agents were ended` : ''}`,
  ],
  async run({ id, now, task }, context) {
    const run = await findRun(context.store, id)
    if ('ok' in run)
      return fail('run.not_found', {
        ...(id !== undefined && { id: runId(id) }),
        out: await firstOut(context.store),
      })
    const name = runId(run.seq)
    if (run.state === 'stopped' || run.state === 'finished')
      return fail('run.idle', { id: name, state: run.state, out: await firstOut(context.store) })
    const isDriven = driverOf(run, await context.store.now()) !== undefined
    const why = `stopped by ${context.actor.id}`
    const asked = await context.write(async ({ db, now: at, record }) => {
      if (task && !(await tasks.find(db, task))) return fail('task.not_found', { id: task })
      const data = JSON.stringify({ why, ...(now && { now }) })
      const event = { run: run.seq, at, kind: 'asked to stop', task: task ?? null, spawn: null, data }
      await runs.addEvents(db, [event])
      if (!task) {
        const state = isDriven ? 'draining' : 'stopped'
        if (!(await runs.askToStop(db, run.seq, { state, why, now: at })))
          return fail('run.idle', { id: name, state: 'finished' })
      }
      await record({ task: run.epic, after: { run: name, stop: now ? 'now' : 'drain' } })
      return ok(undefined)
    })
    if (!asked.ok) return asked
    if (isDriven)
      return ok({
        id: name,
        state: now ? ('stopping' as const) : ('draining' as const),
        ...(task && { taskId: task }),
      })
    const answer = { id: name, state: 'stopped' as const, ...(task && { taskId: task }) }
    if (context.dryRun) return ok(answer)
    const processes = await agentProcessesOf(context.host)
    let ended = 0
    for (const row of await runs.agents(context.store, run.seq))
      if (row.state === 'running' && (task === undefined || task === row.task))
        ended += await processes.endLeftover(leftoverOf(row))
    return ok({ ...answer, ended })
  },
})
