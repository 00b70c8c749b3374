import type { Db } from '../../store/port.ts'
import { firstRows, type LimitedRows } from './limited.ts'

interface ClaimedTask {
  id: string
  owner: string
  expires_at: number
}

/** Returns claims on active tasks that expire after the given time. */
export const expiringAfter = (db: Db, time: number, limit: number): Promise<LimitedRows<ClaimedTask>> =>
  firstRows(
    db,
    `SELECT tasks.id AS id, owner, expires_at FROM claims JOIN tasks ON tasks.id = claims.task
     WHERE state = 'held' AND status = 'active' AND expires_at > ? ORDER BY seq`,
    limit,
    time,
  )

/** Lets claims that expire after `time` expire at `expires`. */
export const shortenClaims = async (db: Db, time: number, expires: number): Promise<void> => {
  await db.run("UPDATE claims SET expires_at = ? WHERE state = 'held' AND expires_at > ?", expires, time)
}
