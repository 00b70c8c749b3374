import * as v from 'valibot'
import type { Style } from '../kernel/style.ts'
import type { Answer } from './answer.ts'
import type { HandedOut } from './hand-out.ts'

export const explainShape = () =>
  v.array(
    v.object({
      part: v.string(),
      tokens: v.number(),
      of: v.optional(v.number()),
      how: v.optional(v.string()),
      cut: v.optional(v.string()),
    }),
  )
type Row = v.InferOutput<ReturnType<typeof explainShape>>[number]

/** The budget table: each part, what it may cost, how it was made and what was taken away. */
export const explain = ({ prepared, finished }: HandedOut): Row[] => {
  const { limits, chosen } = prepared
  const row = ({ part, tokens, cut }: (typeof finished.budget)[number]): Row => {
    const at = chosen.skills.findIndex(({ skill }) => part === `skill ${skill.name}`)
    const fitted = finished.skills[at]
    const of =
      at >= 0
        ? limits.skills
        : part === 'task context'
          ? limits.task
          : part === 'protocol'
            ? limits.protocol
            : undefined
    const asked = chosen.skills[at]
    const how =
      fitted &&
      asked &&
      `${fitted.strategy}: ${asked.rule}${fitted.strategy === asked.strategy ? '' : `, then cut from ${asked.strategy}`}`
    return { part, tokens, ...(of && { of }), ...(how && { how }), ...(cut && { cut }) }
  }
  return [
    ...finished.budget.map(row),
    {
      part: 'prompt',
      tokens: finished.tokens,
      of: finished.limit,
      how: finished.counted === 'exact' ? 'counted exactly' : 'estimated',
    },
    { part: 'left to work in', tokens: limits.total - finished.tokens, of: limits.total },
  ]
}

export const drawSpawn = (data: Answer, style: Style): string[] => {
  if ('document' in data) return [data.document]
  if ('tool' in data) return [`${data.tool} ${data.subagent_type}`, data.prompt]
  const { spawnId, tokens, promptFile, noChange } = data
  const about =
    'protocol' in data
      ? [
          `${data.protocol}, tier ${data.tier}, ${data.skills.map(({ name, strategy }) => `${name} (${strategy})`).join(', ')}`,
        ]
      : []
  return [
    [
      style.cyan(spawnId),
      ...about,
      style.dim(`${tokens} tokens`),
      ...(noChange ? [style.dim('as before')] : []),
    ].join('  '),
    `  ${promptFile}`,
    ...('explain' in data && data.explain ? drawTable(data.explain, style) : []),
    ...(data.warnings ?? []).map((warning) => `  ${style.yellow('warning')}: ${warning}`),
  ]
}

const drawTable = (rows: readonly Row[], style: Style): string[] =>
  style.table(
    rows.map(({ part, tokens, of, how, cut }) => [
      `  ${part}`,
      String(tokens),
      of === undefined ? '' : style.dim(`of ${of}`),
      [how, cut && `cut: ${cut}`].filter(Boolean).join('; '),
    ]),
    3,
  )

export const documentOf = (data: Answer): string | undefined =>
  'document' in data ? data.document : undefined
