import { drives } from '../../src/run/ownership.ts'
import type { OutWork, Refusal, WorkEnding } from '../../src/schedule/run-state.ts'
import type { Random } from '../reliability/random.ts'

/** What the agents of a simulated run do, with the weight of each behaviour. */
const behaviours = {
  submits: 60,
  nothing: 8,
  crashes: 6,
  hangs: 4,
  blocks: 2,
  needs: 3,
  quota: 1,
  lies: 3,
} as const
type Behaviour = keyof typeof behaviours

export interface SimTask {
  id: string
  depends: string[]
  status: 'open' | 'merged' | 'blocked' | 'cancelled'
  /** The number of the last attempt. It is 0 before the first one. */
  attempt: number
  isOut: boolean
  isStarted: boolean
  isSubmitted: boolean
  isBack: boolean
  outcome: 'complete' | 'blocked' | 'needs'
}

/** An agent under its watcher. It works once the watcher has received `go`. */
export interface SimAgent {
  task: string
  spawn: string
  driver: number
  isRecorded: boolean
  works: boolean
  ending?: WorkEnding
}

/** A simulated store with processes and agents, small enough to be played thousands of times a second. */
export class SimWorld {
  readonly tasks = new Map<string, SimTask>()
  readonly agents: SimAgent[] = []
  /** How the last recorded agent of each spawn ended. */
  readonly ended = new Map<string, WorkEnding>()
  /** How many attempts of each task were counted as failed, as the events of the run record them. */
  readonly failures = new Map<string, number>()
  epoch = 0
  runState: 'running' | 'stopped' | 'finished' = 'running'
  at = 1_000_000
  private wrongEnd: string | undefined
  /** Whether someone besides the driver has changed tasks. */
  isDisturbed = false
  readonly chance: Random

  constructor(chance: Random) {
    this.chance = chance
    const count = 1 + chance.below(9)
    for (let n = 1; n <= count; n++) {
      const depends: string[] = []
      for (let d = 1; d < n; d++) if (chance.below(4) === 0) depends.push(`T${d}`)
      const id = `T${n}`
      this.tasks.set(id, {
        ...{ id, depends, status: 'open', attempt: 0, isOut: false, isStarted: false },
        ...{ isSubmitted: false, isBack: false, outcome: 'complete' },
      })
    }
  }

  /** Whether a driver of this epoch may write. A driver checks this before each step. */
  mayWrite(epoch: number): boolean {
    return drives(epoch, this.epoch)
  }

  private isSatisfied(task: SimTask): boolean {
    return task.depends.every((id) => {
      const { status } = this.tasks.get(id)!
      return status === 'merged' || status === 'cancelled'
    })
  }

  ready(limit: number): string[] {
    const found: string[] = []
    for (const task of this.tasks.values())
      if (found.length < limit && task.status === 'open' && !task.isOut && this.isSatisfied(task))
        found.push(task.id)
    return found
  }

  /**
   * Spawns like the real operation: checks and changes the task in one step, and returns an unstarted spawn of the same
   * run.
   */
  spawn(id: string): { spawn: string } | Refusal {
    const task = this.tasks.get(id)!
    if (this.chance.below(40) === 0) return refusal('store.busy', true)
    if (task.status !== 'open') return refusal('spawn.closed')
    if (!this.isSatisfied(task)) return refusal('dependency.open')
    if (task.isOut && task.isStarted && !task.isBack) return refusal('spawn.out')
    if (task.isOut && !task.isStarted && !task.isBack) return { spawn: `${id}.${task.attempt}` }
    task.attempt++
    Object.assign(task, {
      isOut: true,
      isStarted: false,
      isSubmitted: false,
      isBack: false,
      outcome: 'complete',
    })
    return { spawn: `${id}.${task.attempt}` }
  }

  receive(id: string): 'complete' | 'blocked' | 'needs' | Refusal {
    const task = this.tasks.get(id)!
    if (this.chance.below(40) === 0) return refusal('store.busy', true)
    if (task.status === 'merged') return 'complete'
    if (task.status !== 'open') return refusal('task.status')
    if (!task.isOut) return refusal('spawn.none')
    if (!task.isSubmitted) {
      task.isBack = true
      return { ...refusal('manifest.missing'), canContinue: this.chance.below(2) === 0 }
    }
    if (task.outcome === 'needs') {
      Object.assign(task, { isOut: false, isSubmitted: false })
      return 'needs'
    }
    if (task.outcome === 'blocked') {
      Object.assign(task, { status: 'blocked', isOut: false })
      return 'blocked'
    }
    if (this.chance.below(12) === 0) {
      Object.assign(task, { isOut: false, isSubmitted: false })
      return refusal(this.chance.below(2) === 0 ? 'merge.conflict' : 'merge.red')
    }
    Object.assign(task, { status: 'merged', isOut: false })
    return 'complete'
  }

  sentBack(id: string, spawn: string): void {
    const task = this.tasks.get(id)!
    if (task.isBack && spawn === `${id}.${task.attempt}`)
      Object.assign(task, { isBack: false, isSubmitted: false })
  }

  block(id: string): boolean {
    const task = this.tasks.get(id)!
    if (task.status !== 'open') return false
    Object.assign(task, { status: 'blocked', isOut: false })
    return true
  }

  /** Lets an agent take one step: its first command, or its end. A superseded agent can no longer change anything. */
  agentActs(agent: SimAgent): void {
    const task = this.tasks.get(agent.task)!
    const isLatest = agent.spawn === `${task.id}.${task.attempt}` && task.isOut && task.status === 'open'
    if (isLatest && !task.isStarted) {
      task.isStarted = true
      return
    }
    const does: Behaviour = this.chance.weighted(behaviours)
    if (does === 'submits' || does === 'blocks' || does === 'needs') {
      if (isLatest) {
        task.isSubmitted = true
        task.outcome = does === 'submits' ? 'complete' : does === 'blocks' ? 'blocked' : 'needs'
      }
    }
    this.endAgent(agent, endings[does])
  }

  /** Lets working agents act, and calls `heard` for each agent that ended. */
  agentsAct(heard: (agent: SimAgent) => void): void {
    for (let n = this.agents.length - 1; n >= 0; n--) {
      const agent = this.agents[n]!
      if (agent.works && this.chance.below(3) === 0) this.agentActs(agent)
      if (agent.ending === undefined) continue
      this.agents.splice(n, 1)
      if (agent.isRecorded) this.ended.set(agent.spawn, agent.ending)
      heard(agent)
    }
  }

  endAgent(agent: SimAgent, ending: WorkEnding): void {
    agent.works = false
    agent.ending ??= ending
  }

  /** Lets the watchers end agents whose driver is gone. */
  driverGone(driver: number): void {
    for (const agent of this.agents)
      if (agent.driver === driver && agent.ending === undefined && this.chance.below(4) > 0)
        this.endAgent(agent, 'ended by us')
  }

  /**
   * Returns what a resume finds: which of the run's agents still live (they are adopted, or ended at once), and what
   * the others left.
   */
  takeOver(driver: number): OutWork[] {
    const outs: OutWork[] = []
    for (const task of this.tasks.values()) {
      if (!task.isOut || task.status !== 'open') {
        // The agents of closed tasks are ended, also those that have not started yet.
        for (const each of this.agents)
          if (each.task === task.id && each.isRecorded) this.endAgent(each, 'ended by us')
        continue
      }
      const spawn = `${task.id}.${task.attempt}`
      let agent: SimAgent | undefined
      for (const each of this.agents) if (each.spawn === spawn && each.isRecorded) agent = each
      for (const each of this.agents) {
        if (each.task !== task.id || !each.isRecorded || each.ending !== undefined) continue
        if (each === agent && each.works && this.chance.below(2) === 0) each.driver = driver
        else this.endAgent(each, 'ended by us')
      }
      const ending = agent ? agent.ending : this.ended.get(spawn)
      outs.push({
        ...{ task: task.id, spawn, submitted: task.isSubmitted, refused: task.isBack },
        state: ending !== undefined ? 'ended' : agent === undefined ? 'unstarted' : 'running',
        ...(ending && { ending }),
        ...(task.isBack && this.chance.below(2) === 0 && { canContinue: true }),
      })
    }
    return outs
  }

  /** Called when a driver says that nothing is left to do. */
  finishedAt(epoch: number): void {
    const ready = this.ready(1)[0]
    if (epoch === this.epoch && ready && !this.isDisturbed)
      this.wrongEnd = `the run finished although ${ready} is ready`
  }

  /** Checks what must hold at every moment. Returns a sentence about what does not. */
  broken(): string | undefined {
    if (this.wrongEnd) return this.wrongEnd
    const live = new Set<string>()
    for (const { works, spawn, task: id } of this.agents) {
      if (!works) continue
      const task = this.tasks.get(id)!
      if (live.has(spawn)) return `two agents work as ${spawn} at the same time`
      live.add(spawn)
      if (task.status === 'merged' && spawn === `${id}.${task.attempt}` && !task.isSubmitted)
        return `${spawn} works on a task that is merged`
    }
    return undefined
  }
}

const endings: Record<Behaviour, WorkEnding> = {
  submits: 'ended',
  nothing: 'ended',
  crashes: 'crashed',
  hangs: 'idle',
  blocks: 'ended',
  needs: 'ended',
  quota: 'quota',
  lies: 'ended',
}

const refusal = (code: string, retryable = false): Refusal => ({ code, retryable, message: code })
