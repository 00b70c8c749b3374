import { refusal } from './refusal.ts'

/** Refusals because a worktree cannot be prepared for work. */
export const worktreeSetup = () => ({
  'worktree.setup': refusal<{
    spawn: string
    command: string
    /** How the command ended, such as `exited with 1`. */
    ending: string
    exit?: number
    /** The last lines of its output and the path of the log, after a colon; empty if there are none. */
    lines: string
    log?: string
    setting: string
  }>({
    exit: 63,
    message: ({ spawn, command, ending, lines }) =>
      `The worktree of ${spawn} could not be set up: ${command} ${ending}${lines}`,
    fix: ({ setting }) => `cleo config get ${setting}`,
    alternatives: () => [
      'A person can choose other commands: cleo config set worktrees.setup "…"',
      'A person can switch the set-up off: cleo config set worktrees.setup "[]"',
    ],
  }),
  'worktree.space': refusal<{ folder: string; free: string; needed: string }>({
    exit: 3,
    message: ({ folder, free, needed }) =>
      `The disk of ${folder} has ${free} free, less than worktrees.minFree (${needed}). No worktree was made.`,
    fix: () => 'cleo worktree list',
  }),
})
