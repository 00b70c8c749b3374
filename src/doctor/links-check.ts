import { statAt } from '../host/stat.ts'
import type { FileCheck } from './check.ts'
import { listNames, manualFinding } from './doctor-finding.ts'

/** What CLEO makes in `.cleo/`, as real files and folders; '' is the folder itself. */
const ownPaths = [
  ...['', '/config.json', '/cleo.db', '/secret', '/backups'],
  ...[
    '/spawns',
    '/cache',
    '/content',
    '/context',
    '/test-runs',
    '/runs',
    '/rcasd',
    '/cleo.db-wal',
    '/cleo.db-shm',
  ],
]

export const links: FileCheck = {
  id: 'links',
  needs: 'files',
  question: 'Are .cleo/ and the files and folders in it real, and not links?',
  find({ folder }) {
    const found = ownPaths
      .filter((below) => statAt(folder + below)?.kind === 'link')
      .map((below) => `.cleo${below}`)
    if (found.length === 0) return []
    return [
      manualFinding({
        kind: 'file',
        severity: 'error',
        what: `symbolic links: ${listNames(found)}`,
        why: 'CLEO follows no links here, because those of a clone lead anywhere; commands that need them are refused',
        where: found[0]!,
        advice: 'Replace each link by what it points to',
      }),
    ]
  },
}
