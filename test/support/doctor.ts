import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../src/host/sha256.ts'
import type { Problem } from '../../src/kernel/result.ts'
import type { Store } from '../../src/store/port.ts'
import type { TestProject } from './project.ts'

export interface DoctorRefusal {
  code: string
  exit: number
  message: string
  problems: Problem[]
}

/** Returns what doctor reports; undefined for a healthy project. */
export const faultsOf = async (project: TestProject, fix = false): Promise<DoctorRefusal | undefined> => {
  const answer = await project.as('eve').call('admin.doctor', { fix })
  if (answer.ok) return undefined
  return { ...answer, problems: answer.problems ?? [] }
}

const tablesOf = async (store: Store): Promise<string[]> => {
  const rows = await store.all<{ name: string }>(
    store.dialect.name === 'sqlite'
      ? "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'"
      : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_name NOT IN ('tasks_text', 'texts')",
  )
  return rows.map(({ name }) => name).sort()
}

/** Returns every row of the database except those of the audit log. */
export const rowsOf = async (project: TestProject): Promise<string[]> => {
  const store = await project.store()
  const lines: string[] = []
  for (const table of await tablesOf(store))
    if (table !== 'audit')
      // A stored count of zero means the same as a missing count.
      for (const row of await store.all<object>(
        `SELECT * FROM ${table}${table === 'task_counts' ? ' WHERE n <> 0' : ''}`,
      ))
        lines.push(`${table} ${JSON.stringify(row)}`)
  return lines.sort()
}

/** Returns every file of a project with its mode and content. Leaves out the database, its backups and git's files. */
export const filesOf = (root: string): string[] => {
  const lines: string[] = []
  for (const entry of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(root, entry)
    const stat = lstatSync(path)
    if (/cleo\.db(-wal|-shm)?$|^\.git\//.test(entry) || entry.startsWith('.cleo/backups')) continue
    const content = stat.isFile()
      ? sha256(readFileSync(path))
      : stat.isSymbolicLink()
        ? readlinkSync(path)
        : ''
    lines.push(`${entry} ${(stat.mode & 0o777).toString(8)} ${content}`)
  }
  return lines
}
