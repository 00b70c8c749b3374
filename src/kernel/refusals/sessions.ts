import { entry } from './entry.ts'

/** Sessions, focus and claims do not allow it. */
export const sessions = () => ({
  'session.not_found': entry<{ id: string }>({
    exit: 31,
    http: 404,
    message: ({ id }) => `There is no session ${id}.`,
    fix: () => 'cleo session list',
  }),
  'session.ended': entry<{ id: string }>({
    exit: 31,
    http: 409,
    message: ({ id }) => `Session ${id} has ended.`,
    fix: ({ id }) => `cleo session resume ${id}`,
  }),
  'session.unnamed': entry<object>({
    exit: 31,
    http: 400,
    message: () => 'Which session? None was named and CLEO_SESSION_ID is not set.',
    fix: () => 'cleo session list',
  }),
  'scope.invalid': entry<{ id: string; why: string }>({
    exit: 33,
    http: 422,
    message: ({ id, why }) => `A session cannot be scoped to ${id}: ${why}.`,
    fix: () => 'cleo list --type epic',
  }),
  'scope.outside': entry<{ id: string; session: string; epic: string }>({
    exit: 34,
    http: 409,
    message: ({ id, session, epic }) => `${id} is outside ${epic}, the scope of session ${session}.`,
    fix: ({ epic }) => `cleo orchestrate next --epic ${epic}`,
  }),
  'claim.held': entry<{ id: string; owner: string; expires: string }>({
    exit: 35,
    http: 409,
    message: ({ id, owner, expires }) => `${id} is claimed by ${owner} until ${expires}.`,
    alternatives: ({ owner }) => [
      `A person can give it back in the name of ${owner}: focus clear, with --as.`,
    ],
    fix: () => 'cleo orchestrate next',
  }),
  'claim.lost': entry<{ id: string; actor: string; owner?: string }>({
    exit: 35,
    http: 409,
    message: ({ id, actor, owner }) =>
      `${actor} no longer owns ${id}${owner ? `: ${owner} has taken it` : ''}. Nothing was changed.`,
    fix: ({ id }) => `cleo show ${id}`,
  }),
  'focus.missing': entry<{ actor: string }>({
    exit: 38,
    http: 409,
    message: ({ actor }) => `${actor} has no task in focus.`,
    fix: () => 'cleo orchestrate next',
  }),
})
