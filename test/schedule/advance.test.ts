import { expect, test } from 'vitest'
import { advance } from '../../src/schedule/advance.ts'
import {
  newRunState,
  type RunEvent,
  type RunSettings,
  type RunState,
  type Step,
} from '../../src/schedule/run-state.ts'

type Untimed<E> = E extends RunEvent ? Omit<E, 'at'> : never

/** Returns functions that play events one after the other. `hear` returns the steps that follow. */
const played = (settings: Partial<RunSettings> = {}) => {
  let state: RunState = newRunState({ parallel: 2, mostAttempts: 3, breaker: 5, ...settings }, 7)
  let at = 0
  const hear = (event: Untimed<RunEvent>, later = 1): Step[] => {
    at += later
    const next = advance(state, { ...event, at } as RunEvent)
    state = next.state
    return next.steps
  }
  return { hear, state: () => state, at: () => at }
}

const refusal = (code: string, retryable = false) => ({ code, retryable, message: code })
const kinds = (steps: readonly Step[]) => steps.map(({ kind }) => kind)

/** Plays the events of a task until its agent works. */
const working = ({ hear }: ReturnType<typeof played>, task: string, spawn = `${task}.1`): void => {
  hear({ kind: 'looked', ready: [task] })
  hear({ kind: 'spawned', task, spawn })
  hear({ kind: 'started', task, spawn })
}

test('[RUN-1] starts ready tasks in the given order, at most as many as the settings say', () => {
  const run = played()
  expect(run.hear({ kind: 'began', outs: [] })).toEqual([{ kind: 'look', limit: 2 }])
  const steps = run.hear({ kind: 'looked', ready: ['T3', 'T1', 'T2'] })
  expect(steps).toEqual([
    { kind: 'spawn', task: 'T3', continued: false },
    { kind: 'spawn', task: 'T1', continued: false },
  ])
})

const endOfT1 = { kind: 'ended', task: 'T1', spawn: 'T1.1', ending: 'ended', submitted: true } as const

test('[RUN-1] looks again as soon as a slot is free, while the work is still being received', () => {
  const run = played({ parallel: 1 })
  run.hear({ kind: 'began', outs: [] })
  run.hear({ kind: 'looked', ready: ['T1', 'T2'] })
  run.hear({ kind: 'spawned', task: 'T1', spawn: 'T1.1' })
  run.hear({ kind: 'started', task: 'T1', spawn: 'T1.1' })
  expect(kinds(run.hear(endOfT1))).toEqual(['receive', 'look'])
})

test('[RUN-1] looks again after a change of the store, but not if no other task was ready and nothing changed', () => {
  for (const changes of [false, true]) {
    const run = played({ parallel: 1 })
    run.hear({ kind: 'began', outs: [] })
    working(run, 'T1')
    if (changes) run.hear({ kind: 'changed' })
    expect(kinds(run.hear(endOfT1))).toEqual(changes ? ['receive', 'look'] : ['receive'])
    const received = run.hear({ kind: 'received', task: 'T1', outcome: 'complete' })
    expect(kinds(received)).toEqual(changes ? [] : ['look'])
  }
})

test('[RUN-3] waits 2, 4 and 8 seconds for what is only busy, then asks a person', () => {
  const run = played({ parallel: 1 })
  run.hear({ kind: 'began', outs: [] })
  run.hear({ kind: 'looked', ready: ['T1'] })
  for (const seconds of [2, 4, 8]) {
    const refused = {
      kind: 'refused',
      task: 'T1',
      during: 'spawn',
      refusal: refusal('store.busy', true),
    } as const
    const wait = run.hear(refused).find((step) => step.kind === 'wait')!
    const ms = (wait as { until: number }).until - run.at()
    expect(ms).toBeGreaterThanOrEqual(seconds * 1000)
    expect(ms).toBeLessThan(seconds * 1250)
    expect(kinds(run.hear({ kind: 'tick' }, ms))).toContain('spawn')
  }
  const last = run.hear({
    kind: 'refused',
    task: 'T1',
    during: 'spawn',
    refusal: refusal('store.busy', true),
  })
  expect(kinds(last)).toContain('ask')
})

test('[RUN-3] five failed attempts in a row stop the run', () => {
  const run = played({ parallel: 1, mostAttempts: 2 })
  run.hear({ kind: 'began', outs: [] })
  const fail = (task: string, attempt: number) => {
    if (attempt === 1) run.hear({ kind: 'looked', ready: [task] })
    run.hear({ kind: 'spawned', task, spawn: `${task}.${attempt}` })
    run.hear({ kind: 'started', task, spawn: `${task}.${attempt}` })
    run.hear({ kind: 'ended', task, spawn: `${task}.${attempt}`, ending: 'ended', submitted: false })
    const steps = run.hear({ kind: 'refused', task, during: 'receive', refusal: refusal('manifest.missing') })
    if (attempt === 2) run.hear({ kind: 'asked', task })
    return steps
  }
  for (const task of ['T1', 'T2']) for (const attempt of [1, 2]) fail(task, attempt)
  expect(run.state().stopping).toBeUndefined()
  fail('T3', 1)
  expect(run.state()).toMatchObject({ stopping: 'drain', why: '5 attempts failed in a row' })
})

test('[RUN-3] a conflict starts from the merged work; other refused work goes on from its own commits', () => {
  for (const [code, continued] of [
    ['merge.conflict', false],
    ['merge.red', false],
    ['gate.unmet', true],
  ] as const) {
    const run = played({ parallel: 1 })
    run.hear({ kind: 'began', outs: [] })
    working(run, 'T1')
    run.hear({ kind: 'ended', task: 'T1', spawn: 'T1.1', ending: 'ended', submitted: true })
    const steps = run.hear({ kind: 'refused', task: 'T1', during: 'receive', refusal: refusal(code) })
    expect(steps, code).toContainEqual({ kind: 'spawn', task: 'T1', continued })
  }
})

test('[RUN-3] refused work goes back to the same agent once, if its session can be continued', () => {
  const run = played({ parallel: 1 })
  run.hear({ kind: 'began', outs: [] })
  working(run, 'T1')
  const refused = () => {
    run.hear({ kind: 'ended', task: 'T1', spawn: 'T1.1', ending: 'ended', submitted: true })
    const why = { ...refusal('gate.unmet'), canContinue: true }
    return run.hear({ kind: 'refused', task: 'T1', during: 'receive', refusal: why })
  }
  expect(refused()).toContainEqual({ kind: 'start', task: 'T1', spawn: 'T1.1' })
  run.hear({ kind: 'started', task: 'T1', spawn: 'T1.1' })
  expect(refused()).toContainEqual({ kind: 'spawn', task: 'T1', continued: true })
})

test('[RUN-2] the first request to stop lets agents finish, the second ends them', () => {
  const run = played({ parallel: 1 })
  run.hear({ kind: 'began', outs: [] })
  working(run, 'T1')
  expect(kinds(run.hear({ kind: 'drain', why: 'a person' }))).toEqual([])
  expect(run.hear({ kind: 'stop', why: 'a person' })).toContainEqual({
    ...{ kind: 'end', task: 'T1', spawn: 'T1.1', why: 'a person' },
  })
  const ended = run.hear({
    kind: 'ended',
    task: 'T1',
    spawn: 'T1.1',
    ending: 'ended by us',
    submitted: false,
  })
  expect(ended, 'its spawn stays for a resume').toEqual([
    { kind: 'finish', state: 'stopped', why: 'a person' },
  ])
})

test('[RUN-3] a task that a person stops while it is spawned waits for that person', () => {
  const run = played({ parallel: 1 })
  run.hear({ kind: 'began', outs: [] })
  run.hear({ kind: 'looked', ready: ['T1'] })
  run.hear({ kind: 'taken', task: 'T1', by: 'stopped' })
  expect(run.hear({ kind: 'spawned', task: 'T1', spawn: 'T1.1' })).toContainEqual(
    expect.objectContaining({ kind: 'ask', task: 'T1' }),
  )
})

test('[RUN-2] a resume starts what was not started, receives what was submitted and follows what runs', () => {
  const run = played({ parallel: 5 })
  const out = (task: string, more: object) => ({
    ...{ task, spawn: `${task}.1`, submitted: false, refused: false, state: 'ended' as const },
    ...more,
  })
  const steps = run.hear({
    kind: 'began',
    outs: [
      out('T1', { state: 'unstarted' }),
      out('T2', { submitted: true }),
      out('T3', { state: 'running' }),
      out('T4', { refused: true }),
      out('T5', { ending: 'quota' }),
      out('T6', { refused: true, canContinue: true }),
    ],
  })
  expect(steps).toEqual([
    { kind: 'start', task: 'T1', spawn: 'T1.1' },
    { kind: 'receive', task: 'T2', spawn: 'T2.1' },
    { kind: 'spawn', task: 'T4', continued: true },
    { kind: 'start', task: 'T5', spawn: 'T5.1' },
    { kind: 'start', task: 'T6', spawn: 'T6.1' },
  ])
})
