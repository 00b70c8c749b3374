import * as claims from '../claims/sql/claims.ts'
import { iso } from '../kernel/time.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import type { Claim, Task } from './shape.ts'
import * as criteria from './sql/criteria.ts'
import * as lists from './sql/lists.ts'
import * as notes from './sql/notes.ts'
import * as tasks from './sql/tasks.ts'

/** A task with everything that hangs on it; what is empty is left out. */
export const readTask = async (db: Db, row: TaskRow): Promise<Task> => {
  const { depends, labels, files } = await lists.readAll(db, row.id)
  const acceptance = await criteria.read(db, row.id)
  const written = await notes.ofTask(db, row.id)
  const claim = row.epoch > 0 ? await claims.holder(db, row.id) : undefined
  return {
    ...tasks.toLine(row),
    type: row.type,
    ...(row.description && { description: row.description }),
    ...(row.parent && { parent: row.parent }),
    ...(row.reason && { reason: row.reason }),
    ...(labels.length > 0 && { labels }),
    ...(depends.length > 0 && { depends }),
    ...(files.length > 0 && { files }),
    ...(acceptance.length > 0 && {
      acceptance: acceptance.map(({ n, text, state }) => ({ n, text, state })),
    }),
    ...(row.stage && { stage: row.stage }),
    ...(row.completes === 'manual' && { completes: 'manual' as const }),
    ...(claim && { claim: shownClaim(claim) }),
    ...(written.length > 0 && {
      notes: written.map(({ at, actor, text }) => ({ at: iso(at), by: actor, text })),
    }),
    origin: row.origin,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    ...(row.completed_at && { completedAt: iso(row.completed_at) }),
    ...(row.outcome && { outcome: row.outcome }),
  }
}

export const shownClaim = ({ owner, epoch, expires_at }: claims.ClaimRow): Claim => ({
  owner,
  epoch,
  expires: iso(expires_at),
})
