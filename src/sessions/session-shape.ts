import * as v from 'valibot'
import * as audit from '../audit/sql.ts'
import { iso } from '../kernel/time.ts'
import type { Db } from '../store/port.ts'
import type { SessionRow } from '../store/rows.ts'
import * as notes from '../tasks/sql/notes.ts'

export const sessionLine = () =>
  v.object({
    id: v.string(),
    name: v.string(),
    /** The epic to which the session is limited, or `global`. */
    scope: v.string(),
    status: v.picklist(['active', 'ended']),
    startedAt: v.string(),
    endedAt: v.optional(v.string()),
  })
export type SessionLine = v.InferOutput<ReturnType<typeof sessionLine>>

export const sessionShape = () =>
  v.object({
    ...sessionLine().entries,
    by: v.string(),
    /** The tasks that were changed in the session. */
    tasks: v.array(v.string()),
    notes: v.optional(v.array(v.string())),
  })

export const toLine = ({ id, name, scope, status, started_at, ended_at }: SessionRow): SessionLine => ({
  id,
  name,
  scope: scope ?? 'global',
  status,
  startedAt: iso(started_at),
  ...(ended_at && { endedAt: iso(ended_at) }),
})

export const readSession = async (db: Db, row: SessionRow) => {
  const written = await notes.ofSession(db, row.id)
  return {
    ...toLine(row),
    by: row.actor,
    tasks: await audit.touched(db, row.id),
    ...(written.length > 0 && { notes: written.map(({ text }) => text) }),
  }
}
