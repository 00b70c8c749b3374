import type { Gate, Protocol } from '../model/protocol.ts'
import type { Stage } from '../model/task.ts'

export type GateState = 'unset' | 'passed' | 'failed' | 'stale' | 'na'

export interface GateStanding {
  gate: Gate
  required: boolean
  state: GateState
  /** Why it does not hold, in a few words: `stale: src/a.ts changed after the run`. */
  why?: string
  /** The line that makes it hold. */
  fix?: string
}

export interface CriterionStanding {
  n: number
  text: string
  state: 'open' | 'met' | 'unmet' | 'waived' | 'stale'
  why?: string
  fix?: string
}

/** How a task stands against its contract, from what was observed. */
export interface Standing {
  task: string
  protocol: Protocol
  stage: Stage
  /** The latest spawn; none where nobody was sent. */
  spawn?: { id: string; startedAt?: number; worktree?: string }
  /** The entry of that spawn. */
  entry?: { id: string; status: 'complete' | 'partial' | 'blocked'; body: Record<string, unknown> }
  /** The entry's file, as it is now. */
  file?: { path: string; state: 'there' | 'missing' | 'changed' }
  gates: GateStanding[]
  criteria: CriterionStanding[]
}
