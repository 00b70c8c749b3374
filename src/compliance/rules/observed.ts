import type { CriterionStanding, GateStanding } from '../../evidence/gate-standing.ts'
import type { Protocol } from '../../kernel/protocol.ts'
import type { Stage, Status, TaskType } from '../../kernel/task.ts'

/** What was seen of a task and of the one who was sent to do it. Nothing here is what a caller said of themselves. */
export interface Observed {
  task: { id: string; type: TaskType; status: Status; stage: Stage }
  protocol: Protocol
  spawn: string
  /** What was recorded since the spawn was sent, oldest first. */
  log: Logged[]
  /** Whether what came back was a return line, and why; only where `receive` has seen it. */
  returned?: { allowed: boolean; why: string }
  /** Everything the spawn handed in, oldest first. */
  entries: Handed[]
  /** The file of the last entry. */
  file?: OutputFile
  linked: boolean
  gates: GateStanding[]
  criteria: CriterionStanding[]
  named: Named
  /** Paths given as evidence. */
  shown: string[]
  git?: GitFacts
  /** Where the agent had a work folder of its own: what differs from where it began, and which of it is output. */
  changed?: { path: string; output: boolean }[]
  /** Under the consensus protocol. */
  votes?: Voting[]
  /** Under the decomposition protocol. */
  parts?: Parts
  /** Under the release protocol. */
  release?: Release
  /** In the stage of validation: who worked on what is validated, by task. */
  authors?: { task: string; actors: string[] }[]
}

export interface Logged {
  actor: string
  operation: string
  /** The status it led to. */
  to?: Status
}

export interface Handed {
  id: string
  status: 'complete' | 'partial' | 'blocked'
  /** Of its file when it came; null where there was none. */
  sha256: string | null
  body: Readonly<Record<string, unknown>>
}

export interface OutputFile {
  /** As people would name it. */
  path: string
  state: 'there' | 'missing' | 'changed'
  /** Where it counts as missing, and is there. */
  why?: string
  /** It lies where output belongs. */
  inPlace: boolean
  /** None where it is missing or cannot be read. */
  text?: string
}

/** What entry, output file and evidence speak of, as far as it was looked up. */
export interface Named {
  looked: number
  /** Of these there is nothing; the ones in the entry and the evidence are claims. */
  missing: string[]
  /** Of these neither, but a file may also speak of what is not there. */
  doubtful: string[]
}

export interface GitFacts {
  /** Those given as evidence, and those made in a work folder of its own. */
  commits: Commit[]
  /** Subjects of what was committed before, newest first. */
  earlier: string[]
}

export interface Commit {
  sha: string
  message: string
  /** What it changed. */
  files: string[]
  merge: boolean
}

export interface Voting {
  id: string
  /** Of this agent, in any round. */
  own: Vote[]
  verdict: string | null
  /** Who settled it, where somebody did. */
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

export interface Parts {
  tasks: Part[]
  /** Parents with the number of their open children. */
  parents: { id: string; open: number }[]
  /** A circle of waiting, the first one again at its end. */
  cycle?: string[]
  /** Words that promise how long work will last, with where they stand. */
  promises: string[]
  mostFiles: number
}

export interface Part {
  id: string
  title: string
  description: string
  type: TaskType
  parent: string | null
  /** 1 at the top. */
  depth: number
  files: number
  criteria: number
  depends: string[]
  /** Nothing open below it. */
  leaf: boolean
}

export interface Release {
  /** Where a version is written, and which. */
  written: { file: string; version: string }[]
  /** Text of the changelog, where there is one. */
  changelog?: { file: string; text: string }
  /** Tags and where they lie; those of versions that are written somewhere. */
  tags: { name: string; sha: string; reachable: boolean }[]
  /** The commit each gate was shown at. */
  shownAt: { gate: string; head: string }[]
}
