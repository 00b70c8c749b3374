import { DatabaseSync } from 'node:sqlite'
import type { Acknowledged } from './mixed-writes.ts'

export interface Entry {
  actor: string
  operation: string
  task: string
}

export interface Ledger {
  /** Writes that were acknowledged but are not in the database. */
  lost: string[]
  /** Writes in the database that were not acknowledged. */
  surplus: Entry[]
  /** Places where the log, replayed from its start, does not lead to the state in the tables. */
  broken: string[]
  writes: number
  tasks: number
}

interface LogRow extends Entry {
  before: string | null
  after: string | null
}

/** Compares the acknowledged writes with the audit log, and the log with the tables. */
export const ledger = (path: string, told: ReadonlyMap<string, readonly Acknowledged[]>): Ledger => {
  const database = new DatabaseSync(path, { readOnly: true })
  const all = <T>(sql: string) => database.prepare(sql).all() as T[]
  try {
    const log = all<LogRow>(
      'SELECT actor, operation, task, before, after FROM audit WHERE task IS NOT NULL ORDER BY seq',
    ).filter(({ actor }) => told.has(actor))
    const { missing, surplus } = match(log, told)
    const notes = all<{ text: string; n: number }>('SELECT text, count(*) AS n FROM notes GROUP BY text')
    return {
      lost: [...missing, ...lostNotes(new Map(notes.map(({ text, n }) => [text, n])), told)],
      surplus,
      broken: [...brokenChains(database), ...brokenClaims(database)],
      writes: log.length,
      tasks: all<{ n: number }>('SELECT count(*) AS n FROM tasks')[0]!.n,
    }
  } finally {
    database.close()
  }
}

/** Compares the number of acknowledged and logged rows for every writer, operation and task. */
const match = (log: readonly LogRow[], told: ReadonlyMap<string, readonly Acknowledged[]>) => {
  const owed = new Map<string, number>()
  for (const [actor, writes] of told) {
    for (const { op, tasks } of writes) {
      for (const task of tasks) {
        const key = `${actor} ${op} ${task}`
        owed.set(key, (owed.get(key) ?? 0) + 1)
      }
    }
  }
  const surplus: Entry[] = []
  for (const { actor, operation, task } of log) {
    const key = `${actor} ${operation} ${task}`
    const left = owed.get(key) ?? 0
    if (left === 0) surplus.push({ actor, operation, task })
    else owed.set(key, left - 1)
  }
  return { missing: [...owed].filter(([, left]) => left > 0).map(([key]) => key), surplus }
}

const lostNotes = (found: Map<string, number>, told: ReadonlyMap<string, readonly Acknowledged[]>) =>
  [...told.values()]
    .flat()
    .filter(({ note }) => note !== undefined && found.get(note) !== 1)
    .map(({ note }) => `note "${note}" is there ${found.get(note!) ?? 0} times`)

const followed = ['status', 'title', 'priority'] as const
type State = Partial<Record<(typeof followed)[number], string>>
const priorities = ['critical', 'high', 'medium', 'low']

/**
 * Each change records the values before and after it. If a change found other values than the previous change left, it
 * has overwritten a write that it never saw.
 */
const brokenChains = (database: DatabaseSync): string[] => {
  const broken: string[] = []
  const states = new Map<string, State>()
  const log = database.prepare('SELECT * FROM audit WHERE task IS NOT NULL ORDER BY seq').all()
  for (const row of log as unknown as LogRow[]) {
    const after = JSON.parse(row.after ?? '{}') as State
    if (row.operation === 'tasks.add') {
      states.set(row.task, { status: 'pending', priority: 'medium', ...after })
      continue
    }
    const before = JSON.parse(row.before ?? '{}') as State
    const state = states.get(row.task) ?? {}
    for (const field of followed) {
      if (before[field] !== undefined && before[field] !== state[field])
        broken.push(`${row.task} ${field}: ${row.operation} found ${before[field]}, not ${state[field]}`)
      if (after[field] !== undefined) state[field] = after[field]
    }
  }
  const rows = database.prepare('SELECT id, status, title, priority FROM tasks').all()
  for (const row of rows) {
    const found = { ...row, priority: priorities[row['priority'] as number] } as State & { id: string }
    for (const field of followed) {
      const said = states.get(found.id)?.[field]
      if (found[field] !== said) broken.push(`${found.id} ${field}: ${found[field]}, the log says ${said}`)
    }
  }
  return broken
}

/** Returns tasks that break this rule: a task is active exactly while an agent holds it. */
const brokenClaims = (database: DatabaseSync): string[] =>
  database
    .prepare(
      `SELECT tasks.id AS id, status, owner FROM tasks
       LEFT JOIN claims ON claims.task = tasks.id AND claims.state = 'held'
       WHERE (status = 'active') <> (owner IS NOT NULL)`,
    )
    .all()
    .map(({ id, status, owner }) => `${id} is ${status}, held by ${owner ?? 'nobody'}`)

/** Returns `ok` for an intact file. */
export const integrity = (path: string): string => {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database
      .prepare('PRAGMA integrity_check')
      .all()
      .map((row) => row['integrity_check'])
      .join('; ')
  } finally {
    database.close()
  }
}
