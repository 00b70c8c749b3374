import type { Samples } from '../error-page.ts'

const sample = (path: string, message: string) => ({
  id: 'T012',
  broken: 1,
  of: 12,
  problems: [{ path, message, fix: 'cleo respawn T012 --ref' }],
})

export const compliance: Samples = {
  'compliance.unspawned': { id: 'T012' },
  'compliance.return': sample('BASE-002', 'the subagent did not return an allowed line'),
  'compliance.entry': sample('BASE-001', 'T012.1 appended no manifest entry'),
  'compliance.failed': sample('IMPL-003', 'commit 4f0c2a1 has no trailer "Task: T012"'),
}
