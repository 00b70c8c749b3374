import type { Db } from '../../store/port.ts'
import { openStatuses } from '../../store/rows.ts'
import { type Some, some } from './some.ts'

/** Active tasks that nobody holds. */
export const unheld = (db: Db, limit: number): Promise<Some<{ id: string }>> =>
  some(
    db,
    `SELECT id FROM tasks WHERE status = 'active'
       AND NOT EXISTS (SELECT 1 FROM claims WHERE claims.task = tasks.id AND state = 'held') ORDER BY seq`,
    limit,
  )

export interface IdleClaim {
  id: string
  owner: string
  status: string
}

/** Claims on tasks that are not being worked on. */
export const idleClaims = (db: Db, limit: number): Promise<Some<IdleClaim>> =>
  some(
    db,
    `SELECT claims.task AS id, owner, status FROM claims JOIN tasks ON tasks.id = claims.task
     WHERE state = 'held' AND status <> 'active' ORDER BY tasks.seq`,
    limit,
  )

/** The claim stays as a lost one: whoever comes back late is still known. */
export const loseClaim = (db: Db, { id, owner }: Pick<IdleClaim, 'id' | 'owner'>): Promise<number> =>
  db.run("UPDATE claims SET state = 'lost' WHERE task = ? AND owner = ? AND state = 'held'", id, owner)

export interface OldClaim {
  id: string
  owner: string
  expires_at: number
}

/** Tasks whose owner has given no sign of life since some moment. */
export const expiredBefore = (db: Db, moment: number, limit: number): Promise<Some<OldClaim>> =>
  some(
    db,
    `SELECT claims.task AS id, owner, expires_at FROM claims JOIN tasks ON tasks.id = claims.task
     WHERE state = 'held' AND status = 'active' AND expires_at < ${Math.floor(moment)} ORDER BY tasks.seq`,
    limit,
  )

export interface LostScope {
  id: string
  scope: string
  status: string
  type: string
}

/** Sessions under way for what is no epic any more, or was closed before some moment. */
export const lostScopes = (db: Db, moment: number, limit: number): Promise<Some<LostScope>> =>
  some(
    db,
    `SELECT s.id AS id, s.scope AS scope, t.status AS status, t.type AS type
     FROM sessions s JOIN tasks t ON t.id = s.scope WHERE s.status = 'active'
       AND (t.type <> 'epic' OR t.parent IS NOT NULL
         OR (t.status NOT IN ${openStatuses} AND t.completed_at < ${Math.floor(moment)})) ORDER BY s.seq`,
    limit,
  )
