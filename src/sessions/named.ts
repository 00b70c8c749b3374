import * as v from 'valibot'
import { type Failure, fail } from '../kernel/result.ts'
import { describe } from '../kernel/text.ts'
import type { Db } from '../store/port.ts'
import type { SessionRow } from '../store/rows.ts'
import * as sessions from './sql.ts'

export const SessionId = describe(
  v.pipe(v.string(), v.regex(/^ses_[0-9a-z]{4,32}$/, 'a session id looks like ses_4f0k2m9x1c7d')),
  'session id (default: CLEO_SESSION_ID)',
)

/** Returns the session with the given id; without an id, the caller's own session. */
export const namedSession = async (
  db: Db,
  id: string | undefined,
  own: SessionRow | undefined,
): Promise<SessionRow | Failure<'session.unnamed' | 'session.not_found'>> => {
  if (id === undefined) return own ?? fail('session.unnamed', {})
  return (await sessions.find(db, id)) ?? fail('session.not_found', { id })
}
