import { isWritable } from '../host/care.ts'
import type { Failure } from '../kernel/result.ts'
import { databasePath, postgresAddress } from '../store/choose-store.ts'
import { shownAddress } from '../store/postgres/address.ts'
import type { FileCheck } from './check.ts'
import { type Finding, type Kind, open } from './finding.ts'
import type { Patient } from './patient.ts'

const mostDamage = 5

export const database: FileCheck = {
  id: 'database',
  needs: 'files',
  asks: 'Is the database there, ours, readable and whole?',
  async look(patient) {
    const { state, context } = patient
    if (state.is === 'refused')
      return isForWritable(patient, state.failure) ? [] : [refused(patient, state.failure)]
    if (!context || context.store.dialect.name === 'postgres') return []
    const found = await damageOf(patient)
    if (found.length > 0) patient.state = { is: 'damaged' }
    return found
  },
}

/** SQLite has to write to read; that it may not is said by another check. */
const isForWritable = ({ folder }: Patient, { code }: Failure): boolean =>
  code === 'store.readonly' && ![folder, databasePath(folder)].every(isWritable)

/** Why it could not be opened, in the words that every other command has for it. */
const refused = (patient: Patient, { code, message, fix, alternatives }: Failure): Finding => {
  const kinds: Partial<Record<typeof code, Kind>> = {
    'store.corrupt': 'damage',
    'store.denied': 'config',
    'store.outdated': 'config',
    'project.unnamed': 'config',
  }
  const beside = sidecars(patient)
  return open({
    kind: kinds[code] ?? 'file',
    severity: 'error',
    what: message.replace(/\.$/, ''),
    why: beside
      ? `no command works without it, and ${beside} may hold the newest changes: leave it where it is`
      : 'no command works without it',
    where: whereIs(patient),
    ...(fix ? { fix } : alternatives && { advice: alternatives[0]!.replace(/\.$/, '') }),
  })
}

const whereIs = ({ host, config }: Patient): string => {
  const address = postgresAddress(host, config)
  return address ? shownAddress(address) : '.cleo/cleo.db'
}

/** A write-ahead log whose database is gone. */
const sidecars = ({ host, folder, config }: Patient): string | undefined =>
  !postgresAddress(host, config) &&
  host.files.kind(`${folder}/cleo.db`) === undefined &&
  host.files.size(`${folder}/cleo.db-wal`) > 0
    ? '.cleo/cleo.db-wal'
    : undefined

const damageOf = async ({ context }: Patient): Promise<Finding[]> => {
  const { damage } = await import('../store/sqlite/shape.ts')
  const said = await damage(context!.store, mostDamage)
  if (said.length === 0) return []
  return [
    open({
      kind: 'damage',
      severity: 'error',
      what: `.cleo/cleo.db is damaged (${said.join('; ')})`,
      why: 'what is read from it may be wrong, and what is written may be lost',
      where: '.cleo/cleo.db',
      fix: 'cleo restore --list',
    }),
  ]
}
