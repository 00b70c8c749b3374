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
  /** The thread of the agent client that asked for the spawn, as its variable and value. */
  thread: 'text?',
  at: 'time',
  /** When the subagent first set focus. */
  started_at: { is: 'time?', as: 'startedAt' },
  /** The options that the caller gave. */
  asked: 'json',
  /** Skills, budget, tokens and warnings. */
  report: 'json',
  prompt: 'text',
  /** When the spawn last ran a command, as far as recorded: see `recordedEvery` in `claims/lease.ts`. */
  seen_at: { is: 'time?', as: 'seenAt' },
  /** When the spawn's return was received, even if it was refused, or its task was released or reopened. */
  back_at: { is: 'time?', as: 'backAt' },
  /** The agents of the spawn, as their clients reported them: see `SpawnAgent` in `claims/sql/spawn-agents.ts`. */
  agents: 'json?',
} as const satisfies Columns

/** The returns of subagents. */
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

/** The integration branch of an epic. */
export const integrations = {
  epic: 'task',
  branch: 'name',
  /** The user's branch at the first spawn, to which the work lands; NULL if HEAD was detached. */
  onto: 'text?',
  /** The commit that the branch started from, or the last one that landed. */
  base: 'name',
  /** The commit that CLEO last moved the branch to. */
  tip: 'name',
  at: 'time',
  landed_at: { is: 'time?', as: 'landedAt' },
  /** A move of the user's branch or of this one that was begun and not finished. */
  landing: 'json?',
} as const satisfies Columns

/** The worktree of a spawn. */
export const worktrees = {
  spawn: 'name',
  task: 'task',
  epic: 'task',
  /** The top folder of the worktree. */
  folder: 'name',
  /** NULL if HEAD is detached: the spawn changes no code. */
  branch: 'text?',
  /** The commit of the integration branch that the worktree started from. */
  base: 'name',
  made_by: { is: ['cleo', 'client'], as: 'madeBy' },
  slot: 'count',
  port_base: { is: 'count', as: 'portBase' },
  state: ['making', 'there', 'gone'],
  at: 'time',
} as const satisfies Columns

/** What became of a spawn's work: an intended move of the integration branch, a merge, or a refusal. */
export const merges = {
  seq: 'count',
  spawn: 'name',
  task: 'task',
  epic: 'task',
  state: ['moving', 'merged', 'refused'],
  /** The last commit of the spawn. */
  head: 'name',
  /** The integration branch before and, if it moved, after. */
  base: 'name',
  tip: 'text?',
  /** Conflicting files, failed commands, flaky ones. */
  report: 'json',
  actor: 'name',
  at: 'time',
} as const satisfies Columns
