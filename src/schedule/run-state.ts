/**
 * The types of the scheduler: the state of a run, its events and its steps. They are plain data, so that tests can
 * simulate a run.
 */

export interface RunSettings {
  parallel: number
  /** If this many attempts at a task have failed, the run asks a person. */
  mostAttempts: number
  /** If this many attempts in a row have failed, the run starts no further agent. */
  breaker: number
  maxTokens?: number
  maxCost?: number
}

/** How the process of an agent ended, in the categories that the scheduler needs. */
export type WorkEnding =
  | 'ended'
  | 'not started'
  | 'not found'
  | 'not logged in'
  | 'crashed'
  | 'idle'
  | 'too long'
  | 'ended by us'
  | 'quota'
  | 'asked a question'
  | 'lost'

/**
 * A `queued` task waits until another agent may start. If the task's `until` is set, the task also waits until that
 * time.
 */
type Phase = 'queued' | 'spawning' | 'starting' | 'running' | 'receiving' | 'asking'

/**
 * The next step of a queued task. `forget`: another actor has the task. The run waits a while and then removes the
 * task from its queue. When the run next looks for ready tasks, it can find the task again.
 */
export type Next = 'spawn' | 'continue' | 'start' | 'receive' | 'forget'

export interface Work {
  task: string
  phase: Phase
  spawn?: string
  next?: Next
  until?: number
  /** How often this step was already tried. */
  tries: number
  /**
   * Set if the agent must end. `taken`: the task was cancelled or taken away, so its work is not received. `stopped`: a
   * person stopped the agent, so its work is received only if it was already submitted.
   */
  given?: 'taken' | 'stopped'
  isEnding?: true
}

export interface Tally {
  attempts: number
  /** How often an agent was started again for the same spawn. */
  restarts: number
  /** How often a spawn was refused because the task had changed. */
  stale: number
}

export interface RunState {
  settings: RunSettings
  works: ReadonlyMap<string, Work>
  tallies: ReadonlyMap<string, Tally>
  /** Tasks that wait for a person. The run does not start them again before the person has decided. */
  waiting: ReadonlySet<string>
  usage: ReadonlyMap<string, Usage>
  failuresInRow: number
  isLooking: boolean
  wantsLook: boolean
  stopping?: 'drain' | 'now'
  /** Why the run stops before everything is done. */
  why?: string
  isOver: boolean
  /**
   * The last random number. Random numbers lengthen waiting times, so that several runs do not try again at the same
   * moment.
   */
  jitter: number
}

export interface Usage {
  tokens: number
  cost: number
}

/** A task that is already out for this run when a driver resumes the run. */
export interface OutWork {
  task: string
  spawn: string
  state: 'unstarted' | 'running' | 'ended'
  ending?: WorkEnding
  submitted: boolean
  /** True if the return was refused before the run was interrupted. */
  refused: boolean
  /** True if the agent can continue in its own session, where it is told about the refusal. */
  canContinue?: boolean
}

export interface Refusal {
  code: string
  retryable: boolean
  message: string
  /** True if the agent can continue in its own session, where it is told about the refusal. */
  canContinue?: boolean
}

export type RunEvent = { at: number } & (
  | { kind: 'began'; outs: readonly OutWork[] }
  | { kind: 'looked'; ready: readonly string[] }
  | { kind: 'spawned'; task: string; spawn: string }
  | { kind: 'refused'; task: string; during: 'spawn' | 'receive' | 'ask'; refusal: Refusal }
  | { kind: 'started'; task: string; spawn: string }
  | { kind: 'noted'; spawn: string; usage: Usage }
  | { kind: 'ended'; task: string; spawn: string; ending: WorkEnding; submitted: boolean }
  | { kind: 'received'; task: string; outcome: 'complete' | 'partial' | 'blocked' | 'needs' }
  | { kind: 'asked'; task: string }
  | { kind: 'taken'; task: string; by: 'taken' | 'stopped' }
  | { kind: 'answered'; task: string }
  | { kind: 'changed' }
  | { kind: 'tick' }
  | { kind: 'drain'; why: string }
  | { kind: 'stop'; why: string }
)

type Untimed<E> = E extends RunEvent ? Omit<E, 'at'> : never
/** An event before it gets its time. */
export type Happening = Untimed<RunEvent>

export type Step =
  | { kind: 'look'; limit: number }
  | { kind: 'spawn'; task: string; continued: boolean }
  | { kind: 'start'; task: string; spawn: string }
  | { kind: 'end'; task: string; spawn: string; why: string }
  | { kind: 'receive'; task: string; spawn: string }
  | { kind: 'ask'; task: string; reason: string }
  | { kind: 'failed'; task: string; spawn?: string; why: string; attempt: number }
  | { kind: 'wait'; until: number }
  | { kind: 'finish'; state: 'finished' | 'stopped'; why?: string }

export const newRunState = (settings: RunSettings, jitter: number): RunState => ({
  settings,
  works: new Map(),
  tallies: new Map(),
  waiting: new Set(),
  usage: new Map(),
  failuresInRow: 0,
  isLooking: false,
  wantsLook: false,
  isOver: false,
  jitter,
})
