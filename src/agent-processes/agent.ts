import type { Host } from '../host/host.ts'
import type { Problem } from '../kernel/result.ts'

/** The kinds of agent that CLEO can start itself. */
export const agentNames = ['claude', 'codex', 'gemini', 'opencode', 'acp', 'command', 'scripted'] as const
export type AgentName = (typeof agentNames)[number]

export interface AgentTask {
  spawn: string
  task: string
  run: string
  /**
   * The whole prompt. The agent reads it from standard input, because an argument of a command line can hold at most
   * 128 KiB.
   */
  prompt: string
  /** Agents may read the folder of this file. */
  promptFile: string
  /** The folder that the agent works in: its worktree, or the project. */
  folder: string
  projectRoot: string
  /** Environment variables for this agent, such as CLEO_AGENT_ID and CLEO_SLOT. */
  env: Readonly<Record<string, string>>
  /** The client's session that the agent continues. Only for kinds whose `resumes` is true. */
  resume?: string
}

export interface AgentSettings {
  /**
   * The program to start, with its arguments, for the kinds `command` and `acp`. For `acp`, the program must speak
   * the Agent Client Protocol.
   */
  command?: readonly string[]
  /** The scenario file of a scripted agent. */
  scenario?: string
  /** The model, by the name that the client uses. If it is missing, the client chooses a model. */
  model?: string
  /**
   * The agent may run commands that begin with one of these texts, such as the command for the project's tests. It
   * may always run `cleo` and some git commands.
   */
  allowed?: readonly string[]
  /** Names of environment variables that the agent gets besides those in `environment.ts`. */
  variables?: readonly string[]
  /** Whether the client gets CLEO's MCP server. Without the server, the agent can still run `cleo` in its shell. */
  mcp?: boolean
}

/** A program to start. CLEO writes `input` to the program's standard input and then closes the standard input. */
export interface Launch {
  program: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  cwd: string
  input: string
}

export interface AgentKind {
  name: AgentName
  title: string
  /** Whether a session of the client can be continued with `AgentTask.resume`. */
  resumes: boolean
  /** Whether the stream reports cost. If not, a cost limit works only with configured prices, see `costOf`. */
  reportsCost: boolean
  /** Looks for the program without starting it. */
  find(host: Host, settings: AgentSettings): { program: string } | { problem: Problem }
  launch(host: Host, task: AgentTask, settings: AgentSettings): Promise<Launch>
}

/** Reads one line of a client's stream. Returns no notes if the reader does not know the form of the line. */
export type StreamReader = (line: string, from: 'output' | 'errors') => AgentNote[]

/** What a client's stream says about its agent. */
export type AgentNote =
  | { kind: 'action'; text: string }
  | { kind: 'message'; text: string }
  | { kind: 'session'; id: string }
  /** How many model tokens the agent's process has used so far. A later note replaces an earlier one. */
  | ({ kind: 'tokens'; cost?: number } & AgentTokens)
  | { kind: 'denied'; what: string }
  | { kind: 'quota'; text: string; until?: number }
  | { kind: 'auth'; text: string }
  | { kind: 'no cleo' }
  | { kind: 'turn over'; failed?: string }

/** How a process ended. This does not say whether the work is done. `receive` decides that. */
export const endings = [
  'ended',
  'asked a question',
  'crashed',
  'idle',
  'too long',
  'quota',
  'not logged in',
  'not found',
  'not started',
  'ended by us',
  /** The watcher was killed. CLEO found the watcher's agent by the marker and ended it. */
  'watcher lost',
] as const
export type Ending = (typeof endings)[number]

export interface AgentTokens {
  /** Includes cached tokens. */
  input: number
  output: number
  cached?: number
  model?: string
  /**
   * Set if the counts are for the whole session of the client. Such counts include the tokens of an earlier agent whose
   * session this agent continues.
   */
  ofSession?: true
}

/** The end of an agent's process, as the watcher records it. */
export interface AgentEnd {
  ending: Ending
  /** One line that tells a person why the process ended, if possible in the client's words. */
  reason?: string
  code?: number
  signal?: string
  /** The actions that the agent was not allowed to do, without duplicates, at most 20. */
  denied: string[]
  lastMessage?: string
  tokens?: AgentTokens
  /** In US dollars, if the client reports it. */
  cost?: number
  /** The client's own session, for `AgentTask.resume`. */
  session?: string
  /** Set if the agent's shell did not find `cleo`. */
  cleoMissing?: true
  /** When the quota is available again, in milliseconds since 1970, if the client says so. */
  quotaUntil?: number
  /** How many bytes the agent printed. The log can hold fewer. */
  bytes: number
  /** How many processes still ran after the agent had ended. CLEO ended them. */
  leftBehind: number
  startedAt?: number
  endedAt: number
}

/** Files of one agent, in the folder of its run. */
export interface AgentFiles {
  /** The agent's output. If the output is longer than a limit, the log has only its beginning and its end. */
  log: string
  /** Has one AgentNote per line. A driver that takes over the agent reads this file. */
  notes: string
  /** Holds the AgentEnd. Written atomically. */
  end: string
}

export interface AgentLimits {
  /** Milliseconds without output after which the agent is ended. */
  idleMs: number
  totalMs: number
  /** Milliseconds that a process may live after its turn is over. */
  turnOverMs: number
  /** Milliseconds between SIGTERM and SIGKILL. */
  graceMs: number
  /** How many bytes the log keeps from the beginning of the output. The log also keeps the end of a longer output. */
  logBytes: number
}

/** What a run records about an agent before the agent starts, so that a later driver can find the agent. */
export interface AgentRecord {
  /** The start time is needed because the system can give the same process id to a later process. */
  watcher: { pid: number; startTime: string }
  marker: string
  files: AgentFiles
}

export interface StartAgent {
  kind: AgentName
  launch: Launch
  files: AgentFiles
  limits?: Partial<AgentLimits>
  /** What the watcher does when the run's process is gone: end the agent, or let it finish its turn. */
  onLoss: 'end' | 'finish'
  onNote(note: AgentNote): void
}

export interface RunningAgent extends AgentRecord {
  /** Starts the agent. Until then only its watcher runs. */
  go(): void
  /** Ends the agent and everything it started. */
  end(why: string): Promise<AgentEnd>
  ended: Promise<AgentEnd>
}

export interface AgentProcesses {
  /**
   * Starts a watcher, which starts the agent only after `go` is called. Record the agent before calling `go`, so that
   * a later driver can find it.
   */
  start(options: StartAgent): Promise<RunningAgent | { problem: string }>
  /**
   * Finds an agent that another process started. Follows the agent while its watcher lives. Then reads how the
   * agent ended, and ends all processes that the agent left behind. `go` of the returned agent does nothing,
   * because the agent was already started.
   */
  adopt(record: AgentRecord, onNote: (note: AgentNote) => void): Promise<RunningAgent>
  /**
   * Ends an agent that no driver follows. First ends its watcher, so that the watcher cannot start the agent any more.
   * Then ends every process of this user that has the marker. Returns how many processes had the marker.
   */
  endLeftover(left: Pick<AgentRecord, 'marker'> & Partial<Pick<AgentRecord, 'watcher'>>): Promise<number>
}
