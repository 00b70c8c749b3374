import type { Next, Refusal, RunState, Step, Tally, Work } from './run-state.ts'

/** A run's state while one event is applied to it. */
export interface Draft extends Omit<RunState, 'works' | 'tallies' | 'waiting'> {
  works: Map<string, Work>
  tallies: Map<string, Tally>
  waiting: Set<string>
  at: number
  steps: Step[]
}

/** Milliseconds to wait before a step is tried again: after the first, second and third try. */
const backoff = [2000, 4000, 8000] as const

export const failed = (draft: Draft, work: Work, why: string, next: Next): void => {
  const { mostAttempts, breaker } = draft.settings
  const tally = tallyOf(draft, work.task)
  const attempt = tally.attempts + 1
  draft.tallies.set(work.task, { attempts: attempt, restarts: 0, stale: 0 })
  draft.steps.push({ kind: 'failed', task: work.task, spawn: work.spawn, why, attempt })
  if (attempt >= mostAttempts) ask(draft, work, `${attempt} attempts failed, the last one: ${why}`)
  else queue(draft, { ...work, tries: 0 }, next)
  if (draft.failuresInRow >= breaker) drain(draft, `${draft.failuresInRow} attempts failed in a row`)
}

export const end = (draft: Draft, work: Work, why: string): void => {
  if (work.isEnding) return
  draft.works.set(work.task, { ...work, isEnding: true })
  draft.steps.push({ kind: 'end', task: work.task, spawn: work.spawn!, why })
}

export const ask = (draft: Draft, work: Work, reason: string): void => {
  draft.works.set(work.task, { ...work, phase: 'asking' })
  draft.steps.push({ kind: 'ask', task: work.task, reason })
}

export const drop = (draft: Draft, task: string): void => {
  draft.works.delete(task)
  draft.wantsLook = true
}

export const queue = (draft: Draft, work: Work, next: Next): void => {
  if (draft.stopping && next !== 'receive') return drop(draft, work.task)
  const { until: _, ...rest } = work
  draft.works.set(work.task, { ...rest, phase: 'queued', next })
}

export const waitAndTry = (draft: Draft, work: Work, next: Next, refusal?: Refusal): void => {
  const wait = backoff[work.tries]
  if (wait === undefined) {
    if (refusal) return ask(draft, work, refusal.message)
    return queue(draft, { ...work, tries: 0 }, next)
  }
  draft.jitter = (draft.jitter * 16807) % 2147483647
  const until = draft.at + wait + (draft.jitter % (wait / 4))
  if (draft.stopping && next !== 'receive') return drop(draft, work.task)
  draft.works.set(work.task, { ...work, phase: 'queued', next, until, tries: work.tries + 1 })
}

export const tallyOf = (draft: Draft, task: string): Tally =>
  draft.tallies.get(task) ?? { attempts: 0, restarts: 0, stale: 0 }

export const freeSlots = ({ works, settings }: Draft): number => {
  let used = 0
  for (const { phase } of works.values())
    if (phase === 'spawning' || phase === 'starting' || phase === 'running') used++
  return settings.parallel - used
}

/**
 * Stops the run from starting more agents. Running agents can finish, and all submitted work is received. Tasks that
 * wait to be received stay in the queue. All other queued tasks are dropped here, but the store keeps them for a
 * resume.
 */
export const drain = (draft: Draft, why: string): void => {
  draft.stopping ??= 'drain'
  draft.why ??= why
  for (const work of [...draft.works.values()])
    if (work.phase === 'queued' && work.next !== 'receive') drop(draft, work.task)
}
