import type { AgentKind, AgentProcesses } from '../agent-processes/agent.ts'
import { leaseMs } from '../claims/lease.ts'
import * as claims from '../claims/sql/claims.ts'
import * as spawns from '../claims/sql/spawns.ts'
import type { CallingContext } from '../operation/context.ts'
import { advance } from '../schedule/advance.ts'
import {
  type Happening,
  newRunState,
  type RunEvent,
  type RunState,
  type Step,
} from '../schedule/run-state.ts'
import { type AgentsOfRun, agentsOfRun } from './agents-of-run.ts'
import { type Carrier, carrierOf } from './carry-out.ts'
import type { DriverNow } from './draw-run.ts'
import { type Ledger, ledgerOf, Replaced, type RunNews } from './ledger.ts'
import { failuresToStop, mostAttempts, type RunOptions } from './run-options.ts'
import * as runs from './sql.ts'
import { takeUpRun } from './take-up.ts'
import { type StoreWatch, watchStore } from './watch-store.ts'

export interface DriveOptions {
  context: CallingContext
  processes: AgentProcesses
  kind: AgentKind
  run: { seq: number; id: string; epic: string; epoch: number }
  options: RunOptions
  tell(news: RunNews): void
  /** Called once. A live view uses the passed functions to read and control the driver while the driver works. */
  show?(now: DriverNow): void
  /**
   * Must call `heard` each time a person asks the run to stop. After the first request, running agents can finish.
   * The second request ends them.
   */
  onInterrupt?(heard: () => void): void
}

export interface DriveEnd {
  state: 'finished' | 'stopped' | 'replaced'
  why?: string
}

/**
 * Drives a run until nothing is left to do. Carries out the steps that the scheduler chooses, and reports each result
 * to the scheduler.
 */
export const drive = (given: DriveOptions): Promise<DriveEnd> =>
  new Promise((resolve, reject) => {
    const driver = new Driver(given, resolve, reject)
    driver.begin().catch((error) => driver.fail(error))
  })

export const planWaits = 'the plan waits for your yes'

class Driver {
  private state: RunState
  private readonly given: DriveOptions
  private readonly ledger: Ledger
  private readonly agents: AgentsOfRun
  private readonly carrier: Carrier
  private readonly timers = new Set<NodeJS.Timeout>()
  private wake: NodeJS.Timeout | undefined
  private watch: StoreWatch | undefined
  private isOver = false
  /** Events that arrive before the scheduler has its first state. */
  private early: Happening[] | undefined = []
  private readonly resolve: (end: DriveEnd) => void
  private readonly reject: (error: unknown) => void

  constructor(given: DriveOptions, resolve: (end: DriveEnd) => void, reject: (error: unknown) => void) {
    this.given = given
    this.resolve = resolve
    this.reject = reject
    const { context, options, run } = given
    const { parallel, maxTokens, maxCost } = options
    this.state = newRunState(
      {
        ...{ parallel, mostAttempts, breaker: failuresToStop },
        ...(maxTokens !== undefined && { maxTokens }),
        ...(maxCost !== undefined && { maxCost }),
      },
      1 + run.seq * 97 + run.epoch,
    )
    this.ledger = ledgerOf(context, run, given.tell)
    this.agents = agentsOfRun({
      ...given,
      ledger: this.ledger,
      onUsage: (spawn, usage) => this.hear({ kind: 'noted', spawn, usage }),
      onEnd: (task, spawn, { ending }, submitted) =>
        this.hear({
          kind: 'ended',
          task,
          spawn,
          ending: ending === 'watcher lost' ? 'lost' : ending,
          submitted,
        }),
      onError: (error) => this.fail(error),
    })
    this.carrier = carrierOf({ ...given, ledger: this.ledger })
    given.show?.({
      state: () => this.state,
      agents: () => this.agents.now(),
      stopOne: (task) => this.hear({ kind: 'taken', task, by: 'stopped' }),
      // This only unblocks the task in the store. `watchStore` then notices the change, as it does if another command
      // unblocks a task.
      tryAgain: (task) => {
        given.context.call('tasks.unblock', { id: task }).catch((error) => this.fail(error))
      },
    })
  }

  async begin(): Promise<void> {
    const { context, run, onInterrupt, processes } = this.given
    let asked = 0
    onInterrupt?.(() => this.stop(asked++ === 0 ? 'drain' : 'stop', 'stopped by a person'))
    const { outs, adopted, tallies, usage, leftovers } = await takeUpRun(context, run, this.given.kind)
    this.state = { ...this.state, tallies, usage }
    // End the agents of tasks that were closed or taken away while the run had no driver.
    for (const left of leftovers) await processes.endLeftover(left)
    for (const row of adopted) await this.agents.adopt(row)
    this.every(Math.max(1000, leaseMs(context.config) / 3), () => this.renew())
    this.watch = watchStore(context, run, {
      works: () => this.state.works,
      waiting: () => this.state.waiting,
      hear: (event) => this.hear(event),
    })
    const { watch } = this
    await watch.begin()
    this.every(100, () => watch.look())
    const { early } = this
    this.early = undefined
    this.hear({ kind: 'began', outs })
    for (const event of early ?? []) this.hear(event)
  }

  stop(how: 'drain' | 'stop', why: string): void {
    if (this.isOver) return
    this.ledger
      .record({ kind: how === 'drain' ? 'draining' : 'stopping', data: { why } })
      .catch((error) => this.fail(error))
    this.hear({ kind: how, why })
  }

  /**
   * Ends the driver without finishing the run. Called after an unexpected error, and if another driver has taken
   * over the run.
   */
  fail(error: unknown): void {
    if (this.isOver) return
    this.close()
    if (error instanceof Replaced) this.resolve({ state: 'replaced' })
    else this.reject(error)
  }

  private close(): void {
    this.isOver = true
    for (const timer of this.timers) clearInterval(timer)
    clearTimeout(this.wake)
  }

  private every(ms: number, work: () => Promise<void>): void {
    let isBusy = false
    this.timers.add(
      setInterval(() => {
        if (isBusy || this.isOver) return
        isBusy = true
        work()
          .catch((error) => this.fail(error))
          .finally(() => {
            isBusy = false
          })
      }, ms),
    )
  }

  private hear(event: Happening): void {
    if (this.isOver) return
    if (this.early) return void this.early.push(event)
    const { state, steps } = advance(this.state, { ...event, at: this.given.context.host.now() } as RunEvent)
    this.state = state
    for (const step of steps) this.carryOut(step).catch((error) => this.fail(error))
  }

  private async carryOut(step: Step): Promise<void> {
    if (step.kind === 'wait') return this.wakeAt(step.until)
    if (step.kind === 'finish') return this.finish(step)
    if (step.kind === 'start') return this.start(step)
    if (step.kind === 'end') {
      await this.ledger.record({ kind: 'end', task: step.task, spawn: step.spawn, data: { why: step.why } })
      return this.agents.end(step.spawn, step.why)
    }
    if (step.kind === 'look') await this.watch?.beforeReady()
    const result = await this.carrier(step, this.state.works.get('task' in step ? step.task : '')?.spawn)
    if (result) this.hear(result)
  }

  private async start({ task, spawn }: Extract<Step, { kind: 'start' }>): Promise<void> {
    // `note` is enough here, because `agents.start` first writes a record of the agent. That write checks that this
    // driver still has the run.
    await this.ledger.note({ kind: 'start', task, spawn })
    const problem = await this.agents.start(task, spawn)
    if (!problem) return this.hear({ kind: 'started', task, spawn })
    await this.ledger.record({ kind: 'not started', task, spawn, data: { why: problem.problem } })
    this.hear({ kind: 'ended', task, spawn, ending: 'not started', submitted: false })
  }

  private wakeAt(until: number): void {
    clearTimeout(this.wake)
    const ms = Math.max(1, until - this.given.context.host.now())
    this.wake = setTimeout(() => this.hear({ kind: 'tick' }), ms)
  }

  /** Renews the claims of the agents, because an agent can work for a long time without running a CLEO command. */
  private renew(): Promise<void> {
    return this.ledger.write(async (db, now) => {
      for (const spawn of this.agents.running()) {
        await claims.renew(db, spawn, now + leaseMs(this.given.context.config))
        await spawns.seen(db, spawn, now)
      }
    })
  }

  private async finish(step: Extract<Step, { kind: 'finish' }>): Promise<void> {
    const { run, options } = this.given
    // Once the agent has split the epic, the run stops so that a person can look at the plan. The person says yes
    // by resuming the run.
    const isPlanned = options.plan && step.state === 'finished'
    const { state, why } = isPlanned ? ({ state: 'stopped', why: planWaits } as const) : step
    await this.ledger.record({ kind: state, data: { ...(why && { why }) } }, (db, now) =>
      runs.setState(db, run.seq, { state, why: why ?? null, now }),
    )
    this.close()
    this.resolve({ state, ...(why !== undefined && { why }) })
  }
}
