// These lists are not in config.ts, because importing config.ts builds the schema. Building it takes time, and few
// commands need it.

export const hookEvents = [
  'task.added',
  'task.updated',
  'task.started',
  'task.completed',
  'task.blocked',
  'task.unblocked',
  'task.cancelled',
  'task.reopened',
  'task.merged',
  'session.started',
  'session.ended',
  'spawn.created',
  'run.finished',
] as const
export type HookEvent = (typeof hookEvents)[number]

export const families = ['gpt', 'claude', 'gemini'] as const

export const toolNames = ['test', 'lint', 'build', 'typecheck', 'audit'] as const
export type Tool = (typeof toolNames)[number]
/** Any one of these tools can prove the gate qaPassed. */
export const qualityTools: readonly Tool[] = ['lint', 'typecheck', 'build']
/** The program and arguments of each tool, such as test or build. */
export type Commands = Partial<Record<Tool, string[]>>

export const worktreeDefaults = { by: 'cleo', minFree: 1_000_000_000, batch: 8 } as const

export const runAgents = ['claude', 'codex', 'gemini', 'opencode', 'acp', 'command'] as const
/** How a run checks the work of an agent: without a sandbox (`same-user`) or in a sandbox made by bubblewrap. */
export const verifyPolicies = ['same-user', 'bubblewrap'] as const
export type VerifyPolicy = (typeof verifyPolicies)[number]
export const runDefaults = {
  parallel: 3,
  idle: 20,
  total: 180,
  onLoss: 'end',
  verify: 'same-user',
} as const
