import * as v from 'valibot'
import { runDefaults } from '../../kernel/config-words.ts'
import { fail } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { agentRoom } from '../agent-room.ts'
import { driveFromPlan, driveToEnd, takeRunOver } from '../begin-run.ts'
import { agentCodes, agentProblem } from '../choose-agent.ts'
import { findRun } from '../find-run.ts'
import { newsLine } from '../news-line.ts'
import { driverOf, placeProblem, verifyProblem } from '../preflight.ts'
import { proposalShape, reportShape } from '../report-shape.ts'
import { drawProposal, drawReport } from '../report-text.ts'
import { RunId, runId } from '../run-id.ts'
import { optionsOfRun, type RunOptions } from '../run-options.ts'

const amount = (about: string) => v.optional(describe(v.pipe(v.number(), v.minValue(0)), about))

export const resume = operation({
  name: 'run.resume',
  kind: 'mutate',
  tier: 1,
  summary: 'Resume a run that was stopped or interrupted.',
  input: v.strictObject({
    id: v.optional(describe(RunId, 'the run; default: the newest run')),
    parallel: v.optional(
      describe(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(64)),
        'how many agents work at the same time',
      ),
    ),
    maxTokens: amount('new limit in tokens, for the whole run'),
    maxCost: amount('new limit in US dollars, for the whole run'),
    land: v.optional(
      describe(v.boolean(), 'at the end, land the epic on your branch, as cleo land does'),
      false,
    ),
    yes: v.optional(describe(v.boolean(), 'start the tasks of the plan without asking'), false),
  }),
  output: () => v.union([reportShape(), proposalShape()]),
  errors: [
    'run.not_found',
    'run.driven',
    'run.over',
    'run.replaced',
    'run.active',
    'run.unborn',
    'run.detached',
    'worktree.space',
    'run.verify',
    ...agentCodes,
  ],
  needs: 'operations',
  orchestratorOnly: true,
  runsCommands: true,
  isLong: true,
  cli: {
    command: 'run resume',
    also: ['run --resume'],
    positional: ['id'],
    examples: ['cleo run resume R001', 'cleo run resume R001 --max-tokens 2000000'],
    news: newsLine,
  },
  human: (data, style) => ('run' in data ? drawProposal(data, style) : drawReport(data, style)),
  async run({ id, parallel, maxTokens, maxCost, land, yes }, context) {
    const run = await findRun(context.store, id)
    if ('ok' in run) return run
    const driver = driverOf(run, await context.store.now())
    if (driver) return fail('run.driven', { id: runId(run.seq), pid: driver.pid })
    if (run.state === 'finished') return fail('run.over', { id: runId(run.seq), epic: run.epic })
    const options: RunOptions = {
      ...optionsOfRun(run),
      verify: context.config.run?.verify ?? runDefaults.verify,
      ...(parallel !== undefined && { parallel }),
      ...(maxTokens !== undefined && { maxTokens }),
      ...(maxCost !== undefined && { maxCost }),
      ...(land && { land }),
    }
    // If the epic already has tasks, no plan is needed: by resuming the run, the person says yes to these tasks.
    if (options.plan && (await tasks.descendants(context.store, run.epic)).length > 0) delete options.plan
    const room = await agentRoom(context.host, options)
    const problem =
      agentProblem(context, room.kind, options) ??
      (await placeProblem(context, run.epic)) ??
      (await verifyProblem(context, options))
    if (problem) return problem
    const taken = await takeRunOver(context, run, options)
    if (!taken.ok) return taken
    return options.plan
      ? driveFromPlan(context, taken.value, options, room, yes)
      : driveToEnd(context, taken.value, options, room)
  },
})
