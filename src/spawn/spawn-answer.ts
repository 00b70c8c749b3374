import * as v from 'valibot'
import { type Ok, ok } from '../kernel/result.ts'
import type { Style } from '../kernel/style.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import { shellQuote } from '../print/shell-quote.ts'
import { strategies } from '../prompt/budget/strategy.ts'
import { promptReport } from './record-spawn.ts'
import type { SpawnedTask } from './spawn-task.ts'

/** The agent type of every spawn. What the agent has to do is in the prompt. */
export const subagentType = 'cleo-subagent'

export const reportShape = () => ({
  /** Why this protocol was chosen. Spawns of earlier versions recorded no reason. */
  reason: v.optional(v.string()),
  /** The skills in the prompt, how much of each is included, and the length of that text in model tokens. */
  skills: v.array(
    v.object({ name: v.string(), version: v.string(), strategy: v.picklist(strategies), tokens: v.number() }),
  ),
  /** Whether the model tokens are estimated or counted exactly. */
  counted: v.picklist(['estimate', 'exact']),
  /** The length of each part of the prompt in model tokens, and what was cut. */
  budget: v.array(v.object({ part: v.string(), tokens: v.number(), cut: v.optional(v.string()) })),
  /** How many template tokens were filled in, which tokens were not filled in, and which files were included. */
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
  protocol: v.string(),
  /** Why this protocol was chosen. */
  reason: v.string(),
  /** The agent type to start in the client. */
  subagent_type: v.string(),
  /** The file with the prompt. */
  promptFile: v.string(),
  /** The prompt's length in model tokens. */
  tokens: v.number(),
  /** With `--ref`, only the first characters of the hash. */
  hash: v.string(),
  /** Skills that the caller might want to choose with `--skills`. */
  suggestedSkills: v.optional(v.array(v.string())),
  noChange: v.optional(v.literal(true)),
})

/** One shape for each output flag, in this order: no flag (everything), `--ref`, `--task-tool`, `--prompt`. */
export const spawnShape = () =>
  v.union([
    v.object({
      ...pointerShape(),
      taskId: v.string(),
      /** How the prompt includes protocol and skills: 0 by path, 1 in full, 2 with their references. */
      tier: v.number(),
      ...reportShape(),
      reason: v.string(),
      /**
       * With `--explain`: for each part its length and limit in model tokens, why it was chosen, and what was cut.
       */
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
export type SpawnAnswer = v.InferOutput<ReturnType<typeof spawnShape>>

interface OutputMode {
  ref: boolean
  prompt: boolean
  taskTool: boolean
  explain: boolean
}

export const answerFor = ({ value, warnings }: Ok<SpawnedTask>, mode: OutputMode): Ok<SpawnAnswer> =>
  ok(answer(value, mode), { warnings })

const shortHash = 12

const answer = (spawned: SpawnedTask, mode: OutputMode): SpawnAnswer => {
  const { loaded, promptFile, same, notes } = spawned
  const { spawnId, tokens, hash, prompt } = spawned.prompt
  const { task, protocol, tier, inAgentFile } = loaded.facts
  if (mode.prompt) return { document: prompt }
  if (mode.taskTool)
    return {
      tool: 'Task',
      description: `${spawnId} ${protocol}`,
      subagent_type: subagentType,
      prompt: `Read ${promptFile} and follow it exactly.`,
      // Name only the skill that the client loads from the agent file. All other skills are in the prompt or in its
      // companion file.
      skills: inAgentFile ? [inAgentFile.skill] : [],
    }
  const pointer = {
    spawnId,
    protocol,
    reason: loaded.reason,
    subagent_type: subagentType,
    promptFile,
    tokens,
    hash: mode.ref ? hash.slice(0, shortHash) : hash,
    ...(loaded.suggested.length > 0 && { suggestedSkills: loaded.suggested }),
    ...(same && { noChange: true as const }),
  }
  const report = promptReport(loaded, spawned.prompt, notes)
  if (mode.ref) return { ...pointer, ...(report.warnings.length > 0 && { warnings: report.warnings }) }
  return {
    ...pointer,
    taskId: task.id,
    tier,
    ...report,
    ...(mode.explain && { explain: explain(spawned) }),
    prompt,
  }
}

const explainShape = () =>
  v.array(
    v.object({
      part: v.string(),
      tokens: v.number(),
      of: v.optional(v.number()),
      how: v.optional(v.string()),
      cut: v.optional(v.string()),
    }),
  )
type BudgetRow = v.InferOutput<ReturnType<typeof explainShape>>[number]

const explain = ({ loaded, prompt }: SpawnedTask): BudgetRow[] => {
  const { limits, texts } = loaded
  const row = ({ part, tokens, cut }: (typeof prompt.budget)[number]): BudgetRow => {
    const at = texts.skills.findIndex(({ skill }) => part === `skill ${skill.name}`)
    const fitted = prompt.skills[at]
    const of =
      at >= 0
        ? limits.skills
        : part === 'task context'
          ? limits.task
          : part === 'protocol'
            ? limits.protocol
            : undefined
    const chosen = texts.skills[at]
    const how =
      fitted &&
      chosen &&
      `${fitted.strategy}: ${chosen.rule}${fitted.strategy === chosen.strategy ? '' : `, then cut from ${chosen.strategy}`}`
    return { part, tokens, ...(of && { of }), ...(how && { how }), ...(cut && { cut }) }
  }
  return [
    ...prompt.budget.map(row),
    {
      part: 'prompt',
      tokens: prompt.tokens,
      of: prompt.limit,
      how: prompt.counted === 'exact' ? 'counted exactly' : 'estimated',
    },
    { part: 'left for the work', tokens: limits.total - prompt.tokens, of: limits.total },
  ]
}

export const drawSpawn = (data: SpawnAnswer, style: Style): string[] => {
  if ('document' in data) return [data.document]
  if ('tool' in data) return [`${data.tool} ${data.subagent_type}`, data.prompt]
  const { spawnId, protocol, reason, tokens, promptFile, suggestedSkills, noChange } = data
  const { task } = parseSpawnId(spawnId)!
  const about =
    'tier' in data
      ? [`tier ${data.tier}`, ...data.skills.map(({ name, strategy }) => `${name} (${strategy})`)].join(', ')
      : undefined
  return [
    [
      style.cyan(spawnId),
      `${protocol} ${style.dim(`(by ${reason})`)}`,
      ...(about ? [about] : []),
      style.dim(`${grouped(tokens)} tokens`),
      ...(noChange ? [style.dim('unchanged')] : []),
    ].join('  '),
    ...('tier' in data
      ? [`  prompt: ${promptFile}`]
      : [
          `  tell an agent: Read ${promptFile} and follow it exactly.`,
          `  then: cleo receive ${task} --message "<its last line>"`,
        ]),
    ...(suggestedSkills
      ? [`  maybe:  cleo spawn ${task} --skills ${shellQuote(suggestedSkills.join(','))} --ref`]
      : []),
    ...('explain' in data && data.explain ? drawTable(data.explain, style) : []),
    ...(data.warnings ?? []).map((warning) => `  ${style.yellow('warning')}: ${warning}`),
  ]
}

/** Formats 1874 as `1,874`. `toLocaleString` would load the data of all languages. */
const grouped = (n: number): string =>
  n < 1000 ? String(n) : `${grouped(Math.floor(n / 1000))},${String(n % 1000).padStart(3, '0')}`

const drawTable = (rows: readonly BudgetRow[], style: Style): string[] =>
  style.table(
    rows.map(({ part, tokens, of, how, cut }) => [
      `  ${part}`,
      String(tokens),
      of === undefined ? '' : style.dim(`of ${of}`),
      [how, cut && `cut: ${cut}`].filter(Boolean).join('; '),
    ]),
    3,
  )

export const documentOf = (data: SpawnAnswer): string | undefined =>
  'document' in data ? data.document : undefined
