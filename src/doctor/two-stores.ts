import { Refused } from '../kernel/result.ts'
import { databasePath, postgresAddress } from '../store/choose-store.ts'
import { shownAddress } from '../store/postgres/address.ts'
import type { FileCheck } from './check.ts'
import { type Finding, open, plural } from './finding.ts'
import type { Patient } from './patient.ts'

export const twoStores: FileCheck = {
  id: 'stores',
  needs: 'files',
  asks: 'Is the data in one place only?',
  async look(patient) {
    const { host, folder, config } = patient
    const address = postgresAddress(host, config)
    if (!address) return []
    const path = databasePath(folder)
    if (host.files.kind(path) === undefined) return sidecars(patient)
    const tasks = await tasksIn(path)
    if (tasks === 0) return []
    return [
      open({
        kind: 'config',
        severity: 'warning',
        what: `.cleo/cleo.db ${tasks === undefined ? 'is there' : `holds ${plural(tasks, 'task', 'tasks')}`}, but ${source(patient)} says that the data is in ${shownAddress(address)}`,
        why: 'what is in the file is not seen, and what is done now does not reach it',
        where: '.cleo/cleo.db',
        advice: 'Compare the two, and bring over what is missing with cleo export and cleo import',
        fix: 'cleo db status',
      }),
    ]
  },
}

/** Undefined where nobody can tell. */
const tasksIn = async (path: string): Promise<number | undefined> => {
  const { peekTasks } = await import('../store/sqlite/shape.ts')
  try {
    return await peekTasks(path)
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

const source = ({ host }: Patient): string =>
  host.env['CLEO_DATABASE_URL'] ? 'CLEO_DATABASE_URL' : '.cleo/config.json'

/** What a move left behind of a database that is elsewhere now. */
const sidecars = ({ host, folder }: Patient): Finding[] => {
  const left = ['-wal', '-shm'].filter((suffix) => host.files.kind(`${databasePath(folder)}${suffix}`))
  if (left.length === 0) return []
  const names = left.map((suffix) => `.cleo/cleo.db${suffix}`)
  return [
    open({
      kind: 'file',
      severity: 'warning',
      what: `${names.join(' and ')} ${left.length === 1 ? 'is' : 'are'} there without a database`,
      why: 'a file that is put there later would be mixed with it',
      where: names[0]!,
      advice: 'Move what is left to another folder; the data is in PostgreSQL',
    }),
  ]
}
