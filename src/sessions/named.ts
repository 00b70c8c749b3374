import * as v from 'valibot'
import type { Actor } from '../kernel/actor.ts'
import { type Failure, fail, refuse } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import { describe } from '../kernel/text.ts'
import type { Context } from '../operation/context.ts'
import { brief } from '../print/brief.ts'
import type { Db } from '../store/port.ts'
import type { SessionRow } from '../store/rows.ts'
import * as sessions from './sql.ts'

export const SessionId = describe(
  v.pipe(v.string(), v.regex(/^ses_[0-9a-z]{4,32}$/, 'a session id looks like ses_4f0k2m9x1c7d')),
  'session id (default: CLEO_SESSION_ID)',
)

export const OwnSessionId = describe(
  SessionId.pipe[0],
  'session id (default: CLEO_SESSION_ID, else your only open session)',
)

export const ownSessionCodes = ['session.unnamed', 'session.not_found', 'session.several'] as const

/** Returns the session with the given id; without an id, the session in which the command runs. */
export const namedSession = async (
  db: Db,
  id: string | undefined,
  own: SessionRow | undefined,
): Promise<SessionRow | Failure<'session.unnamed' | 'session.not_found'>> => {
  if (id === undefined) return own ?? fail('session.unnamed', {})
  return (await sessions.find(db, id)) ?? fail('session.not_found', { id })
}

/**
 * Refuses the command if a spawn would change a session of another actor. This can happen by accident: the environment
 * of a spawn can contain the id of its orchestrator's session.
 */
export const refuseForeignSession = ({ id }: Actor, session: SessionRow, operation: string): void => {
  if (parseSpawnId(id) && session.actor !== id) refuse('orchestrator.needed', { operation, actor: id })
}

const mostListed = 10

/**
 * Like `namedSession`, with one addition. If no id is given and the command runs in no session, returns the actor's
 * only open session. If the actor has several open sessions, refuses and suggests `command` for each of them.
 */
export const ownSession = async (
  db: Db,
  { actor, session }: Pick<Context, 'actor' | 'session'>,
  { id, command }: { id?: string; command: string },
): Promise<SessionRow | Failure<(typeof ownSessionCodes)[number]>> => {
  if (id !== undefined || session) return namedSession(db, id, session)
  const open = await sessions.allActiveOf(db, actor.id, mostListed)
  if (open.length < 2) return open[0] ?? fail('session.unnamed', {})
  const listed = open.map(({ id, scope, name }) => ({ id, scope: scope ?? 'global', name: brief(name, 40) }))
  return fail('session.several', { actor: actor.id, sessions: listed, command })
}
