import * as claims from '../claims/sql/claims.ts'
import { iso } from '../kernel/time.ts'
import { type ShownOf, toRecord } from '../store/columns/column.ts'
import { taskColumns } from '../store/columns/tasks.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import * as criteria from './sql/criteria.ts'
import * as lists from './sql/lists.ts'
import * as notes from './sql/notes.ts'
import * as tasks from './sql/tasks.ts'
import type { Claim, Task } from './task-shape.ts'

/** Empty fields are left out. */
export const readTask = async (db: Db, row: TaskRow): Promise<Task> => {
  const { depends, labels, files } = await lists.readAll(db, row.id)
  const acceptance: Task['acceptance'] = []
  for (const { n, text, state } of await criteria.read(db, row.id)) acceptance.push({ n, text, state })
  const written: Task['notes'] = []
  for (const { at, actor, text } of await notes.ofTask(db, row.id))
    written.push({ at: iso(at), by: actor, text })
  const claim = row.epoch > 0 ? await claims.holder(db, row.id) : undefined
  return {
    ...tasks.toLine(row),
    ...(toRecord(taskColumns(), row, 'shown') as ShownOf<ReturnType<typeof taskColumns>>),
    ...(labels.length > 0 && { labels }),
    ...(depends.length > 0 && { depends }),
    ...(files.length > 0 && { files }),
    ...(acceptance.length > 0 && { acceptance }),
    ...(claim && { claim: shownClaim(claim) }),
    ...(written.length > 0 && { notes: written }),
  }
}

export const shownClaim = ({ owner, epoch, expires_at }: claims.ClaimRow): Claim => ({
  owner,
  epoch,
  expires: iso(expires_at),
})
