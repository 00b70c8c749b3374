import { chmodSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { freeName } from '../backup-names.ts'

/** Turns a sealed database into a backup that opens again, and takes the sealed one away. */
export const retireSqlite = (path: string, folder: string, name: string): string => {
  const target = freeName(folder, name)
  const sealed = new DatabaseSync(path)
  sealed.prepare('VACUUM INTO ?').run(target)
  sealed.close()
  const kept = new DatabaseSync(target)
  kept.exec('ALTER TABLE audit_moved RENAME TO audit')
  kept.close()
  chmodSync(target, 0o600)
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
  return target
}
