import type { FileCheck } from './check.ts'
import { named, open } from './finding.ts'
import { askGit } from './git.ts'

const meant = ['.cleo/.gitignore', '.cleo/config.json']

export const gitTracked: FileCheck = {
  id: 'tracked',
  needs: 'files',
  asks: 'Does git track nothing of .cleo/ but its configuration?',
  async look(patient) {
    const listed = await askGit(patient, ['ls-files', '--', '.cleo'])
    const tracked = listed.ok ? listed.lines.filter((line) => !meant.includes(line)) : []
    if (tracked.length === 0) return []
    return [
      open({
        kind: 'file',
        severity: 'error',
        what: `git tracks ${named(tracked)}`,
        why: 'a checkout puts an old copy in the place of the live one, and work is lost',
        where: tracked[0]!,
        fix: 'Save first (cleo backup --out ../cleo-saved.db); then untrack these files, keep them on disk, and commit that.',
      }),
    ]
  },
}
