import type { AuditRow } from '../audit/sql.ts'
import type { VoteRow } from '../consensus/sql.ts'
import type { EntryRow } from '../manifest/sql/entries.ts'
import { type Db, marks, portions } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'

// What a check asks of several tables: what was seen of a spawn, beyond what each noun tells of itself.

export type LogLine = Pick<AuditRow, 'seq' | 'actor' | 'operation' | 'after'>

/** Changes of fields carry whole texts and tell nothing of how a task went. */
const without = ['tasks.add', 'tasks.update', 'tasks.note', 'focus.note']
const mostLines = 1000

/** What was recorded of how a task went, the last lines of it, oldest first. */
export const logOf = async (db: Db, task: string): Promise<LogLine[]> => {
  const rows = await db.all<LogLine>(
    `SELECT seq, actor, operation, after FROM audit WHERE task = ? AND operation NOT IN (${marks(without.length)})
     ORDER BY seq DESC LIMIT ?`,
    task,
    ...without,
    mostLines,
  )
  return rows.reverse()
}

/** Everything a spawn handed in, oldest first; nobody hands in that much. */
export const entriesOf = (db: Db, spawn: string): Promise<EntryRow[]> =>
  db.all<EntryRow>('SELECT * FROM entries WHERE spawn = ? ORDER BY seq LIMIT 50', spawn)

/** What somebody made below an epic, oldest first. */
export const madeBy = (db: Db, root: string, origin: string, limit: number): Promise<TaskRow[]> =>
  db.all<TaskRow>(
    'SELECT * FROM tasks WHERE root = ? AND origin = ? ORDER BY seq LIMIT ?',
    root,
    origin,
    limit,
  )

export const childrenOf = (db: Db, parent: string, limit: number): Promise<TaskRow[]> =>
  db.all<TaskRow>('SELECT * FROM tasks WHERE parent = ? ORDER BY seq LIMIT ?', parent, limit)

export const countCriteria = async (db: Db, tasks: readonly string[]): Promise<Map<string, number>> => {
  const found = new Map<string, number>()
  for (const some of portions(tasks)) {
    const rows = await db.all<{ task: string; n: number }>(
      `SELECT task, count(*) AS n FROM criteria WHERE task IN (${marks(some.length)}) GROUP BY task`,
      ...some,
    )
    for (const { task, n } of rows) found.set(task, Number(n))
  }
  return found
}

/** Whoever set focus on some tasks, by task. */
export const workersOn = async (db: Db, tasks: readonly string[]): Promise<Map<string, string[]>> => {
  const found = new Map<string, string[]>()
  for (const some of portions(tasks)) {
    const rows = await db.all<{ task: string; actor: string }>(
      `SELECT DISTINCT task, actor FROM audit WHERE task IN (${marks(some.length)}) AND operation = 'focus.set'
       ORDER BY task, actor`,
      ...some,
    )
    for (const { task, actor } of rows) found.set(task, [...(found.get(task) ?? []), actor])
  }
  return found
}

/** An agent's votes of all rounds, in decisions below an epic. */
export const votesBy = (db: Db, root: string, agent: string): Promise<VoteRow[]> =>
  db.all<VoteRow>(
    `SELECT votes.* FROM consensus JOIN votes ON votes.consensus = consensus.seq
     WHERE consensus.task IN (SELECT id FROM tasks WHERE root = ?) AND votes.agent = ?
     ORDER BY votes.consensus, votes.round, votes.option`,
    root,
    agent,
  )

export interface Spawned {
  /** Below this epic; anywhere when left out. */
  root?: string
  /** After the task of this number. */
  after: number
  limit: number
}

const wasSpawned = 'EXISTS (SELECT 1 FROM spawns WHERE spawns.task = tasks.id)'

/** Tasks that somebody was sent to do, in order. */
export const spawned = (db: Db, { root, after, limit }: Spawned): Promise<TaskRow[]> =>
  db.all<TaskRow>(
    `SELECT * FROM tasks WHERE ${root === undefined ? '' : 'root = ? AND'} seq > ? AND ${wasSpawned} ORDER BY seq LIMIT ?`,
    ...(root === undefined ? [] : [root]),
    after,
    limit,
  )

export const countSpawned = async (db: Db, root?: string): Promise<number> => {
  const row = await db.get<{ n: number }>(
    `SELECT count(*) AS n FROM tasks WHERE ${root === undefined ? '' : 'root = ? AND'} ${wasSpawned}`,
    ...(root === undefined ? [] : [root]),
  )
  return Number(row!.n)
}
