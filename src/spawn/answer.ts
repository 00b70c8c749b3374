import * as v from 'valibot'
import { type Ok, ok } from '../kernel/result.ts'
import { strategies } from '../prompt/budget/strategy.ts'
import { explain, explainShape } from './explain.ts'
import type { HandedOut } from './hand-out.ts'
import { reportOf } from './record.ts'

/** The one kind of agent there is; what it is to do stands in its prompt. */
export const subagentType = 'cleo-subagent'

export const reportShape = () => ({
  skills: v.array(
    v.object({ name: v.string(), version: v.string(), strategy: v.picklist(strategies), tokens: v.number() }),
  ),
  counted: v.picklist(['estimate', 'exact']),
  budget: v.array(v.object({ part: v.string(), tokens: v.number(), cut: v.optional(v.string()) })),
  tokenResolution: v.object({
    fullyResolved: v.boolean(),
    resolved: v.number(),
    unresolved: v.array(v.object({ token: v.string(), where: v.string(), why: v.string() })),
    files: v.array(v.object({ path: v.string(), sha256: v.string() })),
  }),
  warnings: v.array(v.string()),
})

const pointerShape = () => ({
  spawnId: v.string(),
  subagent_type: v.string(),
  promptFile: v.string(),
  tokens: v.number(),
  hash: v.string(),
  noChange: v.optional(v.literal(true)),
})

/** Everything; or a pointer, the call of a host's tool, or the prompt alone, as the caller likes. */
export const spawnShape = () =>
  v.union([
    v.object({
      ...pointerShape(),
      taskId: v.string(),
      protocol: v.string(),
      tier: v.number(),
      ...reportShape(),
      explain: v.optional(explainShape()),
      prompt: v.string(),
    }),
    v.object({ ...pointerShape(), warnings: v.optional(v.array(v.string())) }),
    v.object({
      tool: v.literal('Task'),
      description: v.string(),
      subagent_type: v.string(),
      prompt: v.string(),
      skills: v.array(v.string()),
    }),
    v.object({ document: v.string() }),
  ])
export type Answer = v.InferOutput<ReturnType<typeof spawnShape>>

interface Manner {
  ref: boolean
  prompt: boolean
  taskTool: boolean
  explain: boolean
}

export const answerFor = ({ value, warnings }: Ok<HandedOut>, manner: Manner): Ok<Answer> =>
  ok(answer(value, manner), { warnings })

const answer = (out: HandedOut, manner: Manner): Answer => {
  const { prepared, finished, promptFile, same } = out
  const { spawnId, tokens, hash, prompt } = finished
  const { task, protocol, tier } = prepared.facts
  if (manner.prompt) return { document: prompt }
  if (manner.taskTool)
    return {
      tool: 'Task',
      description: `${spawnId} ${protocol}`,
      subagent_type: subagentType,
      prompt: `Read ${promptFile} and follow it exactly.`,
      skills: tier === 0 ? finished.skills.map(({ name }) => name) : [],
    }
  const pointer = {
    spawnId,
    subagent_type: subagentType,
    promptFile,
    tokens,
    hash,
    ...(same && { noChange: true as const }),
  }
  const report = reportOf(prepared, finished)
  if (manner.ref) return { ...pointer, ...(report.warnings.length > 0 && { warnings: report.warnings }) }
  return {
    ...pointer,
    taskId: task.id,
    protocol,
    tier,
    ...report,
    ...(manner.explain && { explain: explain(out) }),
    prompt,
  }
}
