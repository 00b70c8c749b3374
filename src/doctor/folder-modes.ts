import { modeOf, setMode } from '../host/care.ts'
import type { FileCheck } from './check.ts'
import { mendable, named } from './finding.ts'
import type { Patient } from './patient.ts'

const folders = ['', '/backups', '/spawns', '/cache', '/test-runs']
const files = ['/cleo.db', '/cleo.db-wal', '/cleo.db-shm', '/secret']

export const folderModes: FileCheck = {
  id: 'modes',
  needs: 'files',
  asks: 'Can nobody but you read what is in .cleo/?',
  look(patient) {
    const wide = tooWide(patient)
    if (wide.length === 0) return []
    const shown = wide.map(({ name, mode }) => `${name} (${mode.toString(8).padStart(3, '0')})`)
    return [
      mendable({
        kind: 'file',
        severity: 'warning',
        what: `${named(shown)} may be read by others on this machine`,
        why: 'prompts and task texts can hold what is not for them',
        where: wide[0]!.name,
      }),
    ]
  },
  mend(patient) {
    for (const { path, mode } of tooWide(patient)) if (!patient.dryRun) setMode(path, mode & 0o700)
  },
}

const tooWide = ({ folder }: Patient): { path: string; name: string; mode: number }[] =>
  [...folders, ...files].flatMap((below) => {
    const path = folder + below
    const mode = modeOf(path)
    return mode !== undefined && mode & 0o077 ? [{ path, name: `.cleo${below}`, mode }] : []
  })
