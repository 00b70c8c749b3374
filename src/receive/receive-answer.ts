import * as v from 'valibot'
import type { Style } from '../kernel/style.ts'

const listShape = () => v.array(v.string())

/** The answer is short, because an orchestrator reads one answer per task. */
const oneShape = () =>
  v.union([
    v.object({
      taskId: v.string(),
      outcome: v.picklist(['complete', 'partial', 'blocked']),
      /** The branch into which the work was merged, and the number of the spawn's commits. */
      merge: v.optional(v.object({ into: v.string(), commits: v.number() })),
      /** Tasks that became ready. */
      unblocked: listShape(),
      /** How many tasks became ready besides those in `unblocked`. */
      more: v.optional(v.number()),
      /** Why the task is blocked. */
      why: v.optional(v.string()),
      /** The task to start next. */
      next: v.optional(v.string()),
      /** The command to run next. */
      then: v.optional(v.string()),
      /** Tasks made from the entry's follow-ups. */
      followUps: v.optional(listShape()),
      /** How many tasks were made from follow-ups besides those in `followUps`. */
      moreFollowUps: v.optional(v.number()),
    }),
    v.object({ taskId: v.string(), outcome: v.literal('needs'), skill: v.string(), then: v.string() }),
  ])
export type ReceiveAnswer = v.InferOutput<ReturnType<typeof oneShape>>

/** The answer of `--all`: one line for each spawn that had submitted an entry, including refused spawns. */
const allShape = () =>
  v.object({
    received: v.array(
      v.union([
        oneShape(),
        v.object({
          taskId: v.string(),
          outcome: v.literal('refused'),
          /** The code of the refusal. */
          code: v.string(),
          exit: v.number(),
          /** True if the same call can succeed later. */
          retryable: v.optional(v.boolean()),
          why: v.string(),
          then: v.optional(v.string()),
        }),
      ]),
    ),
  })
export type ReceivedAll = v.InferOutput<ReturnType<typeof allShape>>

export const answerShape = () => v.union([oneShape(), allShape()])

const mostListed = 4

export const firstFew = (ids: readonly string[]): { few: string[]; more?: number } =>
  ids.length > mostListed
    ? { few: ids.slice(0, mostListed), more: ids.length - mostListed }
    : { few: [...ids] }

export const drawReceive = (answer: ReceiveAnswer | ReceivedAll, style: Style): string[] => {
  if (!('received' in answer)) return drawOne(answer, style)
  if (answer.received.length === 0) return [style.dim('No spawn has submitted anything new.')]
  return answer.received.map((line) => {
    if (line.outcome !== 'refused')
      return drawOne(line, style)
        .map((each) => each.trim())
        .join(' · ')
    const then = line.then ? ` · fix: ${line.then}` : ''
    return `${style.red('✗')} ${style.cyan(line.taskId)} refused (${line.exit}): ${line.why}${then}`
  })
}

const drawOne = (answer: ReceiveAnswer, style: Style): string[] => {
  const id = style.cyan(answer.taskId)
  if (answer.outcome === 'needs')
    return [`${style.yellow('…')} ${id} needs ${answer.skill}`, `  then: ${answer.then}`]
  const { outcome, merge, unblocked, more, why, next, then, followUps, moreFollowUps } = answer
  const named = (ids: readonly string[], rest = 0) =>
    `${ids.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
  const sign = outcome === 'blocked' ? style.red('■') : style.green('✓')
  // If only one task became ready and it is the next task, the line `then: cleo spawn …` already names it.
  const isNamed = unblocked.length === 1 && unblocked[0] === next
  return [
    `${sign} ${id} ${outcome}${why ? `: ${why}` : ''}${merge ? ` · merged into ${merge.into} (${merge.commits} ${merge.commits === 1 ? 'commit' : 'commits'})` : ''}`,
    ...(unblocked.length > 0 && !isNamed ? [`  now ready: ${named(unblocked, more)}`] : []),
    ...(followUps ? [`  follow-ups: ${named(followUps, moreFollowUps)}`] : []),
    ...(outcome === 'blocked' ? ['  a person can answer: cleo inbox'] : []),
    ...(then ? [`  then: ${then}`] : []),
  ]
}
