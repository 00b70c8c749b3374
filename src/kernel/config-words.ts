// These words are not in config.ts, because building the schema there takes time and few commands need it.

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
] as const
export type HookEvent = (typeof hookEvents)[number]

export const families = ['gpt', 'claude', 'gemini'] as const

export const toolNames = ['test', 'lint', 'build', 'typecheck', 'audit'] as const
export type Tool = (typeof toolNames)[number]
/** Any one of these proves the gate qaPassed. */
export const qualityTools: readonly Tool[] = ['lint', 'typecheck', 'build']
/** The program and arguments of each tool, such as test or build. */
export type Commands = Partial<Record<Tool, string[]>>

/** What applies while a setting of worktrees and merging is left out. */
export const worktreeDefaults = { by: 'cleo', minFree: 1_000_000_000, batch: 8 } as const
