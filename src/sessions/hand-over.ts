import * as v from 'valibot'
import { iso } from '../kernel/time.ts'
import { brief } from '../print/brief.ts'
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

/** At most this many of the newest sessions are searched for a note. */
const lastSessions = 50
/**
 * A note has at most this many bytes. A model token has at least one byte, so the note also has at most this many
 * tokens.
 */
const mostBytes = 400

/**
 * Returns the last hand-over of the sessions of this epic. If there is none, returns the last hand-over of the
 * sessions without an epic. If no epic is given, returns the last hand-over of all sessions.
 */
export const lastHandOver = async (db: Db, epic: string | undefined): Promise<HandOver | undefined> => {
  const { own, others } = await sessions.newest(db, epic, lastSessions)
  return (await lastNote(db, own)) ?? lastNote(db, others)
}

const lastNote = async (db: Db, ids: readonly string[]): Promise<HandOver | undefined> => {
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
