import * as v from 'valibot'
import { brief } from '../kernel/print/brief.ts'
import { iso } from '../kernel/time.ts'
import type { Db } from '../store/port.ts'
import * as notes from '../tasks/sql/notes.ts'
import * as sessions from './sql.ts'

export const handOverShape = () =>
  v.object({
    by: v.string(),
    at: v.string(),
    session: v.string(),
    note: v.string(),
    /** The command that shows the whole note, if `note` is only its beginning. */
    rest: v.optional(v.string()),
  })
export type HandOver = v.InferOutput<ReturnType<typeof handOverShape>>

/** How many of the newest sessions are searched for a note. */
const lastSessions = 50
/** A token has at least one byte, so this is also the most tokens that a note costs its reader. */
const mostBytes = 400

/**
 * Returns the last note with which a session of this epic ended, else the last note of a session without an epic. If no
 * epic is given, returns the last note of any session.
 */
export const lastHandOver = async (db: Db, epic: string | undefined): Promise<HandOver | undefined> => {
  const own = await lastNote(db, epic)
  return own ?? (epic === undefined ? undefined : lastNote(db, null))
}

const lastNote = async (db: Db, scope: string | null | undefined): Promise<HandOver | undefined> => {
  const ids = await sessions.newest(db, scope, lastSessions)
  const row = ids.length > 0 ? await notes.latestOfSessions(db, ids) : undefined
  if (!row) return undefined
  const { actor, at, session, text } = row
  const note = brief(text, mostBytes)
  const isCut = text.length > mostBytes || note.endsWith('…')
  return {
    ...{ by: actor, at: iso(at), session, note },
    ...(isCut && { rest: `cleo session status ${session}` }),
  }
}
