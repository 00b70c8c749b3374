import type { Samples } from '../error-page.ts'

export const worktreeSetup: Samples = {
  'worktree.setup': {
    spawn: 'T012.1',
    command: 'npm ci',
    ending: 'exited with 1',
    exit: 1,
    lines: ':\nnpm error code ENOTCACHED\nlog: .cleo/test-runs/T012.1-set-up-1.log',
    log: '.cleo/test-runs/T012.1-set-up-1.log',
    setting: 'worktrees.setup',
  },
  'worktree.space': { folder: '/home/me/trees/T012.1', free: '412.5 MB', needed: '1 GB' },
}
