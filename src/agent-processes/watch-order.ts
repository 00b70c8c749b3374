import type { AgentEnd, AgentFiles, AgentLimits, AgentName, AgentNote, Launch } from './agent.ts'

/** The first line that a run sends to a watcher: everything needed to start and end an agent. */
export interface WatchOrder {
  kind: AgentName
  launch: Launch
  files: AgentFiles
  limits: AgentLimits
  onLoss: 'end' | 'finish'
  marker: string
}

/** Lines that a run sends to a watcher after the order. */
export type WatchCommand = { go: true } | { end: string }

export type WatchAnswer =
  | { ready: { pid: number; startTime: string } }
  | { note: AgentNote }
  | { end: AgentEnd }
  | { problem: string }

/** The largest size of an order, which contains the prompt. Real prompts are far smaller. */
export const maxOrderBytes = 64 * 1024 * 1024

export const defaultLimits: AgentLimits = {
  idleMs: 15 * 60_000,
  totalMs: 2 * 60 * 60_000,
  turnOverMs: 10_000,
  // If a run is killed, all its processes must be gone within 5 seconds. An agent gets 3 of these seconds to end by
  // itself.
  graceMs: 3000,
  logBytes: 16 * 1024 * 1024,
}
