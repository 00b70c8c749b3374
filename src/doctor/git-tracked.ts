import { gitAt } from '../host/git.ts'
import type { FileCheck } from './check.ts'
import { named, open } from './finding.ts'
import { meant } from './git-ignore.ts'

export const gitTracked: FileCheck = {
  id: 'tracked',
  needs: 'files',
  asks: 'Does git track nothing of .cleo/ but its configuration?',
  async look(patient) {
    const listed = (await gitAt(patient.host, patient.root)?.listing()) ?? []
    const tracked = listed
      .filter(({ path, tracked }) => path.startsWith('.cleo/') && tracked && !meant.includes(path))
      .map(({ path }) => path)
    if (tracked.length === 0) return []
    return [
      open({
        kind: 'file',
        severity: 'error',
        what: `git tracks ${named(tracked)}`,
        why: 'a checkout puts an old copy in the place of the live one, and work is lost',
        where: tracked[0]!,
        advice: 'Save first; then tell git to forget these files but keep them on disk, and commit that',
        fix: 'cleo backup',
      }),
    ]
  },
}
