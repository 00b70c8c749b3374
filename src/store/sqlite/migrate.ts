import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../../host/node-database-files.ts'
import { migrations } from '../generated/migrations.ts'
import { freeName } from './backup-names.ts'
import { applicationId } from './check-file.ts'

export interface Migration {
  version: number
  name: string
  sql: string
}

/**
 * Migrates a file, with all steps in one transaction. If many processes start at once, the first to get the write lock
 * makes the backup and migrates. The others find the file up to date.
 */
export const migrate = (
  database: DatabaseSync,
  path: string,
  steps: readonly Migration[] = migrations.sqlite,
) => {
  database.exec('BEGIN IMMEDIATE')
  try {
    const from = versionOf(database)
    const due = steps.filter(({ version }) => version > from)
    if (from > 0 && due.length > 0) backupBeside(path, from)
    for (const { version, sql } of due) database.exec(`${sql}; PRAGMA user_version = ${version}`)
    database.exec(`PRAGMA application_id = ${applicationId}; COMMIT`)
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

const versionOf = (database: DatabaseSync): number =>
  (database.prepare('SELECT user_version AS version FROM pragma_user_version').get() as { version: number })
    .version

// The backup is made with VACUUM, which cannot run inside the transaction of the migration. So it uses a second
// connection, which still reads the state before the migration.
const backupBeside = (path: string, version: number): void => {
  const folder = join(dirname(path), 'backups')
  makeFolder(folder)
  const reader = new DatabaseSync(path)
  try {
    reader.prepare('VACUUM INTO ?').run(freeName(folder, `before-schema-${version + 1}`))
  } finally {
    reader.close()
  }
}
