import { isWritable } from '../host/permissions.ts'
import type { Failure } from '../kernel/result.ts'
import { databasePath, postgresAddress } from '../store/open/choose-store.ts'
import { shownAddress } from '../store/postgres/address.ts'
import type { FileCheck } from './check.ts'
import { type DoctorFinding, type FindingKind, manualFinding } from './doctor-finding.ts'
import type { ExaminedProject } from './examined-project.ts'

const mostDamage = 5

export const database: FileCheck = {
  id: 'database',
  needs: 'files',
  question: 'Does the database exist, and is it written by CLEO, readable and undamaged?',
  async find(project) {
    const { state, context } = project
    if (state.is === 'refused')
      return isReportedByWritable(project, state.failure) ? [] : [refused(project, state.failure)]
    if (!context || context.store.dialect.name === 'postgres') return []
    const findings = await damageOf(project)
    if (findings.length > 0) project.state = { is: 'damaged' }
    return findings
  },
}

/** SQLite needs write access even to read. If the access is missing, the `writable` check reports it. */
const isReportedByWritable = ({ folder }: ExaminedProject, { code }: Failure): boolean =>
  code === 'store.readonly' && ![folder, databasePath(folder)].every(isWritable)

/** Reports why the database could not be opened, in the same words as every other command. */
const refused = (project: ExaminedProject, { code, message, fix, alternatives }: Failure): DoctorFinding => {
  const kinds: Partial<Record<typeof code, FindingKind>> = {
    'store.corrupt': 'damage',
    'store.denied': 'config',
    'store.outdated': 'config',
    'project.unnamed': 'config',
  }
  const log = orphanedLog(project)
  return manualFinding({
    kind: kinds[code] ?? 'file',
    severity: 'error',
    what: message.replace(/\.$/, ''),
    why: log
      ? `no command works without it, and ${log} may hold the newest changes: leave it where it is`
      : 'no command works without it',
    where: location(project),
    ...(fix ? { fix } : alternatives && { advice: alternatives[0]!.replace(/\.$/, '') }),
  })
}

const location = ({ host, config }: ExaminedProject): string => {
  const address = postgresAddress(host, config)
  return address ? shownAddress(address) : '.cleo/cleo.db'
}

/** Returns the path of a write-ahead log whose database file is missing. */
const orphanedLog = ({ host, folder, config }: ExaminedProject): string | undefined =>
  !postgresAddress(host, config) &&
  host.files.kind(`${folder}/cleo.db`) === undefined &&
  host.files.size(`${folder}/cleo.db-wal`) > 0
    ? '.cleo/cleo.db-wal'
    : undefined

const damageOf = async ({ context }: ExaminedProject): Promise<DoctorFinding[]> => {
  const { damage } = await import('../store/sqlite/schema-differences.ts')
  const errors = await damage(context!.store, mostDamage)
  if (errors.length === 0) return []
  return [
    manualFinding({
      kind: 'damage',
      severity: 'error',
      what: `.cleo/cleo.db is damaged (${errors.join('; ')})`,
      why: 'reads may be wrong and writes may be lost',
      where: '.cleo/cleo.db',
      fix: 'cleo restore --list',
    }),
  ]
}
