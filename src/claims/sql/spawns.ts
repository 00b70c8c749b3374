import type { Protocol } from '../../kernel/protocol.ts'
import type { Status } from '../../kernel/task.ts'
import { parseSpawnId } from '../../kernel/task-id.ts'
import { attemptCounter } from '../../store/attempt-counter.ts'
import { type Db, insertRows, marks, portions } from '../../store/port.ts'
import type { SpawnRow, TaskRow } from '../../store/rows.ts'

export type { SpawnRow }

/** Facts about a worktree besides its folder. */
export interface WorktreeOrigin {
  /**
   * The spawn's branch, `cleo/T003.1`, and the branch from which it was made. Both are missing for a worktree that
   * CLEO did not make.
   */
  branch?: string
  base?: string
  /** The commit from which the worktree started. */
  commit?: string
  /** The next three fields are unique among the worktrees in use, so that servers and containers do not collide. */
  slot?: number
  portBase?: number
  composeProject?: string
}

/** The options of a spawn. The next attempt at the task starts with the same options. */
export interface SpawnOptions {
  skills?: string[]
  strategy?: 'minimal' | 'standard' | 'comprehensive'
  tier?: number
  protocol?: Protocol
  output?: string
  /** The work folder of a spawn that has a git worktree: the project's folder inside that worktree. */
  worktree?: string
  tree?: WorktreeOrigin
  /** True if the agent works in the shared checkout. */
  here?: boolean
  set: string[]
  contextUsed?: number
  exact: boolean
  allowUnresolved: boolean
  /** Skills to include at level L2, which adds the files that their SKILL.md refers to. */
  deeper?: string[]
  /** Project files to include in the prompt, because an output file says that an earlier prompt lacked them. */
  references?: string[]
  /** The code with which the previous attempt was refused. */
  breach?: string
}

export const optionsOf = (spawn: Pick<SpawnRow, 'asked'> | undefined): SpawnOptions | undefined =>
  spawn && (JSON.parse(spawn.asked) as SpawnOptions)

export type NewSpawn = Omit<
  SpawnRow,
  'seq' | 'started_at' | 'back_at' | 'seen_at' | 'agents' | 'submitted_at'
>
/** A spawn in a list, without its long columns. */
export type SpawnLine = Omit<
  SpawnRow,
  'asked' | 'report' | 'prompt' | 'seen_at' | 'agents' | 'submitted_at'
> & {
  /** The number of the last attempt at the spawn's task. */
  latest: number
  /** The status of the spawn's task. */
  status: Status
}
const line = `seq, id, task, attempt, protocol, tier, hash, tokens, actor, session, at, started_at, back_at,
  (SELECT max(attempt) FROM spawns later WHERE later.task = spawns.task) AS latest,
  (SELECT status FROM tasks WHERE id = spawns.task) AS status`

export const find = (db: Db, id: string): Promise<SpawnRow | undefined> =>
  db.get<SpawnRow>('SELECT * FROM spawns WHERE id = ?', id)

export const latest = (db: Db, task: string): Promise<SpawnRow | undefined> =>
  db.get<SpawnRow>('SELECT * FROM spawns WHERE task = ? ORDER BY attempt DESC LIMIT 1', task)

export const newest = (db: Db): Promise<Pick<SpawnRow, 'id' | 'report'> | undefined> =>
  db.get('SELECT id, report FROM spawns ORDER BY seq DESC LIMIT 1')

/** Records a spawn. From now on its task is out: `attempt_out` names the attempt that works on the task. */
export const insert = async (db: Db, spawn: NewSpawn): Promise<void> => {
  await insertRows(db, 'spawns', [spawn])
  await setOut(db, spawn.task, spawn.attempt)
}

const setOut = async (db: Db, task: string, attempt: number): Promise<void> => {
  await db.run('UPDATE tasks SET attempt_out = ? WHERE id = ?', attempt, task)
}

/** Records that the subagent started and ran a command. If its task had been released, the task is out again. */
export const start = async (
  db: Db,
  { id, task, now }: { id: string; task: Pick<TaskRow, 'id' | 'attempt_out'>; now: number },
): Promise<void> => {
  await db.run(
    'UPDATE spawns SET started_at = coalesce(started_at, ?), seen_at = ? WHERE id = ? AND task = ?',
    now,
    now,
    id,
    task.id,
  )
  if (task.attempt_out > 0) return
  await setOut(db, task.id, parseSpawnId(id)!.attempt)
  // Clear `back_at` if it is the time of a release. Keep it if it is the time of a recorded return.
  await db.run(
    `UPDATE spawns SET back_at = NULL WHERE id = ? AND NOT EXISTS (
       SELECT 1 FROM returns WHERE returns.task = spawns.task AND returns.spawn = spawns.id)`,
    id,
  )
}

export const submit = async (db: Db, id: string, now: number): Promise<void> => {
  await db.run('UPDATE spawns SET submitted_at = ? WHERE id = ?', now, id)
}

/** Records that a spawn ran a command. */
export const seen = async (db: Db, id: string, now: number): Promise<void> => {
  await db.run('UPDATE spawns SET seen_at = ? WHERE id = ?', now, id)
}

/** Replaces the recorded options of a spawn whose agent works in another folder than the recorded one. */
export const setOptions = async (db: Db, id: string, options: SpawnOptions): Promise<void> => {
  await db.run('UPDATE spawns SET asked = ? WHERE id = ?', JSON.stringify(options), id)
}

export const lastProtocol = (
  db: Db,
  task: string,
): Promise<Pick<SpawnRow, 'id' | 'protocol' | 'report'> | undefined> =>
  db.get('SELECT id, protocol, report FROM spawns WHERE task = ? ORDER BY attempt DESC LIMIT 1', task)

export const lastAttempt = (db: Db, task: string): Promise<Pick<SpawnRow, 'id' | 'attempt'> | undefined> =>
  db.get('SELECT id, attempt FROM spawns WHERE task = ? ORDER BY attempt DESC LIMIT 1', task)

/** `status || ''` makes SQLite use the index on `attempt_out`. */
export const latestOut = (db: Db): Promise<Pick<SpawnRow, 'task' | 'report'>[]> =>
  db.all(
    `SELECT spawns.task, spawns.report FROM tasks
     JOIN spawns ON spawns.task = tasks.id AND spawns.attempt = tasks.attempt_out
     WHERE tasks.attempt_out > 0 AND tasks.status || '' IN ('pending', 'active')`,
  )

/** The columns that show how long a spawn has been quiet. */
export type SpawnTimes = Pick<
  SpawnRow,
  'id' | 'at' | 'started_at' | 'seen_at' | 'back_at' | 'asked' | 'agents'
>

export const timesOf = (db: Db, task: string, attempt: number): Promise<SpawnTimes | undefined> =>
  db.get<SpawnTimes>(
    'SELECT id, at, started_at, seen_at, back_at, asked, agents FROM spawns WHERE task = ? AND attempt = ?',
    task,
    attempt,
  )

/**
 * Returns the latest spawn of each task whose work is not received or not merged yet, oldest first. This includes
 * spawns whose return was refused, and spawns that have split their task.
 */
export const unreceived = (db: Db): Promise<SpawnRow[]> =>
  db.all<SpawnRow>(
    `SELECT spawns.* FROM spawns
     WHERE (back_at IS NULL OR protocol = 'decomposition'
         OR EXISTS (SELECT 1 FROM returns WHERE returns.task = spawns.task AND returns.spawn = spawns.id))
       AND (NOT EXISTS (SELECT 1 FROM returns WHERE returns.task = spawns.task AND returns.spawn = spawns.id
           AND returned IS NOT NULL)
         OR (SELECT merge FROM tasks WHERE tasks.id = spawns.task) = 'pending')
       AND attempt = (SELECT max(attempt) FROM spawns later WHERE later.task = spawns.task)
       AND (SELECT status FROM tasks WHERE tasks.id = spawns.task) NOT IN ('blocked', 'cancelled')
     ORDER BY seq`,
  )

export interface Attempts {
  /** The last recorded attempt; 0 before the first. */
  last: number
  /** The highest attempt that was lost when an older backup was restored; 0 if no attempt was lost. */
  given: number
}

export const attempts = async (db: Db, task: string): Promise<Attempts> => {
  const row = await db.get<Attempts>(
    `SELECT coalesce((SELECT max(attempt) FROM spawns WHERE task = ?), 0) AS last,
       coalesce((SELECT value FROM counters WHERE name = ?), 0) AS given`,
    task,
    attemptCounter(task),
  )
  return { last: Number(row!.last), given: Number(row!.given) }
}

/** Returns the last attempt that an agent started. The next attempt must keep the gates of this attempt. */
export const lastStarted = (db: Db, task: string): Promise<SpawnRow | undefined> =>
  db.get<SpawnRow>(
    'SELECT * FROM spawns WHERE task = ? AND started_at IS NOT NULL ORDER BY attempt DESC LIMIT 1',
    task,
  )

/** True if every spawn of a task had this protocol. */
export const onlyUnder = async (db: Db, task: string, protocol: SpawnRow['protocol']): Promise<boolean> =>
  (await db.get('SELECT 1 AS one FROM spawns WHERE task = ? AND protocol <> ? LIMIT 1', task, protocol)) ===
  undefined

/** The columns needed to check what a spawn submitted. */
export type SpawnWork = Pick<SpawnRow, 'id' | 'task' | 'attempt' | 'protocol' | 'asked' | 'at' | 'back_at'>
const work = 'id, task, attempt, protocol, asked, at, back_at'

export const latestWork = async (db: Db, tasks: readonly string[]): Promise<Map<string, SpawnWork>> => {
  const found = new Map<string, SpawnWork>()
  for (const some of portions(tasks)) {
    const rows = await db.all<SpawnWork>(
      `SELECT ${work} FROM spawns WHERE task IN (${marks(some.length)}) ORDER BY task, attempt`,
      ...some,
    )
    for (const row of rows) found.set(row.task, row)
  }
  return found
}

export const markAllReturned = async (db: Db, task: string, now: number): Promise<void> => {
  await db.run('UPDATE spawns SET back_at = ? WHERE task = ? AND back_at IS NULL', now, task)
  await setOut(db, task, 0)
}

/** Ends a spawn whose return was accepted. If a later attempt is out, the task stays out. */
export const endSpawn = async (db: Db, id: string): Promise<void> => {
  const { task, attempt } = parseSpawnId(id)!
  await db.run('UPDATE tasks SET attempt_out = 0 WHERE id = ? AND attempt_out = ?', task, attempt)
}

/** Lets a spawn go on after a return: removes the record that the spawn returned and submitted its work. */
export const markNotReturned = async (db: Db, id: string): Promise<void> => {
  const { task, attempt } = parseSpawnId(id)!
  await db.run('UPDATE spawns SET back_at = NULL, submitted_at = NULL WHERE id = ?', id)
  await setOut(db, task, attempt)
}

export interface SpawnFilter {
  task?: string
  epic?: string
  /** Returns only spawns whose `seq` is lower than this. The list is newest first, so these are on the next page. */
  before?: number
  limit: number
}

export const list = async (db: Db, { task, epic, before, limit }: SpawnFilter): Promise<SpawnLine[]> => {
  const { where, params } = within(task, epic)
  return db.all<SpawnLine>(
    `SELECT ${line} FROM spawns WHERE ${where} AND seq < ? ORDER BY seq DESC LIMIT ?`,
    ...params,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  )
}

export const count = async (db: Db, { task, epic }: Pick<SpawnFilter, 'task' | 'epic'>): Promise<number> => {
  const { where, params } = within(task, epic)
  const row = await db.get<{ n: number }>(`SELECT count(*) AS n FROM spawns WHERE ${where}`, ...params)
  return Number(row!.n)
}

const within = (task: string | undefined, epic: string | undefined): { where: string; params: string[] } => {
  if (task) return { where: 'task = ?', params: [task] }
  // Start from the spawns, because an epic can have many tasks that were never spawned.
  if (epic) return { where: '(SELECT root FROM tasks WHERE tasks.id = spawns.task) = ?', params: [epic] }
  return { where: '1 = 1', params: [] }
}

// Start from the spawns, because many tasks were never spawned. CROSS JOIN makes SQLite keep this order.
const spawned = (root: string | undefined): string =>
  `FROM (SELECT DISTINCT task FROM spawns) AS spawned CROSS JOIN tasks
   WHERE tasks.id = spawned.task${root === undefined ? '' : ' AND root = ?'}`

export interface SpawnedTasksPage {
  /** Only tasks below this epic; all tasks if missing. */
  root?: string
  /** Returns only tasks whose `seq` is higher than this. */
  after: number
  limit: number
}

export const spawnedTasks = (db: Db, { root, after, limit }: SpawnedTasksPage): Promise<TaskRow[]> =>
  db.all<TaskRow>(
    `SELECT tasks.* ${spawned(root)} AND seq > ? ORDER BY seq LIMIT ?`,
    ...(root === undefined ? [] : [root]),
    after,
    limit,
  )

export const countSpawnedTasks = async (db: Db, root?: string): Promise<number> => {
  const row = await db.get<{ n: number }>(
    `SELECT count(*) AS n ${spawned(root)}`,
    ...(root === undefined ? [] : [root]),
  )
  return Number(row!.n)
}
