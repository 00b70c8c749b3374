import { Refused } from '../kernel/result.ts'
import { databasePath, postgresAddress } from '../store/open/choose-store.ts'
import { shownAddress } from '../store/postgres/address.ts'
import type { FileCheck } from './check.ts'
import { isUntrusted } from './database-check.ts'
import { type DoctorFinding, manualFinding, plural } from './doctor-finding.ts'
import type { ExaminedProject } from './examined-project.ts'

export const twoStores: FileCheck = {
  id: 'stores',
  needs: 'files',
  question: 'Is the data in one database only?',
  async find(project) {
    const { host, folder, config } = project
    const address = isUntrusted(project) ? undefined : postgresAddress(host, config)
    if (!address) return []
    const path = databasePath(folder)
    if (host.files.kind(path) === undefined) return leftovers(project)
    const tasks = await tasksIn(path)
    if (tasks === 0) return []
    return [
      manualFinding({
        kind: 'config',
        severity: 'warning',
        what: `.cleo/cleo.db ${tasks === undefined ? 'exists' : `holds ${plural(tasks, 'task', 'tasks')}`}, but ${source(project)} says that the data is in ${shownAddress(address)}`,
        why: 'CLEO does not read the file, and new changes do not reach it',
        where: '.cleo/cleo.db',
        advice: 'Compare the two, and copy what is missing with cleo export and cleo import',
        fix: 'cleo db status',
      }),
    ]
  },
}

/** Returns undefined if the file cannot be read. */
const tasksIn = async (path: string): Promise<number | undefined> => {
  const { peekTasks } = await import('../store/sqlite/schema-differences.ts')
  try {
    return await peekTasks(path)
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

const source = ({ host }: ExaminedProject): string =>
  host.env['CLEO_DATABASE_URL'] ? 'CLEO_DATABASE_URL' : '.cleo/config.json'

/** Reports SQLite's `-wal` and `-shm` files that were left behind when the data moved to PostgreSQL. */
const leftovers = ({ host, folder }: ExaminedProject): DoctorFinding[] => {
  const left = ['-wal', '-shm'].filter((suffix) => host.files.kind(`${databasePath(folder)}${suffix}`))
  if (left.length === 0) return []
  const names = left.map((suffix) => `.cleo/cleo.db${suffix}`)
  return [
    manualFinding({
      kind: 'file',
      severity: 'warning',
      what: `${names.join(' and ')} ${left.length === 1 ? 'exists' : 'exist'} without a database`,
      why: 'SQLite would use the content for any database file that is copied there later',
      where: names[0]!,
      advice: `Move ${left.length === 1 ? 'this file' : 'both files'} to another folder; the data is in PostgreSQL`,
    }),
  ]
}
