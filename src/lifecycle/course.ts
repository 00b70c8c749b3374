import { type Stage, stages } from '../kernel/task.ts'

/** The stages an epic goes through, in order; contribution goes with any of them. */
export const order: readonly Stage[] = stages.filter((stage) => stage !== 'contribution')

const skippable: readonly Stage[] = ['consensus', 'architecture-decision', 'release']
export const maySkip = (stage: Stage): boolean => skippable.includes(stage)

/** What must be done, or skipped where that is allowed, before a stage can begin. */
const needs: Readonly<Partial<Record<Stage, readonly Stage[]>>> = {
  consensus: ['research'],
  'architecture-decision': ['research', 'consensus'],
  specification: ['research'],
  decomposition: ['specification'],
  implementation: ['decomposition'],
  validation: ['implementation'],
  testing: ['implementation', 'validation'],
  release: ['testing'],
}

/** Testing may send the work back so often before a person is asked. */
export const mostLoops = 5

export interface Move {
  move: 'advance' | 'skip' | 'back'
  from_stage: Stage
  /** None: past the last one. */
  to_stage: Stage | null
  reason: string | null
}

export const stageStates = ['done', 'skipped', 'current', 'ahead'] as const

export interface StageState {
  stage: Stage
  state: (typeof stageStates)[number]
  /** Why it was skipped, or left with nothing done. */
  reason?: string
}

export interface Course {
  current: Stage
  /** The last stage is behind it. */
  over: boolean
  /** How often it went back from testing. */
  loops: number
  stages: StageState[]
}

/**
 * Where an epic stands, from the moves it made and the stage it has. A stage that was set by hand, and not by a move, counts as
 * told: what lies before it is not asked for.
 */
export const courseOf = (moves: readonly Move[], stage: Stage | null): Course => {
  const known = new Map<Stage, StageState>()
  let current = moves[0]?.from_stage ?? stage ?? order[0]!
  let over = false
  let loops = 0
  const arrive = (to: Stage) => {
    if (current === 'testing' && !over && indexOf(to) < indexOf(current)) loops++
    for (const later of order.slice(indexOf(to))) known.delete(later)
    current = to
    over = false
  }
  const tell = (to: Stage, reason: string) => {
    arrive(to)
    for (const before of order.slice(0, indexOf(to)))
      if (!known.has(before)) known.set(before, { stage: before, state: 'skipped', reason })
  }
  tell(current, `it began at ${current}`)
  for (const { move, from_stage, to_stage, reason } of moves) {
    if (from_stage !== current) tell(from_stage, `it was put at ${from_stage}`)
    if (to_stage !== null) arrive(to_stage)
    else over = true
    const state = move === 'skip' ? 'skipped' : 'done'
    if (move !== 'back') known.set(from_stage, { stage: from_stage, state, ...(reason && { reason }) })
  }
  if (stage && stage !== current) tell(stage, `it was put at ${stage}`)
  const stateOf = (each: Stage): StageState =>
    each === current && !over
      ? { stage: each, state: 'current' }
      : (known.get(each) ?? { stage: each, state: 'ahead' })
  return { current, over, loops, stages: order.map(stateOf) }
}

/** Contribution has no place among the others: whoever is there has them all behind. */
const indexOf = (stage: Stage): number => {
  const at = order.indexOf(stage)
  return at < 0 ? order.length : at
}

export type Route =
  | { kind: 'same' }
  | { kind: 'back' }
  /** `skips` are passed over with a reason, `missing` cannot be. */
  | { kind: 'forward'; skips: Stage[]; missing: Stage[] }

/** What lies between where an epic is and where it is to go. */
export const routeTo = ({ current, over, stages }: Course, to: Stage): Route => {
  if (to === current && !over) return { kind: 'same' }
  if (over || indexOf(to) < indexOf(current)) return { kind: 'back' }
  const passed = new Set<Stage>([current])
  for (const { stage, state } of stages) if (state === 'done' || state === 'skipped') passed.add(stage)
  const between = order.slice(indexOf(current) + 1, indexOf(to)).filter((stage) => !passed.has(stage))
  const needed = new Set<Stage>()
  const need = (stage: Stage) => {
    for (const each of needs[stage] ?? []) {
      if (passed.has(each) || needed.has(each)) continue
      needed.add(each)
      need(each)
    }
  }
  need(to)
  return {
    kind: 'forward',
    skips: between.filter((stage) => maySkip(stage)),
    missing: between.filter((stage) => needed.has(stage) && !maySkip(stage)),
  }
}

/** The stage after this one; none after the last. */
export const after = (stage: Stage): Stage | undefined => order[indexOf(stage) + 1]
