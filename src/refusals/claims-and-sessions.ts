import { minuteOf, refusal } from './refusal.ts'

export const sessions = () => ({
  'session.not_found': refusal<{ id: string }>({
    exit: 31,
    message: ({ id }) => `There is no session ${id}.`,
    fix: () => 'cleo session list',
  }),
  'session.ended': refusal<{ id: string }>({
    exit: 31,
    message: ({ id }) => `Session ${id} has ended.`,
    fix: ({ id }) => `cleo session resume ${id}`,
  }),
  'session.unnamed': refusal<object>({
    exit: 31,
    message: () => 'No session was given, and CLEO_SESSION_ID is not set.',
    fix: () => 'cleo session start',
    alternatives: () => ['cleo session list'],
  }),
  'session.several': refusal<{
    actor: string
    sessions: { id: string; scope: string; name: string }[]
    command: string
  }>({
    exit: 31,
    message: ({ actor, sessions }) =>
      `${actor} has ${sessions.length} open sessions; give the id of one: ${sessions
        .map(({ id, scope, name }) => `${id} (${scope}, ${name})`)
        .join(', ')}.`,
    alternatives: ({ sessions, command }) => sessions.map(({ id }) => `${command} ${id}`),
    fix: () => 'cleo session list --status active',
  }),
  'scope.invalid': refusal<{ id: string; why: string }>({
    exit: 33,
    message: ({ id, why }) => `A session cannot be scoped to ${id}: ${why}.`,
    fix: () => 'cleo list --type epic',
  }),
  'scope.outside': refusal<{ id: string; session: string; epic: string }>({
    exit: 34,
    message: ({ id, session, epic }) => `${id} is outside ${epic}, the scope of session ${session}.`,
    fix: ({ epic }) => `cleo next ${epic}`,
  }),
  'claim.held': refusal<HeldTask>({
    exit: 35,
    message: (held) =>
      'since' in held
        ? `${held.owner} has worked on ${held.id} since ${minuteOf(held.since)}. It keeps ${held.id} until its work is received or ${held.id} is released.${
            held.actor ? '' : ` If you are ${held.owner}, add --as ${held.owner}.`
          }`
        : `${held.id} is claimed by ${held.owner} until ${minuteOf(held.expires)}.`,
    alternatives: ({ id, owner }) => [`A person can release ${id}: cleo focus clear ${id} --as ${owner}`],
    fix: (held) => {
      if (!('since' in held)) return 'cleo next'
      return held.actor
        ? `cleo show ${held.id} --as ${held.actor}`
        : `cleo focus set ${held.id} --as ${held.owner}`
    },
  }),
  'claim.lost': refusal<{ id: string; actor: string; owner?: string }>({
    exit: 35,
    message: ({ id, actor, owner }) =>
      `${actor} no longer owns ${id}${owner ? `: ${owner} has claimed it` : ''}. Nothing was changed.`,
    fix: ({ id }) => `cleo show ${id}`,
  }),
  'focus.missing': refusal<{ actor: string }>({
    exit: 38,
    message: ({ actor }) => `${actor} has no task in focus.`,
    fix: ({ actor }) =>
      /^T\d+\.\d+$/.test(actor) ? `cleo focus set ${actor.split('.')[0]} --as ${actor}` : 'cleo next',
  }),
})

/**
 * A task that another actor owns. Either `owner` has a claim that expires, or `owner` is a spawn. A spawn keeps the
 * task until its work is received.
 */
type HeldTask =
  | { id: string; owner: string; expires: string }
  | {
      id: string
      owner: string
      /** When the task was spawned. */
      since: string
      /** Set if the caller is a spawn. If not set, the refusal suggests `--as`, because the caller may be the owner. */
      actor?: string
    }
