import { advance } from '../../src/schedule/advance.ts'
import {
  newRunState,
  type OutWork,
  type RunEvent,
  type RunState,
  type Step,
} from '../../src/schedule/run-state.ts'
import type { SimAgent, SimWorld } from './simulated-world.ts'

/** A step that is being carried out, one stage at a time. A driver can be paused or killed between two stages. */
interface Pending {
  step: Step
  stage: number
  agent?: SimAgent
}

type WithoutTime<E> = E extends RunEvent ? Omit<E, 'at'> : never

/**
 * A driver that works like the real one: it records each step with the epoch, then carries it out, then hears its
 * result.
 */
export class SimDriver {
  state: RunState
  pending: Pending[] = []
  /** Results that the driver has not heard yet. */
  results: WithoutTime<RunEvent>[] = []
  isGone = false
  isPaused = false
  wake = Number.POSITIVE_INFINITY
  readonly number: number
  readonly epoch: number
  private readonly world: SimWorld

  constructor(world: SimWorld, number: number) {
    this.world = world
    this.number = number
    world.epoch++
    world.runState = 'running'
    this.epoch = world.epoch
    const settings = { parallel: 1 + world.chance.below(4), mostAttempts: 3, breaker: 5 }
    const tallies = new Map(
      [...world.failures].map(([id, attempts]) => [id, { attempts, restarts: 0, stale: 0 }]),
    )
    this.state = { ...newRunState(settings, 1 + world.chance.below(1000)), tallies }
    const outs: OutWork[] = world.takeOver(number)
    this.hear({ kind: 'began', outs })
  }

  hear(event: WithoutTime<RunEvent>): void {
    const { state, steps } = advance(this.state, { ...event, at: this.world.at } as RunEvent)
    this.state = state
    for (const step of steps) {
      if (step.kind === 'wait') this.wake = step.until
      else this.pending.push({ step, stage: 0 })
    }
  }

  /** Carries out one stage of a pending step, or hears one result. */
  act(): void {
    const { chance, at } = this.world
    const choices = this.results.length + this.pending.length
    if (choices === 0 || (this.wake <= at && chance.below(3) === 0)) {
      if (this.wake <= at) {
        this.wake = Number.POSITIVE_INFINITY
        this.hear({ kind: 'tick' })
      }
      return
    }
    const chosen = chance.below(choices)
    if (chosen < this.results.length) return this.hear(this.results.splice(chosen, 1)[0]!)
    this.carryOut(this.pending[chosen - this.results.length]!)
  }

  /** Tells the driver that one of its agents has ended. */
  noticeEnd({ driver, task, spawn, ending }: SimAgent): void {
    if (driver !== this.number || ending === undefined) return
    const submitted = this.world.tasks.get(task)!.isSubmitted
    this.results.push({ kind: 'ended', task, spawn, ending, submitted })
  }

  private done(pending: Pending, result?: WithoutTime<RunEvent>): void {
    this.pending.splice(this.pending.indexOf(pending), 1)
    if (result) this.results.push(result)
  }

  private carryOut(pending: Pending): void {
    const { step } = pending
    if (step.kind === 'look')
      return this.done(pending, { kind: 'looked', ready: this.world.ready(step.limit) })
    if (pending.stage === 0) {
      pending.stage = 1
      if (!this.world.mayWrite(this.epoch)) this.isGone = true
      else if (step.kind === 'failed') {
        this.world.failures.set(step.task, step.attempt)
        this.done(pending)
      } else if (step.kind === 'finish') {
        this.world.runState = step.state
        // Results that the driver has not heard can mean that a task changed after the driver last looked. Then the
        // end is not judged.
        if (step.state === 'finished' && this.results.length === 0) this.world.finishedAt(this.epoch)
        this.isGone = true
      }
      return
    }
    this.effect(pending)
  }

  private effect(pending: Pending): void {
    const { step } = pending
    const { world } = this
    if (step.kind === 'spawn') {
      const given = world.spawn(step.task)
      if ('spawn' in given) this.done(pending, { kind: 'spawned', task: step.task, spawn: given.spawn })
      else this.done(pending, { kind: 'refused', task: step.task, during: 'spawn', refusal: given })
    } else if (step.kind === 'receive') {
      const given = world.receive(step.task)
      if (typeof given === 'string') this.done(pending, { kind: 'received', task: step.task, outcome: given })
      else this.done(pending, { kind: 'refused', task: step.task, during: 'receive', refusal: given })
    } else if (step.kind === 'ask') {
      world.failures.delete(step.task)
      if (world.block(step.task)) this.done(pending, { kind: 'asked', task: step.task })
      else
        this.done(pending, {
          ...{ kind: 'refused', task: step.task, during: 'ask' },
          refusal: { code: 'task.status', retryable: false, message: '' },
        })
    } else if (step.kind === 'end') {
      for (const agent of world.agents)
        if (agent.spawn === step.spawn && agent.ending === undefined) world.endAgent(agent, 'ended by us')
      this.done(pending)
    } else if (step.kind === 'start') this.start(pending, step)
  }

  /** Creates the watcher and records it with the epoch before telling it to go. */
  private start(pending: Pending, { task, spawn }: { task: string; spawn: string }): void {
    const { world } = this
    if (pending.stage === 1) {
      pending.agent = { task, spawn, driver: this.number, isRecorded: false, works: false }
      world.agents.push(pending.agent)
    } else if (pending.stage === 2) {
      if (!world.mayWrite(this.epoch)) {
        world.endAgent(pending.agent!, 'ended by us')
        this.isGone = true
        return
      }
      pending.agent!.isRecorded = true
      // An agent whose work was refused continues in its spawn. It has returned, but has submitted nothing since
      // then.
      world.sentBack(task, spawn)
    } else {
      const agent = pending.agent!
      if (agent.ending === undefined) {
        agent.works = true
        this.done(pending, { kind: 'started', task, spawn })
      } else this.done(pending)
      return
    }
    pending.stage++
  }
}
