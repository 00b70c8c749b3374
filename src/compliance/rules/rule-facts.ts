import type { CriterionStanding, GateStanding } from '../../evidence/gate-standing.ts'
import type { Protocol } from '../../kernel/protocol.ts'
import type { Stage, Status, TaskType } from '../../kernel/task.ts'

/** What was observed of a task and its last spawn. Nothing here is what an agent declared about itself. */
export interface RuleFacts {
  task: { id: string; type: TaskType; status: Status; stage: Stage }
  protocol: Protocol
  spawn: string
  /** The audit log since the spawn, oldest first. */
  log: LogLine[]
  /** Whether it returned an allowed line, and the reason; undefined until `receive` has run. */
  returned?: { allowed: boolean; why: string }
  /** Every entry the spawn submitted, oldest first. */
  entries: SubmittedEntry[]
  /** The output file of the last entry. */
  file?: OutputFile
  linked: boolean
  gates: GateStanding[]
  criteria: CriterionStanding[]
  mentions: Mentions
  /** Paths given as evidence. */
  filesGiven: string[]
  git?: GitFacts
  /** What changed in the agent's own worktree, and which of it is output; undefined without a worktree. */
  changed?: { path: string; output: boolean }[]
  /** Under the consensus protocol. */
  votes?: ConsensusVotes[]
  /** Under the decomposition protocol. */
  breakdown?: Breakdown
  /** Under the release protocol. */
  release?: Release
  /** In the validation stage: who worked on the validated tasks. */
  authors?: { task: string; actors: string[] }[]
}

export interface LogLine {
  actor: string
  operation: string
  /** The status it led to. */
  to?: Status
}

export interface SubmittedEntry {
  id: string
  status: 'complete' | 'partial' | 'blocked'
  /** Hash of its file when it was ingested; null if there was none. */
  sha256: string | null
  body: Readonly<Record<string, unknown>>
}

export interface OutputFile {
  /** Relative to the project if it is inside. */
  path: string
  state: 'there' | 'missing' | 'changed'
  /** Why it counts as missing although it exists. */
  why?: string
  /** It is in an output folder. */
  inPlace: boolean
  /** Undefined if it is missing or cannot be read. */
  text?: string
}

/** What the entry, its evidence and its output file mention, as far as it could be looked up. */
export interface Mentions {
  checked: number
  /** Mentioned by the entry or its evidence, but does not exist. */
  missing: string[]
  /** Mentioned only by the output file, which may also discuss what does not exist. */
  doubtful: string[]
}

export interface GitFacts {
  /** Those given as evidence, and those made in its own worktree. */
  commits: Commit[]
  /** Subjects of earlier commits, newest first. */
  earlier: string[]
}

export interface Commit {
  sha: string
  message: string
  /** The files it changed. */
  files: string[]
  merge: boolean
}

export interface ConsensusVotes {
  id: string
  /** The votes of this agent, in any round. */
  own: Vote[]
  verdict: string | null
  /** Who decided it. */
  decidedBy?: string
}

export interface Vote {
  option: string
  position: string
  confidence: number
  rationale: string
  evidence: readonly unknown[]
  conflicts: readonly unknown[]
}

export interface Breakdown {
  tasks: BreakdownTask[]
  /** Parents with the number of their open children. */
  parents: { id: string; open: number }[]
  /** A dependency cycle; its first task is repeated at the end. */
  cycle?: string[]
  /** Phrases that promise a duration. */
  promises: string[]
  mostFiles: number
}

export interface BreakdownTask {
  id: string
  title: string
  description: string
  type: TaskType
  parent: string | null
  /** 1 for a task without a parent. */
  depth: number
  files: number
  criteria: number
  depends: string[]
  /** It has no open children. */
  leaf: boolean
}

export interface Release {
  /** The versions in the version files. */
  written: { file: string; version: string }[]
  changelog?: { file: string; text: string }
  /** The tags of those versions. */
  tags: { name: string; sha: string; reachable: boolean }[]
  /** The commit that each gate was proved at. */
  provedAt: { gate: string; head: string }[]
}
