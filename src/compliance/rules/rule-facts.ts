import type { SpawnChanges, SpawnCommit } from '../../evidence/spawn-work.ts'
import type { Protocol } from '../../kernel/protocol.ts'
import type { Stage, Status, TaskType } from '../../kernel/task.ts'
import type { CriterionStanding, GateStanding } from '../../standing/gate-standing.ts'

/**
 * The facts that CLEO itself observed about a task and its last spawn, including the entries that the agent submitted.
 */
export interface RuleFacts {
  task: {
    id: string
    title: string
    type: TaskType
    status: Status
    stage: Stage
    /** True if the work of the task has landed on the user's branch, where the checks ran again. */
    landed?: true
  }
  protocol: Protocol
  spawn: string
  /** The audit log since the spawn, oldest first. */
  log: LogLine[]
  /**
   * Whether the spawn returned an allowed line, with an explanation. `returned` is missing until `receive` has run.
   * `allowed` is missing if `receive` got no reply. `accepted` is set if the work was accepted although the line is
   * wrong.
   */
  returned?: { allowed?: boolean; why: string; accepted?: boolean }
  /** Every entry the spawn submitted, oldest first. */
  entries: SubmittedEntry[]
  /** The output file of the last entry. */
  file?: OutputFile
  linked: boolean
  gates: GateStanding[]
  criteria: CriterionStanding[]
  mentions: Mentions
  /** Paths that were given as evidence. */
  filesGiven: string[]
  git?: GitFacts
  /** The files that the spawn changed outside the output folders. Set only under the research protocol. */
  changed?: SpawnChanges & { command: string }
  /** Set only under the consensus protocol. */
  votes?: ConsensusVotes[]
  /** Set only under the decomposition protocol. */
  breakdown?: Breakdown
  /** Set only under the release protocol. */
  release?: Release
  /** Who worked on the validated tasks. Set only in the validation stage. */
  authors?: { task: string; actors: string[] }[]
}

export interface LogLine {
  actor: string
  operation: string
  /** The new status of the task, if the operation changed the status. */
  to?: Status
}

export interface SubmittedEntry {
  id: string
  status: 'complete' | 'partial' | 'blocked'
  /** Hash of the output file when the entry was ingested; null if there was no file. */
  sha256: string | null
  body: Readonly<Record<string, unknown>>
}

export interface OutputFile {
  /** Relative to the project; absolute if the file is outside the project. */
  path: string
  state: 'there' | 'missing' | 'changed'
  /** Why the file counts as missing although it exists. */
  why?: string
  /** True if the file is in an output folder. */
  inPlace: boolean
  /** Undefined if the file is missing or cannot be read. */
  text?: string
}

/** What is mentioned in the last entry, its evidence and its output file. */
export interface Mentions {
  /** The number of mentions that were looked up. */
  checked: number
  /** Things that do not exist, but are mentioned in the entry or its evidence. */
  missing: string[]
  /**
   * Things that do not exist, and are mentioned only in the output file. The file can mention them just to say that
   * they do not exist.
   */
  doubtful: string[]
}

export interface GitFacts {
  commits: Commit[]
  /** True if the spawn had its own branch and worktree. */
  isOwn: boolean
  /** How a git command for the spawn's work folder begins, such as `git -C <folder>`. */
  command: string
  /** Subjects of earlier commits, newest first. */
  earlier: string[]
}

export type Commit = SpawnCommit

export interface ConsensusVotes {
  id: string
  /** The votes of this spawn, in all rounds. */
  own: Vote[]
  verdict: string | null
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
  /** The parents of the tasks, each with the number of its open children. */
  parents: { id: string; open: number }[]
  /** The tasks of a dependency cycle, if there is one; the first task is repeated at the end. */
  cycle?: string[]
  /** One message for each task whose text promises a duration. */
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
  leaf: boolean
}

export interface Release {
  /** The version in each version file. */
  written: { file: string; version: string }[]
  changelog?: { file: string; text: string }
  /** The tags of the versions in the version files, and of the newest version in the changelog. */
  tags: { name: string; sha: string; reachable: boolean }[]
  /** The commit at which each required gate was proved. */
  provedAt: { gate: string; head: string }[]
}
