import { listIds, showChain } from '../print/id-list.ts'
import { refusal } from './refusal.ts'

const viaParent = " (a parent waits for its children, and the children wait for the parent's dependencies)"

/** Refusals because the task, or the graph of tasks, prevents the action. */
export const tasks = () => ({
  'task.not_found': refusal<{ id: string }>({
    exit: 4,
    message: ({ id }) => `There is no task ${id}.`,
    fix: () => 'cleo list',
  }),
  'parent.not_found': refusal<{ id: string }>({
    exit: 4,
    message: ({ id }) => `There is no parent task ${id}.`,
    fix: () => 'cleo list --type epic',
  }),
  'dependency.not_found': refusal<{ ids: string[] }>({
    exit: 4,
    message: ({ ids }) => `Unknown ${ids.length === 1 ? 'dependency' : 'dependencies'}: ${listIds(ids)}.`,
    fix: () => 'cleo list',
  }),
  'dependency.open': refusal<{ id: string; on: string[] }>({
    exit: 5,
    message: ({ id, on }) => `${id} waits on ${listIds(on)}, which must be done first.`,
    fix: ({ id }) => `cleo deps ${id}`,
  }),
  'parent.invalid': refusal<{ parent: string; why: string }>({
    exit: 13,
    message: ({ parent, why }) => `${parent} cannot be the parent: ${why}.`,
    fix: ({ parent }) => `cleo show ${parent}`,
  }),
  'parent.closed': refusal<{ parent: string; status: string }>({
    exit: 13,
    message: ({ parent, status }) => `${parent} is ${status} and cannot get new children.`,
    fix: ({ parent }) => `cleo reopen ${parent} --reason "more to do"`,
  }),
  'depth.exceeded': refusal<{ parent: string; depth: number }>({
    exit: 11,
    message: ({ parent, depth }) => `A task below ${parent} would be at level ${depth}; the maximum is 3.`,
    fix: ({ parent }) => `cleo tree ${parent}`,
  }),
  cycle: refusal<{ path: string[]; contains: boolean; inspect?: string }>({
    exit: 14,
    message: ({ path, contains }) => `${showChain(path)} would be a cycle${contains ? viaParent : ''}.`,
    fix: ({ path, contains, inspect }) =>
      path.length === 3 && !contains && inspect === path[0]
        ? `cleo update ${path[1]} --remove-depends ${path[2]}`
        : inspect && `cleo deps ${inspect}`,
  }),
  'children.open': refusal<{ id: string; open: string[]; hint?: string }>({
    exit: 16,
    message: ({ id, open }) => `${id} has open children: ${listIds(open)}.`,
    fix: ({ id }) => `cleo tree ${id}`,
    alternatives: ({ hint }) => (hint ? [hint] : []),
  }),
  'task.status': refusal<{ id: string; status: string; verb: string }>({
    exit: 6,
    message: ({ id, status, verb }) => `Cannot ${verb} ${id}: it is ${status}.`,
    fix: ({ id, status }) =>
      status === 'blocked'
        ? `cleo unblock ${id}`
        : status === 'done' || status === 'cancelled'
          ? `cleo reopen ${id} --reason "more to do"`
          : `cleo show ${id}`,
  }),
  'task.status_verb': refusal<{ id: string; from: string; to: string }>({
    exit: 6,
    message: ({ id }) => `update cannot change the status of ${id}.`,
    fix: ({ id, from, to }) => statusCommand(id, from, to),
  }),
  'epic.expected': refusal<{ id: string; type: string; epic?: string }>({
    exit: 6,
    message: ({ id, type }) => `${id} is a ${type}, not an epic.`,
    fix: ({ epic }) => (epic ? `cleo analyze ${epic}` : 'cleo list --type epic'),
  }),
  'task.foreign': refusal<{ id: string; actor: string; own: string; verb: string }>({
    exit: 64,
    message: ({ id, actor, own, verb }) =>
      id === own
        ? `${actor} may not ${verb} ${id}: only its orchestrator or a person may.`
        : `${actor} may change only ${own} and its subtasks.`,
    fix: ({ id }) => `cleo note ${id} "…"`,
  }),
  'task.contract': refusal<{ id: string; actor: string; fields: string[] }>({
    exit: 64,
    message: ({ id, actor, fields }) =>
      `${actor} was spawned for ${id}, so it cannot change the task's ${fields.join(', ')}.`,
    fix: ({ id }) => `cleo note ${id} "…"`,
  }),
})

/** Returns the command that gives a task this status, also for the words of other trackers. For cancel, only its help. */
const statusCommand = (id: string, from: string, to: string): string => {
  switch (to.toLowerCase().replaceAll(/[\s_]/g, '-')) {
    case 'done':
    case 'complete':
    case 'completed':
    case 'finished':
    case 'closed':
      return `cleo complete ${id}`
    case 'cancelled':
    case 'canceled':
      return 'cleo cancel --help'
    case 'blocked':
      return `cleo block ${id} --reason "…"`
    case 'active':
    case 'started':
    case 'in-progress':
      return `cleo focus set ${id}`
    case 'pending':
    case 'open':
    case 'todo':
      if (from === 'active') return `cleo focus clear ${id}`
      if (from === 'blocked') return `cleo unblock ${id}`
      return from === 'pending' ? `cleo show ${id}` : `cleo reopen ${id} --reason "…"`
    default:
      return 'cleo update --help'
  }
}
