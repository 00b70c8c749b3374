import { Refused } from '../kernel/result.ts'
import { backupFolder, freeName, stamp } from '../store/backup-names.ts'
import { databasePath } from '../store/choose-store.ts'
import type { Check } from './check.ts'
import { checks } from './checks.ts'
import type { Found } from './finding.ts'
import type { Patient } from './patient.ts'

export interface Mended {
  /** What was in the database before, where rows were to be changed. */
  backup?: string
  /** Why a check could not mend what it meant to. */
  failed: Map<string, string>
}

/** Mends what was found to be mendable, check by check; a backup comes before the first change of rows. */
export const mend = async (patient: Patient, found: readonly Found[], backup?: string): Promise<Mended> => {
  const due = new Set(found.filter(({ mendable }) => mendable).map(({ check }) => check))
  const mended: Mended = { backup, failed: new Map() }
  for (const check of checks.filter(({ id }) => due.has(id))) {
    try {
      if (changesRows(check)) mended.backup ??= await saveFirst(patient)
      if (check.needs === 'files') await check.mend?.(patient)
      else if (patient.context) await check.mend?.(patient.context)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      mended.failed.set(check.id, error.message)
    }
  }
  return mended
}

const changesRows = (check: Check): boolean => check.needs === 'store' && check.changesRows === true

/** A server has backups of its own. */
const saveFirst = async ({ host, folder, context, dryRun }: Patient): Promise<string | undefined> => {
  if (dryRun || context?.store.dialect.name !== 'sqlite') return undefined
  const { saveSqlite } = await import('../store/sqlite/backup.ts')
  const backups = backupFolder(folder)
  host.files.makeFolder(backups, 0o700)
  for (;;) {
    const path = freeName(backups, `before-doctor-${stamp(host.now())}`)
    if (saveSqlite(databasePath(folder), path, { unique: host.randomId(8) })) return path
  }
}
