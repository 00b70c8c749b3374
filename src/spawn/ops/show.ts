import * as v from 'valibot'
import { agentsOf, type SpawnAgent } from '../../claims/sql/spawn-agents.ts'
import type { SpawnReport } from '../../evidence/spawn-terms.ts'
import { ok } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { describe } from '../../kernel/text.ts'
import { formatMinute, iso } from '../../kernel/time.ts'
import { operation } from '../../operation/operation.ts'
import { brief } from '../../print/brief.ts'
import type { PromptReport } from '../record-spawn.ts'
import { reportShape, subagentType } from '../spawn-answer.ts'
import { findSpawn, promptFile, SpawnRef } from '../stored-spawn.ts'

const output = () =>
  v.union([
    v.object({
      spawnId: v.string(),
      taskId: v.string(),
      protocol: v.string(),
      tier: v.number(),
      subagent_type: v.string(),
      tokens: v.number(),
      hash: v.string(),
      promptFile: v.string(),
      by: v.string(),
      session: v.optional(v.string()),
      at: v.string(),
      startedAt: v.optional(v.string()),
      /** The agents of the spawn, as their clients reported them. */
      agents: v.optional(
        v.array(
          v.object({
            client: v.string(),
            id: v.string(),
            tokens: v.optional(v.object({ input: v.number(), output: v.number() })),
            /** How often a hook refused to let the agent stop. */
            refused: v.optional(v.number()),
            /** The requirements that were missing when the hook let the agent stop. */
            released: v.optional(v.string()),
          }),
        ),
      ),
      ...reportShape(),
    }),
    v.object({ document: v.string() }),
  ])
type SpawnDetails = v.InferOutput<ReturnType<typeof output>>

export const show = operation({
  name: 'orchestrate.spawn.show',
  kind: 'query',
  tier: 1,
  summary: "Show a spawn's skills and token counts; with --prompt, print its prompt.",
  input: v.strictObject({
    id: describe(SpawnRef, 'a spawn; or a task, to show its latest spawn'),
    prompt: v.optional(describe(v.boolean(), 'print the prompt alone'), false),
  }),
  output,
  errors: ['spawn.not_found', 'spawn.none'],
  cli: {
    command: 'spawn show',
    positional: ['id'],
    examples: ['cleo spawn show T012.1', 'cleo spawn show T012 --prompt'],
    document: (data) => ('document' in data ? data.document : undefined),
  },
  human: (data, style) => draw(data, style),
  async run({ id, prompt }, context) {
    const row = await findSpawn(context.store, id)
    if ('ok' in row) return row
    if (prompt) return ok({ document: row.prompt })
    const path = promptFile(context, row.id)
    const altered = context.host.files.read(path) !== row.prompt
    return ok(
      {
        spawnId: row.id,
        taskId: row.task,
        protocol: row.protocol,
        tier: row.tier,
        subagent_type: subagentType,
        tokens: row.tokens,
        hash: row.hash,
        promptFile: path,
        by: row.actor,
        ...(row.session && { session: row.session }),
        at: iso(row.at),
        ...(row.started_at && { startedAt: iso(row.started_at) }),
        ...(row.agents !== null && { agents: agentsOf(row).map(shownAgent) }),
        ...shownReport(row.report),
      },
      altered
        ? { warnings: [`${path} differs from the recorded prompt; --prompt prints the recorded one`] }
        : {},
    )
  },
})

const shownAgent = ({ stuck: _, state: __, ...agent }: SpawnAgent) => agent

const shownReport = (kept: string): PromptReport => {
  const { commands: _, terms: __, ...report } = JSON.parse(kept) as SpawnReport & PromptReport
  return report
}

const draw = (data: SpawnDetails, style: Style): string[] => {
  if ('document' in data) return [data.document]
  const { spawnId, protocol, reason, tier, tokens, hash, at, startedAt, budget, warnings, agents } = data
  return [
    `${style.cyan(spawnId)}  ${protocol}${reason ? ` (by ${reason})` : ''}, tier ${tier}, ${tokens} tokens  ${style.dim(hash.slice(0, 12))}`,
    `  spawned ${formatMinute(at)} by ${data.by}${startedAt ? `, started ${formatMinute(startedAt)}` : ', not started'}`,
    `  prompt: ${data.promptFile}`,
    ...(agents ?? []).map((agent) => `  agent: ${agentFacts(agent)}`),
    ...style.table(
      budget.map(({ part, tokens, cut }) => [`  ${part}`, String(tokens), cut ? `cut: ${cut}` : '']),
      2,
    ),
    ...warnings.map((warning) => `  ${style.yellow('warning')}: ${warning}`),
  ]
}

type ShownAgent = ReturnType<typeof shownAgent>

const agentFacts = ({ client, id, tokens, refused, released }: ShownAgent): string =>
  [
    `${client} ${brief(id, 40)}`,
    ...(tokens ? [`${tokens.input} tokens in, ${tokens.output} out`] : []),
    ...(refused ? [`sent back ${refused} ${refused === 1 ? 'time' : 'times'}`] : []),
    ...(released === undefined ? [] : [`stopped unfinished (${released})`]),
  ].join(' · ')
