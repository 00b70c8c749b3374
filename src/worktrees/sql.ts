import { type Db, insertRows, marks, portions } from '../store/port.ts'
import type { IntegrationRow, MergeRow, WorktreeRow } from '../store/rows.ts'

export type { IntegrationRow, MergeRow, WorktreeRow }

export const integration = (db: Db, epic: string): Promise<IntegrationRow | undefined> =>
  db.get<IntegrationRow>('SELECT * FROM integrations WHERE epic = ?', epic)

export const integrations = (db: Db): Promise<IntegrationRow[]> =>
  db.all<IntegrationRow>('SELECT * FROM integrations ORDER BY epic')

/**
 * Records the integration branch of an epic, unless another spawn has just recorded one. Returns the recorded branch.
 */
export const addIntegration = async (db: Db, row: IntegrationRow): Promise<IntegrationRow> => {
  await db.run(
    `INSERT INTO integrations (epic, branch, onto, base, tip, at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (epic) DO NOTHING`,
    row.epic,
    row.branch,
    row.onto,
    row.base,
    row.tip,
    row.at,
  )
  return (await integration(db, row.epic))!
}

/** Changes nothing if the recorded tip is not `from`. */
export const setTip = async (
  db: Db,
  epic: string,
  { from, to }: { from: string; to: string },
): Promise<void> => {
  await db.run('UPDATE integrations SET tip = ? WHERE epic = ? AND tip = ?', to, epic, from)
}

/** null removes the record of the planned move. */
export const setLanding = async (db: Db, epic: string, landing: string | null): Promise<void> => {
  await db.run('UPDATE integrations SET landing = ? WHERE epic = ?', landing, epic)
}

/** Later work starts from the landed commit. */
export const setLanded = async (
  db: Db,
  { epic, tip, base, now }: { epic: string; tip: string; base: string; now: number },
): Promise<void> => {
  await db.run(
    'UPDATE integrations SET tip = ?, base = ?, landed_at = ?, landing = NULL WHERE epic = ?',
    tip,
    base,
    now,
    epic,
  )
}

export const dropIntegration = async (db: Db, epic: string): Promise<void> => {
  await db.run('DELETE FROM integrations WHERE epic = ?', epic)
}

export const worktree = (db: Db, spawn: string): Promise<WorktreeRow | undefined> =>
  db.get<WorktreeRow>('SELECT * FROM worktrees WHERE spawn = ?', spawn)

/** Returns the worktrees that are on the disk, oldest first. */
export const worktrees = (db: Db): Promise<WorktreeRow[]> =>
  db.all<WorktreeRow>("SELECT * FROM worktrees WHERE state <> 'gone' ORDER BY at, spawn")

export const worktreesOf = (db: Db, task: string): Promise<WorktreeRow[]> =>
  db.all<WorktreeRow>('SELECT * FROM worktrees WHERE task = ? ORDER BY at, spawn', task)

export const worktreesOfSpawns = async (
  db: Db,
  spawns: readonly string[],
): Promise<Map<string, WorktreeRow>> => {
  const found = new Map<string, WorktreeRow>()
  for (const some of portions(spawns))
    for (const row of await db.all<WorktreeRow>(
      `SELECT * FROM worktrees WHERE spawn IN (${marks(some.length)})`,
      ...some,
    ))
      found.set(row.spawn, row)
  return found
}

/** Reserves the smallest free slot for the worktree of a spawn, before anything is made on the disk. */
export const reserve = async (db: Db, row: Omit<WorktreeRow, 'slot' | 'state'>): Promise<WorktreeRow> => {
  await db.run('DELETE FROM worktrees WHERE spawn = ?', row.spawn)
  const taken = await db.all<{ slot: number }>(
    "SELECT slot FROM worktrees WHERE state <> 'gone' ORDER BY slot",
  )
  let slot = 1
  for (const each of taken) if (each.slot === slot) slot++
  const made: WorktreeRow = { ...row, slot, state: 'making' }
  await insertRows(db, 'worktrees', [made])
  return made
}

export const setPorts = async (db: Db, spawn: string, portBase: number): Promise<void> => {
  await db.run('UPDATE worktrees SET port_base = ? WHERE spawn = ?', portBase, spawn)
}

export const setState = async (db: Db, spawn: string, state: WorktreeRow['state']): Promise<void> => {
  await db.run('UPDATE worktrees SET state = ? WHERE spawn = ?', state, spawn)
}

export const addMerge = async (db: Db, row: Omit<MergeRow, 'seq'>): Promise<void> => {
  await insertRows(db, 'merges', [row])
}

/** Returns the newest merge of a task, whether it succeeded or was refused. */
export const lastMerge = (db: Db, task: string): Promise<MergeRow | undefined> =>
  db.get<MergeRow>(
    "SELECT * FROM merges WHERE task = ? AND state <> 'moving' ORDER BY seq DESC LIMIT 1",
    task,
  )

/** Returns an epic's spawns whose work is merged but whose worktrees still exist. */
export const mergedTrees = (db: Db, epic: string): Promise<Pick<MergeRow, 'spawn' | 'head'>[]> =>
  db.all<Pick<MergeRow, 'spawn' | 'head'>>(
    `SELECT merges.spawn AS spawn, max(merges.head) AS head FROM worktrees
     JOIN merges ON merges.spawn = worktrees.spawn AND merges.state = 'merged'
     WHERE worktrees.epic = ? AND worktrees.state <> 'gone'
     GROUP BY merges.spawn ORDER BY merges.spawn`,
    epic,
  )

export const mergesOf = (db: Db, epic: string): Promise<MergeRow[]> =>
  db.all<MergeRow>("SELECT * FROM merges WHERE epic = ? AND state = 'merged' ORDER BY seq", epic)

/** Returns the moves of an integration branch that have begun but not ended. */
export const movesOf = (db: Db, epic: string): Promise<MergeRow[]> =>
  db.all<MergeRow>("SELECT * FROM merges WHERE epic = ? AND state = 'moving' ORDER BY seq", epic)

export const endMoves = async (db: Db, epic: string, tip: string): Promise<void> => {
  await db.run("DELETE FROM merges WHERE epic = ? AND state = 'moving' AND tip = ?", epic, tip)
}
