import { type Db, insertRows, marks, type Param } from '../store/port.ts'
import type { RunAgentRow, RunEventRow, RunRow, SpawnRow, TaskRow } from '../store/rows.ts'
import { runId } from './run-id.ts'

export type RunPhase = RunRow['state']

export type { RunAgentRow, RunEventRow, RunRow }

const numbers = (row: RunRow | undefined): RunRow | undefined =>
  row && {
    ...row,
    seq: Number(row.seq),
    epoch: Number(row.epoch),
    at: Number(row.at),
    seen_at: Number(row.seen_at),
  }

export const find = async (db: Db, seq: number): Promise<RunRow | undefined> =>
  numbers(await db.get<RunRow>('SELECT * FROM runs WHERE seq = ?', seq))

/**
 * Returns the run of this epic whose state is `running` or `draining`, even if no process drives the run. A draining
 * run starts no further agents.
 */
export const liveOf = async (db: Db, epic: string): Promise<RunRow | undefined> =>
  numbers(
    await db.get<RunRow>(
      "SELECT * FROM runs WHERE epic = ? AND state IN ('running', 'draining') LIMIT 1",
      epic,
    ),
  )

export const newest = async (db: Db, epic?: string): Promise<RunRow | undefined> =>
  numbers(
    await db.get<RunRow>(
      `SELECT * FROM runs ${epic === undefined ? '' : 'WHERE epic = ?'} ORDER BY seq DESC LIMIT 1`,
      ...(epic === undefined ? [] : [epic]),
    ),
  )

export const list = async (
  db: Db,
  { before, limit }: { before?: number; limit: number },
): Promise<RunRow[]> => {
  const rows = await db.all<RunRow>(
    'SELECT * FROM runs WHERE seq < ? ORDER BY seq DESC LIMIT ?',
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  )
  return rows.map((row) => numbers(row)!)
}

export const count = async (db: Db): Promise<number> =>
  Number((await db.get<{ n: number }>('SELECT count(*) AS n FROM runs'))!.n)

export const insert = async (db: Db, run: Omit<RunRow, 'seq' | 'why' | 'ended_at'>): Promise<number> => {
  const columns = Object.keys(run)
  const made = await db.get<{ seq: number }>(
    `INSERT INTO runs (${columns.join(', ')}) VALUES (${marks(columns.length)}) RETURNING seq`,
    ...(Object.values(run) as Param[]),
  )
  return Number(made!.seq)
}

/** Marks the driver of a run as alive and returns the run's epoch. Locks the row until the transaction ends. */
export const touch = async (db: Db, seq: number, now: number): Promise<number> => {
  const row = await db.get<{ epoch: number }>(
    'UPDATE runs SET seen_at = ? WHERE seq = ? RETURNING epoch',
    now,
    seq,
  )
  return Number(row?.epoch ?? -1)
}

/**
 * Takes over a run and returns its new epoch. Returns undefined if another process has taken over the run since the
 * caller read `epoch`.
 */
export const takeOver = async (
  db: Db,
  { seq, epoch }: Pick<RunRow, 'seq' | 'epoch'>,
  { options, driver, now }: { options: string; driver: string; now: number },
): Promise<number | undefined> => {
  const row = await db.get<{ epoch: number }>(
    `UPDATE runs SET epoch = epoch + 1, state = 'running', why = NULL, ended_at = NULL, options = ?, driver = ?, seen_at = ?
     WHERE seq = ? AND epoch = ? RETURNING epoch`,
    options,
    driver,
    now,
    seq,
    epoch,
  )
  return row && Number(row.epoch)
}

export const setState = async (
  db: Db,
  seq: number,
  { state, why, now }: { state: RunPhase; why?: string | null; now?: number },
): Promise<void> => {
  const isOver = state === 'stopped' || state === 'finished'
  await db.run(
    `UPDATE runs SET state = ?, why = ?, ended_at = ?${isOver ? ', driver = NULL' : ''} WHERE seq = ?`,
    state,
    why ?? null,
    now ?? null,
    seq,
  )
}

/** Returns false if the run has ended in the meantime. */
export const askToStop = async (
  db: Db,
  seq: number,
  { state, why, now }: { state: 'draining' | 'stopped'; why: string; now: number },
): Promise<boolean> => {
  const row = await db.get(
    `UPDATE runs SET state = ?, why = ?, ended_at = ?${state === 'stopped' ? ', driver = NULL' : ''}
     WHERE seq = ? AND state IN ('running', 'draining') RETURNING seq`,
    state,
    why,
    state === 'stopped' ? now : null,
    seq,
  )
  return row !== undefined
}

export const addEvents = (db: Db, events: readonly Omit<RunEventRow, 'seq'>[]): Promise<void> =>
  insertRows(db, 'run_events', events)

export const outcomes = (db: Db, run: number): Promise<RunEventRow[]> =>
  db.all<RunEventRow>(
    "SELECT * FROM run_events WHERE run = ? AND kind IN ('started', 'ended', 'merged', 'receive refused') ORDER BY seq",
    run,
  )

/** Returns requests that other commands left for the driver of a run. */
export const requestsAfter = (db: Db, run: number, after: number): Promise<RunEventRow[]> =>
  db.all<RunEventRow>(
    "SELECT * FROM run_events WHERE run = ? AND seq > ? AND kind = 'asked to stop' ORDER BY seq",
    run,
    after,
  )

/**
 * Returns the number of the event with which the current driver took over the run. Returns 0 if this driver began the
 * run. Requests before this event were for earlier drivers.
 */
export const lastTakeOver = async (db: Db, run: number): Promise<number> =>
  Number(
    (
      await db.get<{ seq: number | null }>(
        "SELECT max(seq) AS seq FROM run_events WHERE run = ? AND kind = 'taken over'",
        run,
      )
    )?.seq ?? 0,
  )

/** Returns how often attempts at each task failed since a person was last asked about it. */
export const failures = async (db: Db, run: number): Promise<Map<string, number>> => {
  const rows = await db.all<{ task: string; n: number }>(
    `SELECT task, count(*) AS n FROM run_events failed WHERE run = ? AND kind = 'failed' AND seq > coalesce(
       (SELECT max(seq) FROM run_events asked WHERE asked.run = failed.run AND asked.task = failed.task
          AND asked.kind = 'ask'), 0)
     GROUP BY task`,
    run,
  )
  return new Map(rows.map(({ task, n }) => [task, Number(n)]))
}

export const agents = (db: Db, run: number): Promise<RunAgentRow[]> =>
  db.all<RunAgentRow>('SELECT * FROM run_agents WHERE run = ? ORDER BY at, spawn', run)

export const agentOf = (db: Db, spawn: string): Promise<RunAgentRow | undefined> =>
  db.get<RunAgentRow>('SELECT * FROM run_agents WHERE spawn = ?', spawn)

/**
 * Records an agent before it starts. If an agent is started again for the same spawn, the row keeps the usage of the
 * earlier process.
 */
export const putAgent = async (
  db: Db,
  row: Omit<RunAgentRow, 'ending' | 'usage' | 'ended_at'>,
): Promise<void> => {
  const columns = Object.keys(row)
  await db.run(
    `INSERT INTO run_agents (${columns.join(', ')}) VALUES (${marks(columns.length)})
     ON CONFLICT (spawn) DO UPDATE SET run = excluded.run, agent = excluded.agent, marker = excluded.marker,
       watcher = excluded.watcher, state = excluded.state, ending = NULL, ended_at = NULL`,
    ...(Object.values(row) as Param[]),
  )
}

export const endAgent = async (
  db: Db,
  spawn: string,
  {
    ending,
    usage,
    session,
    isSessionLost = false,
    now,
  }: { ending: string; usage: string; session: string | null; isSessionLost?: boolean; now: number },
): Promise<void> => {
  await db.run(
    `UPDATE run_agents SET state = 'ended', ending = ?, usage = ?, client_session = ${isSessionLost ? 'NULL' : 'coalesce(?, client_session)'},
       ended_at = ? WHERE spawn = ?`,
    ending,
    usage,
    ...(isSessionLost ? [] : [session]),
    now,
    spawn,
  )
}

/**
 * Returns the last number of the audit log, and whether a row after `seq` tells the driver something new.
 * - A row of the run itself is not new if its number is at most `looked`. Such a row is older than the driver's last
 *   look for ready tasks.
 * - A later row of the run is new only if it closes or merges a task. The same holds for a row of a spawn about its own
 *   task.
 * - All other rows are new.
 */
export const changesAfter = async (
  db: Db,
  run: number,
  { seq, looked }: { seq: number; looked: number },
): Promise<{ last: number; isNew: boolean }> => {
  const row = await db.get<{ last: number | null; news: number | null }>(
    `SELECT max(seq) AS last, max(CASE
       WHEN actor = ? AND seq <= ? THEN 0
       WHEN actor <> ? AND (task IS NULL OR substr(actor, 1, length(task) + 1) <> task || '.') THEN 1
       WHEN after LIKE '{"status":"done"%' OR after LIKE '{"status":"cancelled"%' OR after LIKE '{"merge":"merged"%'
         THEN 1
       ELSE 0 END) AS news
     FROM audit WHERE seq > ?`,
    runId(run),
    looked,
    runId(run),
    seq,
  )
  return { last: Number(row?.last ?? seq), isNew: Number(row?.news ?? 0) > 0 }
}

export type OutSpawn = Pick<SpawnRow, 'id' | 'task' | 'started_at' | 'back_at' | 'submitted_at'> &
  Pick<TaskRow, 'status'>

/** Returns the spawns of a run that are still out, or whose work still waits for its merge. */
export const outSpawns = (db: Db, run: number): Promise<OutSpawn[]> =>
  db.all<OutSpawn>(
    `SELECT spawns.id, spawns.task, spawns.started_at, spawns.back_at, spawns.submitted_at, tasks.status
     FROM spawns JOIN tasks ON tasks.id = spawns.task
     WHERE spawns.actor = ?
       AND spawns.attempt = (SELECT max(attempt) FROM spawns later WHERE later.task = spawns.task)
       AND ((tasks.attempt_out = spawns.attempt AND tasks.status IN ('pending', 'active'))
         OR (tasks.status = 'done' AND tasks.merge = 'pending'))
     ORDER BY spawns.seq`,
    runId(run),
  )

export type WatchedTask = Pick<TaskRow, 'id' | 'status'> & { attempt: number | null }

export const watched = (db: Db, ids: readonly string[]): Promise<WatchedTask[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.all<WatchedTask>(
        `SELECT id, status, (SELECT max(attempt) FROM spawns WHERE spawns.task = tasks.id) AS attempt
         FROM tasks WHERE id IN (${marks(ids.length)})`,
        ...ids,
      )

export const isSubmitted = async (db: Db, spawn: string): Promise<boolean> => {
  const row = await db.get<{ submitted_at: number | null; status: string }>(
    'SELECT spawns.submitted_at, tasks.status FROM spawns JOIN tasks ON tasks.id = spawns.task WHERE spawns.id = ?',
    spawn,
  )
  return row !== undefined && (row.submitted_at !== null || row.status === 'done')
}
