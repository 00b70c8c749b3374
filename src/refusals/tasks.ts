import { listIds, showChain } from '../print/id-list.ts'
import { type Problems, problemCount, refusal } from './refusal.ts'

const viaParent = " (a parent waits for its children, and the children wait for the parent's dependencies)"

const setEditor = () => ['Set VISUAL or EDITOR to an editor, such as nano or "code --wait".']

export const tasks = () => ({
  'task.not_found': refusal<{ id: string }>({
    exit: 4,
    message: ({ id }) => `There is no task ${id}.`,
    fix: () => 'cleo list',
  }),
  'several.refused': refusal<Problems & { ids: string[]; count: number }>({
    exit: 6,
    message: ({ ids, count, problems }) =>
      problems.length === 1
        ? `${problems[0]!.message} Nothing was done for the other ${count === 2 ? 'task' : `${count - 1} tasks`} either.`
        : `Nothing was done: ${ids.length} of ${count} tasks ${ids.length === 1 ? 'was' : 'were'} refused.`,
    fix: ({ problems }) => (problems.length === 1 ? problems[0]!.fix : undefined),
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
    message: ({ id }) => `cleo update cannot change the status of ${id}.`,
    fix: ({ id, from, to }) => statusCommand(id, from, to),
  }),
  'epic.expected': refusal<{ id: string; type: string; epic?: string }>({
    exit: 6,
    message: ({ id, type }) => `${id} is a ${type}, not an epic.`,
    fix: ({ epic }) => (epic ? `cleo analyze ${epic}` : 'cleo list --type epic'),
  }),
  'list.unsorted': refusal<{ sort: string; most: number }>({
    exit: 6,
    message: ({ sort, most }) => `More than ${most} tasks match, too many to sort by ${sort}.`,
    fix: () => 'cleo list --sort created',
    alternatives: ({ sort }) => [
      `Narrow the list with an epic, --status, --label or --type: cleo list T001 --sort ${sort}`,
    ],
  }),
  'edit.conflict': refusal<{ id: string; fields: string[]; by?: string }>({
    exit: 21,
    message: ({ id, fields, by }) =>
      `While you edited ${id}, ${by ?? 'another actor'} changed these fields: ${fields.join(', ')}. Your edit is not saved.`,
    fix: ({ id }) => `cleo show ${id}`,
  }),
  'edit.kept': refusal<Problems & { why: string; fix: string; path: string }>({
    exit: 6,
    message: ({ why, path }) => `${why} Nothing was changed; your text is in ${path}.`,
    fix: ({ fix }) => fix,
  }),
  'editor.missing': refusal<{ fix: string }>({
    exit: 2,
    message: () => 'No editor is set: neither VISUAL nor EDITOR names one.',
    fix: ({ fix }) => fix,
    alternatives: setEditor,
  }),
  'editor.failed': refusal<{ editor: string; why: string; fix: string }>({
    exit: 3,
    message: ({ editor, why }) => `The editor "${editor}" ${why}. Nothing was changed.`,
    fix: ({ fix }) => fix,
    alternatives: setEditor,
  }),
  'undo.nothing': refusal<{
    actor: string
    last?: { actor: string; operation: string; task: string | null }
  }>({
    exit: 4,
    message: ({ actor, last }) =>
      `${actor} has made no change that can be undone.${last ? ` The last change was ${commandOf(last.operation, last.task ? [last.task] : [])}, by ${last.actor}.` : ''}`,
    fix: () => 'cleo log --limit 5',
  }),
  'undo.never': refusal<{ actor: string; operation: string; tasks: string[] }>({
    exit: 6,
    message: ({ actor, operation, tasks }) =>
      `The last command of ${actor} was ${commandOf(operation, tasks)}, which cannot be undone.`,
    fix: ({ actor }) => `cleo log --limit 5 --actor ${actor}`,
    alternatives: () => [
      'Undo takes back add, update, mv, edit, note, block, unblock, cancel, reopen and complete.',
    ],
  }),
  'undo.undone': refusal<{ actor: string; tasks: string[] }>({
    exit: 6,
    message: ({ actor, tasks }) =>
      `The last command of ${actor} was ${commandOf('undo', tasks)}. cleo undo takes back only the last command, and never an undo.`,
    fix: ({ actor }) => `cleo log --limit 5 --actor ${actor}`,
    alternatives: () => [
      'To make the undone change again, repeat the command that made it.',
      'To take back an earlier change, use another command, such as cleo edit.',
    ],
  }),
  'undo.later': refusal<Problems & { operation: string; tasks: string[] }>({
    exit: 6,
    message: ({ operation, tasks, problems, more }) =>
      problems.length === 1
        ? `Cannot undo ${commandOf(operation, tasks)}: ${problems[0]!.message}`
        : `Cannot undo ${commandOf(operation, tasks)}, for ${problemCount({ problems, more })} reasons.`,
    fix: ({ tasks, problems }) => problems.find(({ fix }) => fix)?.fix ?? `cleo log --task ${tasks[0]}`,
  }),
  'task.foreign': refusal<{ id: string; actor: string; own: string; verb: string }>({
    exit: 64,
    message: ({ id, actor, own, verb }) =>
      id === own
        ? `${actor} may not ${verb} ${id}: only its orchestrator or a person may.`
        : `${actor} may change only ${own}, its subtasks and the tasks that it added. On ${id} it may only write notes.`,
    fix: ({ id }) => `cleo note ${id} "…"`,
  }),
  'task.contract': refusal<{ id: string; actor: string; fields: string[] }>({
    exit: 64,
    message: ({ id, actor, fields }) =>
      `${actor} may not change these fields of its own task ${id}: ${fields.join(', ')}. Only its orchestrator or a person may change them.`,
    fix: ({ id }) => `cleo note ${id} "…"`,
  }),
})

/** Returns the command as its user knows it, such as `"add T012"`. */
const commandOf = (operation: string, tasks: readonly string[]): string => {
  const verb = operation
    .replace('outline.add', 'add --from')
    .replace(/^(?:tasks|orchestrate|admin|pipeline)\./, '')
    .replaceAll('.', ' ')
  return `"${tasks.length > 0 ? `${verb} ${listIds([...tasks])}` : verb}"`
}

/** Also accepts the status words of other trackers. In a command that needs a reason, `…` stands for the reason. */
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
      return `cleo cancel ${id} --reason "…"`
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
