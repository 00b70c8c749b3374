import type { FileCheck } from './check.ts'
import { open } from './finding.ts'

const many = 100

export const backups: FileCheck = {
  id: 'backups',
  needs: 'files',
  asks: `Are there at most ${many} backups?`,
  look({ host, folder }) {
    const names = host.files.list(`${folder}/backups`).filter((name) => name.endsWith('.db'))
    if (names.length <= many) return []
    const bytes = names.reduce((sum, name) => sum + host.files.size(`${folder}/backups/${name}`), 0)
    return [
      open({
        kind: 'file',
        severity: 'warning',
        what: `.cleo/backups holds ${names.length} backups (${Math.ceil(bytes / 1024 / 1024)} MiB)`,
        why: 'something may be making them again and again, and the disk fills up',
        where: '.cleo/backups',
        fix: 'cleo restore --list',
      }),
    ]
  },
}
