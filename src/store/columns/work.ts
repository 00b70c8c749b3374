import { protocols } from '../../kernel/protocol.ts'
import type { Columns } from './column.ts'

export const sessions = {
  seq: 'count',
  id: 'name',
  name: 'name',
  scope: 'task?',
  status: ['active', 'ended'],
  actor: 'name',
  started_at: { is: 'time', as: 'startedAt' },
  ended_at: { is: 'time?', as: 'endedAt' },
} as const satisfies Columns

export const claims = {
  task: 'task',
  owner: 'name',
  epoch: 'count',
  state: ['held', 'lost'],
  expires_at: { is: 'time', as: 'expiresAt' },
} as const satisfies Columns

export const focus = {
  session: { is: 'text', default: '' },
  agent: 'name',
  task: 'task',
  since: 'time',
} as const satisfies Columns

export const spawns = {
  seq: 'count',
  id: 'name',
  task: 'task',
  attempt: 'count',
  protocol: protocols,
  tier: 'count',
  hash: 'name',
  tokens: 'count',
  actor: 'name',
  session: 'name?',
  /** The thread of the client that requested the spawn: an environment variable and its value, as `NAME=value`. */
  thread: 'text?',
  at: 'time',
  /** When the subagent first set focus. */
  started_at: { is: 'time?', as: 'startedAt' },
  /** The options that the caller gave. */
  asked: 'json',
  /** Facts about the prompt, such as its skills, budget and warnings; also the pinned commands and the terms. */
  report: 'json',
  prompt: 'text',
  /** When the spawn last ran a command. Not every command is recorded: see `recordedEvery` in `claims/lease.ts`. */
  seen_at: { is: 'time?', as: 'seenAt' },
  /** When the spawn's return was received or refused. Also set when the task is released or reopened. */
  back_at: { is: 'time?', as: 'backAt' },
  /** The agents of the spawn, as their clients reported them: see `SpawnAgent` in `claims/sql/spawn-agents.ts`. */
  agents: 'json?',
  /** When the agent of a run submitted its work. The run then checks the gates that need a command of the project. */
  submitted_at: { is: 'time?', as: 'submittedAt' },
} as const satisfies Columns

export const returns = {
  seq: 'count',
  task: 'task',
  spawn: 'text',
  at: 'time',
  actor: 'text',
  returned: 'text?',
  need: 'json?',
  breach: 'text?',
  entry: 'text?',
  made: 'json?',
} as const satisfies Columns

export const integrations = {
  epic: 'task',
  branch: 'name',
  /** The branch to land on: the branch that was checked out at the first spawn. NULL if HEAD was detached. */
  onto: 'text?',
  /** The commit from which the branch started. After a landing, the commit to which the user's branch moved. */
  base: 'name',
  /** The commit that CLEO last moved the branch to. */
  tip: 'name',
  at: 'time',
  landed_at: { is: 'time?', as: 'landedAt' },
  /** Set while `land` moves this branch or the user's branch. */
  landing: 'json?',
} as const satisfies Columns

export const worktrees = {
  spawn: 'name',
  task: 'task',
  epic: 'task',
  /** The top folder of the worktree. */
  folder: 'name',
  /** The branch of the worktree. NULL if HEAD is detached: a spawn that changes no code has no branch. */
  branch: 'text?',
  /** The commit of the integration branch from which the worktree started. */
  base: 'name',
  made_by: { is: ['cleo', 'client'], as: 'madeBy' },
  slot: 'count',
  port_base: { is: 'count', as: 'portBase' },
  state: ['making', 'there', 'gone'],
  at: 'time',
} as const satisfies Columns

/**
 * Each row is the merge of one spawn's work. In the state `moving`, the integration branch is about to move, or it has
 * moved but the move is not recorded yet.
 */
export const merges = {
  seq: 'count',
  spawn: 'name',
  task: 'task',
  epic: 'task',
  state: ['moving', 'merged', 'refused'],
  /** The last commit of the spawn. */
  head: 'name',
  /**
   * The last commit of the integration branch: `base` before the merge, `tip` after it. `tip` is NULL if the merge did
   * not move the branch.
   */
  base: 'name',
  tip: 'text?',
  /** Conflicting files, failed commands and flaky commands. */
  report: 'json',
  actor: 'name',
  at: 'time',
} as const satisfies Columns

/** The runs. In a run, CLEO itself drives the agents of an epic. */
export const runs = {
  seq: 'count',
  epic: 'task',
  state: ['running', 'draining', 'stopped', 'finished'],
  /** Why the run stopped. */
  why: 'text?',
  /** Which agent to start, how many agents work at the same time, and the limits. */
  options: 'json',
  /** Grows with each resume. A driver with a lower number must stop, because another driver has taken over the run. */
  epoch: 'count',
  /** The process that drives the run: machine, pid and start time. */
  driver: 'json?',
  actor: 'name',
  at: 'time',
  /** When the driver last wrote that it is alive. */
  seen_at: { is: 'time', as: 'seenAt' },
  ended_at: { is: 'time?', as: 'endedAt' },
} as const satisfies Columns

/** The steps of a run, each written before it is carried out. */
export const runEvents = {
  seq: 'count',
  run: 'count',
  at: 'time',
  kind: 'name',
  task: 'text?',
  spawn: 'text?',
  data: 'json?',
} as const satisfies Columns

/** The agent programs that a run started, one for each spawn. */
export const runAgents = {
  spawn: 'name',
  run: 'count',
  task: 'task',
  agent: 'name',
  /** The value of an environment variable that all processes of the agent have. CLEO finds them by this value. */
  marker: 'name',
  /** Pid and start time of the process that watches the agent. */
  watcher: 'json?',
  state: ['preparing', 'running', 'ended'],
  /** The session in the client. A restarted agent continues this session. */
  client_session: { is: 'text?', as: 'clientSession' },
  /** How the agent ended, which actions were denied, and its last message. */
  ending: 'json?',
  /** How many model tokens the agent used and what they cost, as the client reported it. */
  usage: 'json?',
  at: 'time',
  ended_at: { is: 'time?', as: 'endedAt' },
} as const satisfies Columns
