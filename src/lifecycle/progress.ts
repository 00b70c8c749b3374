import { type Stage, stages } from '../kernel/task.ts'

/** Contribution is left out, because it can accompany any stage. */
export const stageOrder: readonly Stage[] = stages().filter((stage) => stage !== 'contribution')

const skippable: readonly Stage[] = ['consensus', 'architecture-decision', 'release']
export const maySkip = (stage: Stage): boolean => skippable.includes(stage)

/** Maps a stage to the stages before it that must be done, or else skipped with a reason. */
const prerequisites: Readonly<Partial<Record<Stage, readonly Stage[]>>> = {
  consensus: ['research'],
  'architecture-decision': ['research', 'consensus'],
  specification: ['research'],
  decomposition: ['specification'],
  implementation: ['decomposition'],
  validation: ['implementation'],
  testing: ['implementation', 'validation'],
  release: ['testing'],
}

/** How often testing may send the work back before a person must agree. */
export const maxLoops = 5

export interface StageMove {
  move: 'advance' | 'skip' | 'back'
  from_stage: Stage
  /** The new stage; null if the epic left the last stage. */
  to_stage: Stage | null
  reason: string | null
}

export const stageStates = ['done', 'skipped', 'current', 'ahead'] as const

export interface StageState {
  stage: Stage
  state: (typeof stageStates)[number]
  /** Why the stage was skipped, or was left although none of its tasks was done. */
  reason?: string
}

export interface Progress {
  current: Stage
  /** True if the epic has passed the last stage. */
  over: boolean
  /** How often the epic went back from testing. */
  loops: number
  stages: StageState[]
}

/** If `cleo update --stage` set the stage, some earlier stages have no recorded move. These stages count as skipped. */
export const progressOf = (moves: readonly StageMove[], stage: Stage | null): Progress => {
  const known = new Map<Stage, StageState>()
  let current = moves[0]?.from_stage ?? stage ?? stageOrder[0]!
  let over = false
  let loops = 0
  const arrive = (to: Stage) => {
    if (current === 'testing' && !over && indexOf(to) < indexOf(current)) loops++
    for (const later of stageOrder.slice(indexOf(to))) known.delete(later)
    current = to
    over = false
  }
  const jump = (to: Stage, reason: string) => {
    arrive(to)
    for (const before of stageOrder.slice(0, indexOf(to)))
      if (!known.has(before)) known.set(before, { stage: before, state: 'skipped', reason })
  }
  jump(current, `the epic began at ${current}`)
  for (const { move, from_stage, to_stage, reason } of moves) {
    if (from_stage !== current) jump(from_stage, `the stage was set to ${from_stage}`)
    if (to_stage !== null) arrive(to_stage)
    else over = true
    const state = move === 'skip' ? 'skipped' : 'done'
    if (move !== 'back') known.set(from_stage, { stage: from_stage, state, ...(reason && { reason }) })
  }
  if (stage && stage !== current) jump(stage, `the stage was set to ${stage}`)
  const stateOf = (each: Stage): StageState =>
    each === current && !over
      ? { stage: each, state: 'current' }
      : (known.get(each) ?? { stage: each, state: 'ahead' })
  return { current, over, loops, stages: stageOrder.map(stateOf) }
}

/** Contribution is not in the order, so it counts as later than every other stage. */
const indexOf = (stage: Stage): number => {
  const at = stageOrder.indexOf(stage)
  return at < 0 ? stageOrder.length : at
}

export type Route =
  | { kind: 'same' }
  | { kind: 'back' }
  /**
   * Both lists have stages between the current stage and the wanted stage. The stages in `skips` can be skipped with a
   * reason. The stages in `missing` must be done first.
   */
  | { kind: 'forward'; skips: Stage[]; missing: Stage[] }

/** If the epic is over, every stage counts as earlier. */
export const routeTo = ({ current, over, stages }: Progress, to: Stage): Route => {
  if (to === current && !over) return { kind: 'same' }
  if (over || indexOf(to) < indexOf(current)) return { kind: 'back' }
  const passed = new Set<Stage>([current])
  for (const { stage, state } of stages) if (state === 'done' || state === 'skipped') passed.add(stage)
  const between = stageOrder.slice(indexOf(current) + 1, indexOf(to)).filter((stage) => !passed.has(stage))
  const required = new Set<Stage>()
  const require = (stage: Stage) => {
    for (const each of prerequisites[stage] ?? []) {
      if (passed.has(each) || required.has(each)) continue
      required.add(each)
      require(each)
    }
  }
  require(to)
  return {
    kind: 'forward',
    skips: between.filter((stage) => maySkip(stage)),
    missing: between.filter((stage) => required.has(stage) && !maySkip(stage)),
  }
}

export const stageAfter = (stage: Stage): Stage | undefined => stageOrder[indexOf(stage) + 1]
