import type { Db } from '../../store/port.ts'
import type { ClaimRow } from '../../store/rows.ts'

export type { ClaimRow }

export const holder = (db: Db, task: string): Promise<ClaimRow | undefined> =>
  db.get<ClaimRow>("SELECT * FROM claims WHERE task = ? AND state = 'held'", task)

/** True if this actor owned the task and did not release it, and another agent has claimed the task since. */
export const isLost = async (db: Db, task: string, owner: string): Promise<boolean> =>
  (await db.get(
    `SELECT 1 AS lost FROM claims JOIN tasks ON tasks.id = claims.task
     WHERE claims.task = ? AND claims.owner = ? AND claims.state = 'lost' AND claims.epoch < tasks.epoch`,
    task,
    owner,
  )) !== undefined

/**
 * Claims a task if its epoch is still `seen`. One statement compares and increases the epoch, so only one of several
 * agents gets the claim. The former owner's claim is kept as lost, so that the former owner's later writes are
 * refused.
 */
export const take = async (
  db: Db,
  claim: { task: string; owner: string; seen: number; expires: number },
): Promise<number | undefined> => {
  const { task, owner, seen, expires } = claim
  const swapped = await db.run('UPDATE tasks SET epoch = epoch + 1 WHERE id = ? AND epoch = ?', task, seen)
  if (swapped === 0) return undefined
  await revoke(db, task, owner)
  await db.run(
    `INSERT INTO claims (task, owner, epoch, state, expires_at) VALUES (?, ?, ?, 'held', ?)
     ON CONFLICT (task, owner) DO UPDATE SET epoch = excluded.epoch, state = 'held', expires_at = excluded.expires_at`,
    task,
    owner,
    seen + 1,
    expires,
  )
  return seen + 1
}

/**
 * Ends the claim on a task if someone other than `actor` has it. Keeps the row with the state `lost`: when another
 * agent claims the task, CLEO then refuses the writes of the agent that had the claim.
 */
export const revoke = async (db: Db, task: string, actor: string): Promise<void> => {
  await db.run(
    "UPDATE claims SET state = 'lost' WHERE task = ? AND state = 'held' AND owner <> ?",
    task,
    actor,
  )
}

export const release = async (db: Db, task: string): Promise<void> => {
  await db.run("DELETE FROM claims WHERE task = ? AND state = 'held'", task)
}

/** Returns a row if one of the owner's claims expires before `time`. Such a claim should be renewed. */
export const endsBefore = (db: Db, owner: string, time: number): Promise<object | undefined> =>
  db.get(
    "SELECT 1 AS due FROM claims WHERE owner = ? AND state = 'held' AND expires_at < ? LIMIT 1",
    owner,
    time,
  )

export const renew = async (db: Db, owner: string, expires: number): Promise<void> => {
  await db.run(
    "UPDATE claims SET expires_at = ? WHERE owner = ? AND state = 'held' AND expires_at < ?",
    expires,
    owner,
    expires,
  )
}
