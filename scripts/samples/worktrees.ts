import type { Samples } from '../error-page.ts'

const folder = '/home/me/.local/state/cleo/4f2a/worktrees/T012.1'
const shop = '/home/me/shop'
const commits = { is: '1f3870be274f6c49b3e31a0c6728957f', was: '8277e0910d750195b448797616e091ad' }

export const worktrees: Samples = {
  'worktree.failed': { spawn: 'T012.1', folder, why: 'the disk is full' },
  'worktree.invalid': { folder, why: 'it has uncommitted changes', fix: `git -C ${folder} status` },
  'worktree.none': { spawn: 'T012.1' },
  'worktree.unsaved': { spawn: 'T012.1', folder, files: ['src/form.ts'] },
  'worktree.needed': { spawn: 'T012.1', task: 'T012', isOut: true },
  'worktree.unsavable': { spawn: 'T012.1', folder, why: 'it is no longer a worktree of this repository' },
  'worktree.elsewhere': { spawn: 'T012.1', folder, branch: 'cleo/T012.1', on: 'feature' },
  'integration.failed': { branch: 'cleo/T001', why: 'the ref is locked' },
  'integration.taken': { of: 'T001', branch: 'cleo/T001' },
  'integration.checked_out': { branch: 'cleo/T001', folder: shop, onto: 'main' },
  'integration.moved': { branch: 'cleo/T001', ...commits },
  'integration.lost': { branch: 'cleo/T001', commit: commits.was },
  'checkout.busy': { folder: shop, doing: 'rebase' },
  'merge.conflict': {
    ...{ task: 'T012', spawn: 'T012.1', files: ['src/cart.ts'], others: ['T007'], branch: 'cleo/T012.1' },
  },
  'merge.red': {
    ...{ task: 'T012', into: 'cleo/T001', branch: 'cleo/T012.1' },
    problems: [{ path: 'tool:test', message: 'npm test exited with 1' }],
  },
  'merge.failed': { task: 'T012', into: 'cleo/T001', why: 'the disk is full' },
  'merge.lost': { task: 'T012', spawn: 'T012.1', branch: 'cleo/T012.1' },
  'land.none': { epic: 'T001' },
  'land.part': { id: 'T012', root: 'T001' },
  'land.nowhere': { epic: 'T001', branch: 'main' },
  'land.branch': { onto: 'mian', why: 'there is no such branch' },
  'land.elsewhere': { folder: shop, is: 'topic', onto: 'main', epic: 'T001' },
  'land.dirty': { folder: shop, files: ['src/cart.ts'] },
  'land.overwrites': { folder: shop, files: ['src/cart.ts'] },
  'land.conflict': { branch: 'cleo/T001', onto: 'main', epic: 'T001', files: ['src/cart.ts'] },
  'land.red': {
    ...{ branch: 'cleo/T001', onto: 'main', epic: 'T001' },
    problems: [{ path: 'tool:test', message: 'npm test exited with 1' }],
  },
  'land.failed': { branch: 'cleo/T001', onto: 'main', why: 'the disk is full' },
}
