import type { Gate, Protocol } from '../kernel/protocol.ts'
import type { Stage } from '../kernel/task.ts'
import type { Seen } from './seen.ts'

export type GateState = 'unset' | 'passed' | 'failed' | 'stale' | 'na' | 'waived'

export interface GateStanding {
  gate: Gate
  required: boolean
  state: GateState
  /** Why it does not hold, in a few words: `stale: src/a.ts changed after the run`. */
  why?: string
  /** The line that makes it hold. */
  fix?: string
  /** What holds it, where something was given. */
  evidence?: readonly Seen[]
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
  /** What asks for the contract: somebody was sent, or the configuration wants it always; else nothing does. */
  under: 'spawn' | 'config' | 'nothing'
  /** The latest spawn; none where nobody was sent. */
  spawn?: { id: string; at: number; startedAt?: number; worktree?: string }
  /** The entry of that spawn. */
  entry?: {
    seq: number
    id: string
    status: 'complete' | 'partial' | 'blocked'
    body: Record<string, unknown>
  }
  /** The entry's file, as it is now; its path is absolute. One that nobody filled in is as good as missing. */
  file?: { path: string; state: 'there' | 'missing' | 'changed'; why?: string }
  /** Those required, and those that somebody gave evidence for. */
  gates: GateStanding[]
  criteria: CriterionStanding[]
  /** What it was read from: whoever acts on it looks whether that is still so. */
  seen: { updatedAt: number; evidence: number }
}

export const isHeld = ({ state }: GateStanding): boolean =>
  state === 'passed' || state === 'na' || state === 'waived'

export const isMet = ({ state }: CriterionStanding): boolean => state === 'met' || state === 'waived'
