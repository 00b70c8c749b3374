import { isWritable } from '../host/permissions.ts'
import type { Failure } from '../kernel/result.ts'
import type { Code } from '../refusals/refusal-catalogue.ts'
import { databasePath, postgresAddress } from '../store/open/choose-store.ts'
import { shownAddress } from '../store/postgres/address.ts'
import type { FileCheck } from './check.ts'
import { type DoctorFinding, type FindingKind, manualFinding } from './doctor-finding.ts'
import type { ExaminedProject } from './examined-project.ts'
import { isLost } from './outer-checks.ts'
import { orphanedLog } from './paths.ts'

const mostDamage = 5

export const database: FileCheck = {
  id: 'database',
  needs: 'files',
  question: 'Does the database exist, and is it written by CLEO, readable and undamaged?',
  async find(project) {
    const { state, context } = project
    if (state.is === 'refused')
      return isReportedElsewhere(project, state.failure) ? [] : [refused(project, state.failure)]
    if (!context || context.store.dialect.name === 'postgres') return []
    const findings = await damageOf(project)
    if (findings.length > 0) project.state = { is: 'damaged' }
    return findings
  },
}

/**
 * Whether another check reports this failure. For example, SQLite needs write access even to read. If that access is
 * missing, the `writable` check reports the problem.
 */
const isReportedElsewhere = (project: ExaminedProject, { code }: Failure): boolean =>
  code === 'store.other' ||
  isLost(project) ||
  ((code === 'store.readonly' || code === 'store.disk_readonly') &&
    ![project.folder, databasePath(project.folder)].every(isWritable))

/** The text is the same that any other command prints. */
const refused = (project: ExaminedProject, { code, message, fix, alternatives }: Failure): DoctorFinding => {
  const kinds: Partial<Record<typeof code, FindingKind>> = {
    'store.corrupt': 'damage',
    'store.denied': 'config',
    'database.untrusted': 'config',
    'store.outdated': 'config',
    'project.unnamed': 'config',
  }
  const log = orphanedLog(project)
  return manualFinding({
    kind: kinds[code] ?? 'file',
    severity: 'error',
    what: message.replace(/\.$/, ''),
    why: log
      ? `no command works without the database; leave ${log} where it is, because it might hold the newest changes`
      : diskCodes.includes(code)
        ? 'until this is fixed, commands that change something fail'
        : 'no command works without the database',
    where: location(project),
    ...(fix ? { fix } : alternatives && { advice: alternatives[0]!.replace(/\.$/, '') }),
  })
}

const diskCodes: readonly Code[] = ['store.full', 'store.quota', 'store.disk_readonly']

/**
 * True if the configuration names a database server that no person has trusted. CLEO must not connect to such a
 * server.
 */
export const isUntrusted = ({ state }: ExaminedProject): boolean =>
  state.is === 'refused' && state.failure.code === 'database.untrusted'

const location = (project: ExaminedProject): string => {
  const { host, config } = project
  if (isUntrusted(project)) return '.cleo/config.json'
  const address = postgresAddress(host, config)
  return address ? shownAddress(address) : '.cleo/cleo.db'
}

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
