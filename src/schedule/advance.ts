import { afterRefusedReceive, afterRefusedSpawn } from './refusal-reactions.ts'
import { ask, type Draft, drain, drop, end, failed, freeSlots, queue, tallyOf, waitAndTry } from './retry.ts'
import type { OutWork, Refusal, RunEvent, RunState, Step, Work, WorkEnding } from './run-state.ts'

type EventOf<K extends RunEvent['kind']> = Extract<RunEvent, { kind: K }>

/** Milliseconds for which the run leaves a task alone if another actor has it. */
const takenFor = 30_000
/** If an agent ends for a reason outside its work, it is started again for the same spawn at most this many times. */
const mostRestarts = 3
const mostStale = 3

/**
 * Applies one event and returns the steps to carry out. Uses no clock, randomness or store: events contain the time.
 * So the same events always give the same steps, and tests can simulate a whole run in memory.
 */
export const advance = (state: RunState, event: RunEvent): { state: RunState; steps: Step[] } => {
  if (state.isOver) return { state, steps: [] }
  const draft: Draft = {
    ...state,
    works: new Map(state.works),
    tallies: new Map(state.tallies),
    waiting: new Set(state.waiting),
    at: event.at,
    steps: [],
  }
  apply(draft, event)
  settle(draft)
  const { at: _, steps, ...next } = draft
  return { state: next, steps }
}

const apply = (draft: Draft, event: RunEvent): void => {
  switch (event.kind) {
    case 'began':
      for (const out of event.outs) takeUp(draft, out)
      draft.wantsLook = true
      return
    case 'looked':
      return looked(draft, event)
    case 'spawned':
      return spawned(draft, event)
    case 'refused':
      return refused(draft, event)
    case 'started':
      return started(draft, event)
    case 'noted':
      return noted(draft, event)
    case 'ended':
      return ended(draft, event)
    case 'received':
      return received(draft, event)
    case 'asked':
      draft.waiting.add(event.task)
      return drop(draft, event.task)
    case 'taken':
      return taken(draft, event)
    case 'answered':
      draft.waiting.delete(event.task)
      draft.tallies.delete(event.task)
      draft.wantsLook = true
      return
    case 'changed':
      draft.wantsLook = true
      return
    case 'tick':
      return
    case 'drain':
      return drain(draft, event.why)
    case 'stop':
      return stop(draft, event.why)
  }
}

/** Continues with a task that already had a spawn when the run was resumed. Does not repeat finished steps. */
const takeUp = (draft: Draft, out: OutWork): void => {
  const { task, spawn, state, submitted, refused, canContinue, ending } = out
  const work: Work = { task, spawn, phase: 'running', tries: 0 }
  draft.works.set(task, work)
  if (state === 'running') return
  if (refused) return queue(draft, work, afterRefusal(draft, task, canContinue))
  if (state === 'unstarted') return queue(draft, work, 'start')
  // If the agent ended for a reason that concerns all agents, such as a used-up quota, treat the agent as lost and
  // start it again. The reason might be gone by now.
  afterEnd(draft, work, ending === undefined || isFleetEnding(ending) ? 'lost' : ending, submitted)
}

const looked = (draft: Draft, { ready }: EventOf<'looked'>): void => {
  draft.isLooking = false
  if (draft.stopping) return
  const found = ready.filter((task) => !draft.works.has(task) && !draft.waiting.has(task))
  const free = Math.max(0, freeSlots(draft))
  for (const task of found.slice(0, free)) begin(draft, { task, phase: 'queued', tries: 0, next: 'spawn' })
  // If more tasks are ready than may start now, look again when an agent ends. Otherwise wait for a change of the
  // store, because only such a change can make another task ready.
  draft.wantsLook ||= found.length > free
}

const spawned = (draft: Draft, { task, spawn }: EventOf<'spawned'>): void => {
  const work = draft.works.get(task)
  if (work?.phase !== 'spawning') return
  if (work.given === 'stopped' && !draft.stopping)
    return ask(draft, { ...work, spawn }, 'a person stopped its agent')
  // If the run stops, or the task was taken away, start no agent. A resumed run can start an agent for this spawn.
  if (draft.stopping || work.given) return drop(draft, task)
  queue(draft, { ...work, spawn, tries: 0 }, 'start')
}

const refused = (draft: Draft, { task, during, refusal }: EventOf<'refused'>): void => {
  const work = draft.works.get(task)
  if (!work) return
  if (during === 'ask') {
    draft.waiting.add(task)
    return drop(draft, task)
  }
  if (refusal.retryable && refusal.code !== 'task.changed')
    return waitAndTry(draft, work, during === 'spawn' ? 'spawn' : 'receive', refusal)
  if (during === 'spawn') refusedSpawn(draft, work, refusal)
  else refusedReceive(draft, work, refusal)
}

const refusedSpawn = (draft: Draft, work: Work, refusal: Refusal): void => {
  const { task } = work
  const reaction = afterRefusedSpawn(refusal.code)
  if (reaction === 'person') return ask(draft, work, refusal.message)
  drop(draft, task)
  if (reaction === 'fleet') return drain(draft, refusal.message)
  if (reaction === 'taken') {
    draft.works.set(task, { task, phase: 'queued', next: 'forget', until: draft.at + takenFor, tries: 0 })
    return
  }
  const tally = tallyOf(draft, task)
  draft.tallies.set(task, { ...tally, stale: tally.stale + 1 })
  if (tally.stale + 1 >= mostStale) ask(draft, work, refusal.message)
}

const refusedReceive = (draft: Draft, work: Work, refusal: Refusal): void => {
  const reaction = afterRefusedReceive(refusal.code)
  if (reaction === 'gone') return drop(draft, work.task)
  if (reaction === 'person') return ask(draft, work, refusal.message)
  if (reaction === 'fleet') {
    drop(draft, work.task)
    return drain(draft, refusal.message)
  }
  if (reaction === 'again') draft.failuresInRow++
  const next = reaction === 'merged back' ? 'spawn' : afterRefusal(draft, work.task, refusal.canContinue, 1)
  failed(draft, work, refusal.message, next)
}

/**
 * Chooses how to try refused work again. `start`: the same agent, which knows the work, continues in its own
 * session. `continue`: a new agent starts from the last commits. A new agent is chosen if the session cannot be
 * continued, or if the agent was refused twice and so might have misunderstood the task.
 */
const afterRefusal = (
  draft: Draft,
  task: string,
  canContinue: boolean | undefined,
  more = 0,
): 'start' | 'continue' => (canContinue && tallyOf(draft, task).attempts + more <= 1 ? 'start' : 'continue')

const started = (draft: Draft, { task, spawn }: EventOf<'started'>): void => {
  const work = draft.works.get(task)
  if (work?.phase !== 'starting' || work.spawn !== spawn) return
  draft.works.set(task, { ...work, phase: 'running' })
  if (draft.stopping === 'now' || work.given)
    end(draft, draft.works.get(task)!, draft.why ?? 'the task was taken away')
}

const noted = (draft: Draft, { spawn, usage }: EventOf<'noted'>): void => {
  // Copy the map only here and not for every event, because it has one item for each spawn of the run.
  draft.usage = new Map(draft.usage).set(spawn, usage)
  const { maxTokens, maxCost } = draft.settings
  if (draft.stopping || (maxTokens === undefined && maxCost === undefined)) return
  let tokens = 0
  let cost = 0
  for (const each of draft.usage.values()) {
    tokens += each.tokens
    cost += each.cost
  }
  if (maxTokens !== undefined && tokens >= maxTokens)
    drain(draft, `the budget of ${maxTokens} tokens is used up`)
  else if (maxCost !== undefined && cost >= maxCost) drain(draft, `the budget of $${maxCost} is used up`)
}

const ended = (draft: Draft, { task, spawn, ending, submitted }: EventOf<'ended'>): void => {
  const work = draft.works.get(task)
  if (!work || work.spawn !== spawn || (work.phase !== 'running' && work.phase !== 'starting')) return
  const { isEnding: _, ...rest } = work
  afterEnd(draft, rest, ending, submitted)
}

const afterEnd = (draft: Draft, work: Work, ending: WorkEnding, submitted: boolean): void => {
  if (work.given === 'taken') return drop(draft, work.task)
  if (submitted) return queue(draft, work, 'receive')
  if (work.given === 'stopped') return ask(draft, work, 'a person stopped its agent')
  if (isFleetEnding(ending)) {
    drop(draft, work.task)
    return drain(draft, fleetReasons[ending])
  }
  // These endings do not count as failed attempts, because they say nothing about the work. Restart the same spawn.
  if (ending === 'not started' || ending === 'lost' || ending === 'ended by us')
    return restart(draft, work, ending)
  queue(draft, work, 'receive')
}

const fleetReasons = {
  quota: 'the quota of the agent is used up',
  'not logged in': 'the agent is not logged in',
  'not found': 'the program of the agent was not found',
} as const

const isFleetEnding = (ending: WorkEnding): ending is keyof typeof fleetReasons => ending in fleetReasons

const restart = (draft: Draft, work: Work, ending: WorkEnding): void => {
  if (draft.stopping) return drop(draft, work.task)
  const tally = tallyOf(draft, work.task)
  if (tally.restarts >= mostRestarts) {
    if (ending !== 'not started') return queue(draft, work, 'receive')
    drop(draft, work.task)
    return drain(draft, 'agents could not be started')
  }
  draft.tallies.set(work.task, { ...tally, restarts: tally.restarts + 1 })
  if (ending === 'not started') return waitAndTry(draft, work, 'start')
  queue(draft, work, 'start')
}

const received = (draft: Draft, { task, outcome }: EventOf<'received'>): void => {
  const work = draft.works.get(task)
  if (work?.phase !== 'receiving') return
  if (outcome === 'needs') return failed(draft, work, 'it asked for a skill', 'continue')
  if (outcome === 'blocked') draft.waiting.add(task)
  else draft.failuresInRow = 0
  draft.tallies.delete(task)
  drop(draft, task)
}

const taken = (draft: Draft, { task, by }: EventOf<'taken'>): void => {
  const work = draft.works.get(task)
  if (!work || work.given) return
  if (work.phase === 'queued') {
    if (by === 'taken') return drop(draft, task)
    return ask(draft, work, 'a person stopped it')
  }
  draft.works.set(task, { ...work, given: by })
  if (work.phase === 'running')
    end(
      draft,
      draft.works.get(task)!,
      by === 'taken' ? 'the task was closed or taken away' : 'a person stopped it',
    )
}

const stop = (draft: Draft, why: string): void => {
  drain(draft, why)
  draft.stopping = 'now'
  for (const work of [...draft.works.values()]) if (work.phase === 'running') end(draft, work, why)
}

/**
 * Runs after each event. Starts queued steps, looks for more tasks if another agent may start, and finishes the run
 * when nothing is left.
 */
const settle = (draft: Draft): void => {
  let wake: number | undefined
  for (const work of [...draft.works.values()]) {
    if (work.phase !== 'queued') continue
    if (work.until !== undefined && work.until > draft.at) {
      if (wake === undefined || work.until < wake) wake = work.until
    } else begin(draft, work)
  }
  if (!draft.stopping && draft.wantsLook && !draft.isLooking && freeSlots(draft) > 0) {
    draft.wantsLook = false
    draft.isLooking = true
    draft.steps.push({ kind: 'look', limit: draft.works.size + draft.waiting.size + draft.settings.parallel })
  }
  if (wake !== undefined) draft.steps.push({ kind: 'wait', until: wake })
  if (draft.works.size > 0 || draft.isLooking) return
  draft.isOver = true
  const state = draft.stopping ? 'stopped' : 'finished'
  draft.steps.push({ kind: 'finish', state, ...(draft.why !== undefined && { why: draft.why }) })
}

/** Receiving work does not count towards `parallel`, so a merge never delays an agent. */
const begin = (draft: Draft, { next, until: _, ...work }: Work): void => {
  const { task, spawn } = work
  if (next === 'forget') return drop(draft, task)
  if (next === 'receive') {
    draft.works.set(task, { ...work, phase: 'receiving' })
    draft.steps.push({ kind: 'receive', task, spawn: spawn! })
  } else if (freeSlots(draft) <= 0) draft.works.set(task, { ...work, next, phase: 'queued' })
  else if (next === 'start') {
    draft.works.set(task, { ...work, phase: 'starting' })
    draft.steps.push({ kind: 'start', task, spawn: spawn! })
  } else {
    draft.works.set(task, { ...work, phase: 'spawning' })
    draft.steps.push({ kind: 'spawn', task, continued: next === 'continue' })
  }
}
