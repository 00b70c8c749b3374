import * as v from 'valibot'
import { agentNames } from '../../agent-processes/agent.ts'
import { runDefaults, verifyPolicies } from '../../kernel/config-words.ts'
import { type Failure, fail, ok } from '../../kernel/result.ts'
import { limits } from '../../kernel/task.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe, text } from '../../kernel/text.ts'
import type { CallingContext } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { agentRoom } from '../agent-room.ts'
import { driveFromPlan, driveToEnd, recordRun } from '../begin-run.ts'
import { agentCodes, agentProblem, chooseOptions, type GivenOptions } from '../choose-agent.ts'
import { newsLine } from '../news-line.ts'
import { epicTitle } from '../plan.ts'
import { placeProblem, placeWarnings, preflight, preflightCodes, verifyProblem } from '../preflight.ts'
import { proposalShape, reportShape } from '../report-shape.ts'
import { drawProposal, drawReport } from '../report-text.ts'

const count = (about: string) =>
  v.optional(describe(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(64)), about))
const amount = (about: string) => v.optional(describe(v.pipe(v.number(), v.minValue(0)), about))

const plannedShape = () =>
  v.object({
    epic: v.string(),
    agent: v.string(),
    parallel: v.number(),
    /** How the run starts the project's checks: as this user, or inside bubblewrap. */
    verify: v.picklist(verifyPolicies),
    first: v.array(v.string()),
    waves: v.array(v.array(v.string())),
  })

export const start = operation({
  name: 'run.start',
  kind: 'mutate',
  tier: 1,
  summary: 'Run agents on an epic until it is done: start them, check and merge their work.',
  input: v.strictObject({
    epic: v.optional(describe(TaskId, 'the epic; required without --plan')),
    plan: v.optional(
      describe(
        text(limits.description),
        'what to build, in one sentence; an agent first splits it into tasks',
      ),
    ),
    yes: v.optional(describe(v.boolean(), 'start the tasks of the plan without asking'), false),
    agent: v.optional(describe(v.picklist(agentNames), 'the agent; needed if several clients are installed')),
    command: v.optional(
      describe(text(4096), 'start this program as the agent; it gets the prompt on standard input'),
    ),
    scenario: v.optional(describe(text(4096), 'with --agent scripted: the file with the steps of the agent')),
    parallel: count('how many agents work at the same time; default 3'),
    maxTokens: amount('start no further agent after this many tokens'),
    maxCost: amount('start no further agent after this many US dollars'),
    land: v.optional(
      describe(v.boolean(), 'at the end, land the epic on your branch, as cleo land does'),
      false,
    ),
  }),
  output: () => v.union([reportShape(), proposalShape(), plannedShape()]),
  errors: [...preflightCodes, ...agentCodes, 'run.replaced'],
  needs: 'operations',
  orchestratorOnly: true,
  runsCommands: true,
  isLong: true,
  cli: {
    command: 'run',
    positional: ['epic'],
    examples: [
      'cleo run T001 --agent claude --parallel 3',
      'cleo run T001 --agent command --command ./agent.sh',
      'cleo run T001 --dry-run',
      'cleo run --plan "A page that lists all orders" --agent claude',
    ],
    news: newsLine,
  },
  human: (data, style) =>
    'first' in data
      ? [
          `${style.cyan(data.epic)} would be driven with ${data.agent}, ${data.parallel} at once`,
          `  first: ${data.first.join(', ')}`,
          ...data.waves.map((wave, n) => `  wave ${n + 1}: ${wave.join(', ')}`),
        ]
      : 'run' in data
        ? drawProposal(data, style)
        : drawReport(data, style),
  async run({ epic, plan, yes, ...given }, context) {
    if (plan !== undefined) return startFromPlan(context, { epic, plan, yes }, given)
    if (epic === undefined)
      return fail('input.invalid', {
        problems: [{ path: 'epic', message: 'is missing: name an epic, or use --plan' }],
      })
    const chosen = chooseOptions(context, epic, given)
    if (!chosen.ok) return chosen
    const options = chosen.value
    const room = await agentRoom(context.host, options)
    const problem =
      (await preflight(context, epic)) ??
      agentProblem(context, room.kind, options) ??
      (await verifyProblem(context, options))
    if (problem) return problem
    const warnings = await placeWarnings(context)
    if (context.dryRun) {
      const ready = await context.call('orchestrate.ready', { epic, limit: options.parallel })
      const plan = await context.call('orchestrate.analyze', { epic })
      const first = ready.ok ? (ready.value as { tasks: { id: string }[] }).tasks.map(({ id }) => id) : []
      const { waves } = plan.ok ? (plan.value as { waves: string[][] }) : { waves: [] }
      const { agent, parallel, verify = runDefaults.verify } = options
      return ok({ epic, agent, parallel, verify, first, waves }, { warnings })
    }
    const recorded = await recordRun(context, epic, options)
    if (!recorded.ok) return recorded
    for (const warning of warnings)
      context.live?.tell({ run: '', at: context.host.now(), kind: 'begun', text: `warning: ${warning}` })
    return driveToEnd(context, recorded.value, options, room)
  },
})

/**
 * Makes an epic from a sentence, lets an agent split the epic into tasks, and starts the tasks after a person has said
 * yes.
 */
const startFromPlan = async (
  context: CallingContext,
  { epic, plan, yes }: { epic: string | undefined; plan: string; yes: boolean },
  given: GivenOptions,
) => {
  const both = { path: 'plan', message: 'makes a new epic, so it cannot be combined with one' }
  if (epic !== undefined) return fail('input.invalid', { problems: [both] })
  const chosen = chooseOptions(context, '--plan "…"', given)
  if (!chosen.ok) return chosen
  const options = { ...chosen.value, plan: true as const }
  const room = await agentRoom(context.host, options)
  const problem =
    agentProblem(context, room.kind, options) ??
    (await placeProblem(context, '--plan')) ??
    (await verifyProblem(context, options))
  if (problem) return problem
  const added = await context.call('tasks.add', { title: epicTitle(plan), type: 'epic', description: plan })
  if (!added.ok) return added as Failure<'input.invalid'>
  const { id } = added.value as { id: string }
  if (context.dryRun) {
    const { agent, parallel, verify = runDefaults.verify } = options
    return ok({ epic: id, agent, parallel, verify, first: [id], waves: [[id]] })
  }
  const recorded = await recordRun(context, id, options)
  return recorded.ok ? driveFromPlan(context, recorded.value, options, room, yes) : recorded
}
