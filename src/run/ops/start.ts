import * as v from 'valibot'
import { agentNames } from '../../agent-processes/agent.ts'
import { runDefaults, verifyPolicies } from '../../kernel/config-words.ts'
import { ok } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe, text } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { agentRoom } from '../agent-room.ts'
import { driveToEnd, recordRun } from '../begin-run.ts'
import { agentCodes, agentProblem, chooseOptions } from '../choose-agent.ts'
import { newsLine } from '../news-line.ts'
import { placeWarnings, preflight, preflightCodes, verifyProblem } from '../preflight.ts'
import { reportShape } from '../report-shape.ts'
import { drawReport } from '../report-text.ts'

const count = (about: string) =>
  v.optional(describe(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(64)), about))
const amount = (about: string) => v.optional(describe(v.pipe(v.number(), v.minValue(0)), about))

const plannedShape = () =>
  v.object({
    epic: v.string(),
    agent: v.string(),
    parallel: v.number(),
    verify: v.picklist(verifyPolicies),
    first: v.array(v.string()),
    waves: v.array(v.array(v.string())),
  })

export const start = operation({
  name: 'run.start',
  kind: 'mutate',
  tier: 1,
  summary: 'Run agents on an epic: start them, check and merge their work until it is done.',
  input: v.strictObject({
    epic: describe(TaskId, 'the epic'),
    agent: v.optional(describe(v.picklist(agentNames), 'the agent; needed if several clients are installed')),
    command: v.optional(
      describe(
        text(4096),
        'start this program as the agent; it gets the prompt on standard input',
      ),
    ),
    scenario: v.optional(describe(text(4096), 'with --agent scripted: the file with the steps of the agent')),
    parallel: count('how many agents work at the same time; default 3'),
    maxTokens: amount('start no further agent after this many tokens'),
    maxCost: amount('start no further agent after this many US dollars'),
    land: v.optional(describe(v.boolean(), 'merge the work into your branch at the end'), false),
  }),
  output: () => v.union([reportShape(), plannedShape()]),
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
      : drawReport(data, style),
  async run({ epic, ...given }, context) {
    const chosen = chooseOptions(context, epic, given)
    if (!chosen.ok) return chosen
    const options = chosen.value
    const room = await agentRoom(context.host, options)
    const problem =
      agentProblem(context, room.kind, options) ??
      (await preflight(context, epic)) ??
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
