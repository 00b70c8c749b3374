import type { Samples } from '../error-page.ts'

export const manifest: Samples = {
  'entry.not_found': { id: 'T012-sign-up-form' },
  'entry.none': { task: 'T012' },
  'entry.foreign': { actor: 'T012.1', id: 'T013' },
  'entry.twice': { spawn: 'T012.1', id: 'T012-sign-up-form' },
  'entry.taken': { id: 'T012-sign-up-form' },
  'output.absent': {
    path: '/home/me/shop/claudedocs/agent-outputs/T012-sign-up-form.md',
    task: 'T012',
    as: 'T012.1',
  },
  'output.invalid': {
    path: '/tmp/T012-form.md',
    why: 'is not in claudedocs/agent-outputs, nor in a folder that output.roots names',
  },
  'output.unfilled': {
    path: '/home/me/shop/claudedocs/agent-outputs/T012-sign-up-form.md',
    task: 'T012',
    why: 'its Summary is empty',
  },
  'output.several': { task: 'T012', files: ['T012-a.md', 'research/T012-b.md'] },
}
