import { chain, names } from '../names.ts'
import { entry } from './entry.ts'

/** The graph of tasks does not allow it. */
export const tasks = () => ({
  'task.not_found': entry<{ id: string }>({
    exit: 4,
    http: 404,
    message: ({ id }) => `There is no task ${id}.`,
    fix: () => 'cleo list',
  }),
  'parent.not_found': entry<{ id: string }>({
    exit: 4,
    http: 404,
    message: ({ id }) => `There is no task ${id} to be the parent.`,
    fix: () => 'cleo list --type epic',
  }),
  'dependency.not_found': entry<{ ids: string[] }>({
    exit: 4,
    http: 404,
    message: ({ ids }) => `Depends on ${names(ids)}, which ${ids.length === 1 ? 'does' : 'do'} not exist.`,
    fix: () => 'cleo list',
  }),
  'dependency.open': entry<{ id: string; on: string[] }>({
    exit: 5,
    http: 409,
    message: ({ id, on }) => `${id} waits on ${names(on)}.`,
    fix: ({ id }) => `cleo deps ${id}`,
  }),
  'parent.invalid': entry<{ parent: string; why: string }>({
    exit: 13,
    http: 409,
    message: ({ parent, why }) => `${parent} cannot be the parent: ${why}.`,
    fix: ({ parent }) => `cleo show ${parent}`,
  }),
  'parent.closed': entry<{ parent: string; status: string }>({
    exit: 13,
    http: 409,
    message: ({ parent, status }) => `${parent} is ${status}; it takes no new children.`,
    fix: ({ parent }) => `cleo reopen ${parent} --reason "more to do"`,
  }),
  'depth.exceeded': entry<{ parent: string; depth: number }>({
    exit: 11,
    http: 409,
    message: ({ parent, depth }) => `Below ${parent} this would be level ${depth}; a tree has at most 3.`,
    fix: ({ parent }) => `cleo tree ${parent}`,
  }),
  cycle: entry<{ path: string[]; contains: boolean; look?: string }>({
    exit: 14,
    http: 409,
    message: ({ path, contains }) =>
      `${chain(path)} would be a cycle${contains ? ' (a task waits for its parts, and they for what it needs)' : ''}.`,
    fix: ({ path, contains, look }) =>
      path.length === 3 && !contains && look === path[0]
        ? `cleo update ${path[1]} --remove-depends ${path[2]}`
        : look && `cleo deps ${look}`,
  }),
  'children.open': entry<{ id: string; open: string[]; hint?: string }>({
    exit: 16,
    http: 409,
    message: ({ id, open }) => `${id} has open children: ${names(open)}.`,
    fix: ({ id }) => `cleo tree ${id}`,
    alternatives: ({ hint }) => (hint ? [hint] : []),
  }),
  'task.status': entry<{ id: string; status: string; verb: string }>({
    exit: 6,
    http: 409,
    message: ({ id, status, verb }) => `${id} is ${status}; ${verb} does not apply.`,
    fix: ({ id, status }) =>
      status === 'blocked'
        ? `cleo unblock ${id}`
        : status === 'done' || status === 'cancelled'
          ? `cleo reopen ${id} --reason "more to do"`
          : `cleo show ${id}`,
  }),
  'epic.expected': entry<{ id: string; type: string; epic?: string }>({
    exit: 6,
    http: 422,
    message: ({ id, type }) => `${id} is a ${type}, not an epic.`,
    fix: ({ epic }) => (epic ? `cleo orchestrate analyze ${epic}` : 'cleo list --type epic'),
  }),
  'task.foreign': entry<{ id: string; actor: string; own: string; verb: string }>({
    exit: 64,
    http: 403,
    message: ({ id, actor, own, verb }) => `${actor} works on ${own}: to ${verb} ${id} is not its to decide.`,
    fix: ({ id }) => `cleo note ${id} "…"`,
  }),
  'task.contract': entry<{ id: string; actor: string; fields: string[] }>({
    exit: 64,
    http: 403,
    message: ({ id, actor, fields }) =>
      `${actor} was sent with what ${id} asks for and cannot change it: ${fields.join(', ')}.`,
    fix: ({ id }) => `cleo note ${id} "…"`,
  }),
})
