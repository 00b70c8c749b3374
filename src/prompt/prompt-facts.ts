import type { WorktreeOrigin } from '../claims/sql/spawns.ts'
import type { Commands } from '../kernel/config-words.ts'
import type { Gate, Protocol } from '../kernel/protocol.ts'
import type { Priority, Size, Stage, Status, TaskType } from '../kernel/task.ts'

/**
 * Everything a prompt says about its task and project. The room `spawn` loads these facts, and the room `prompt` makes
 * a text from them.
 */
export interface PromptFacts {
  spawnId: string
  task: {
    id: string
    title: string
    description: string
    type: TaskType
    size: Size
    priority: Priority
    labels: readonly string[]
    files: readonly string[]
    criteria: readonly { n: number; text: string }[]
    /** The most recent notes, in the order in which they were written. */
    notes: readonly { by: string; text: string }[]
  }
  /** The root of the task's tree: the task itself if it has no parent. */
  epic: { id: string; title: string }
  depends: readonly { id: string; status: Status }[]
  /** The findings of other tasks, oldest first. */
  findings: readonly Findings[]
  /** Tasks whose findings did not fit into the budget. */
  findingsLeftOut?: readonly string[]
  /** Files that were missing from the prompt of the last attempt. */
  references?: readonly { path: string; text: string }[]
  /** What the last attempt did wrong, as a sentence written by CLEO. */
  breach?: string
  /**
   * A quotation that follows the sentence in `breach`. It can contain words of the last agent, so it goes into a fence.
   */
  breachQuote?: string
  consensus?: ConsensusFacts
  protocol: Protocol
  /**
   * Set if the client loads the task's skill, because the agent file at `path` lists it. The prompt leaves this skill
   * out.
   */
  inAgentFile?: { skill: string; path: string }
  stage: Stage
  tier: 0 | 1 | 2
  gates: readonly Gate[]
  commands: Commands
  git: boolean
  paths: Paths
  /** Missing if the agent works in the project's folder. */
  worktree?: WorktreeFacts
  /** The path of the user's copy of the base protocol. The agent reads this file if its client has cut the prompt. */
  fallback?: string
  session?: string
  /** True if a run drives the agent. The run proves the gates that need a command of the project. */
  inRun?: boolean
}

export interface ConsensusFacts {
  /** For example `C1`. */
  id: string
  /** The task that needs the decision. */
  task: string
  round: number
  /**
   * Set if the agent works on a voter's task. For the second of three voters, `n` is 2 and `of` is 3. Missing if
   * anyone may vote.
   */
  voter?: { n: number; of: number }
  question: string
  options: readonly string[]
  /** The reasons that voters gave in the previous round, which ended without a verdict. */
  earlier: readonly { option: number; position: string; confidence: number; rationale: string }[]
}

/** The findings in the manifest entry of a dependency, or in an entry that is linked to the task. */
export interface Findings {
  task: string
  status: string
  lines: readonly string[]
  /** The absolute path of the output file, if the file exists. */
  file?: string
  linked?: boolean
}

export interface WorktreeFacts extends WorktreeOrigin {
  folder: string
}

export interface Paths {
  root: string
  /** The folder the agent works in: its worktree if it has one, else the project. */
  work: string
  output: string
  /** The output file, relative to `work`. `cleo focus set` makes it. */
  outputFile: string
  manifest: string
  workspace: string
  testRuns: string
}
