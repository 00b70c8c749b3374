import * as v from 'valibot'
import type { Style } from '../kernel/style.ts'

const listShape = () => v.array(v.string())

/** The answer is short, because an orchestrator reads one for each task. */
export const answerShape = () =>
  v.union([
    v.object({
      taskId: v.string(),
      outcome: v.picklist(['complete', 'partial', 'blocked']),
      unblocked: listShape(),
      /** How many more tasks became ready than `unblocked` lists. */
      more: v.optional(v.number()),
      /** Why the task is blocked. */
      why: v.optional(v.string()),
      /** The task to start next. */
      next: v.optional(v.string()),
      /** Tasks made from the entry's follow-ups. */
      followUps: v.optional(listShape()),
      moreFollowUps: v.optional(v.number()),
    }),
    v.object({ taskId: v.string(), outcome: v.literal('needs'), skill: v.string(), then: v.string() }),
  ])
export type ReceiveAnswer = v.InferOutput<ReturnType<typeof answerShape>>

const mostListed = 4

/** The first few of a list, and how many more there are. */
export const firstFew = (ids: readonly string[]): { few: string[]; more?: number } =>
  ids.length > mostListed
    ? { few: ids.slice(0, mostListed), more: ids.length - mostListed }
    : { few: [...ids] }

export const drawReceive = (answer: ReceiveAnswer, style: Style): string[] => {
  const id = style.cyan(answer.taskId)
  if (answer.outcome === 'needs')
    return [`${style.yellow('…')} ${id} needs ${answer.skill}`, `  then: ${answer.then}`]
  const { outcome, unblocked, more, why, next, followUps, moreFollowUps } = answer
  const named = (ids: readonly string[], rest = 0) =>
    `${ids.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
  const sign = outcome === 'blocked' ? style.red('■') : style.green('✓')
  return [
    `${sign} ${id} ${outcome}${why ? `: ${why}` : ''}`,
    ...(unblocked.length > 0 ? [`  now ready: ${named(unblocked, more)}`] : []),
    ...(followUps ? [`  follow-ups: ${named(followUps, moreFollowUps)}`] : []),
    ...(next ? [`  next: ${style.cyan(next)}`] : []),
  ]
}
