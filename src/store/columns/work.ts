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
