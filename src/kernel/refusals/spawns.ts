import { names } from '../names.ts'
import type { Problem } from '../result.ts'
import { entry } from './entry.ts'

/** A task cannot be handed to a subagent as it is. */
export const spawns = () => ({
  'spawn.not_found': entry<{ id: string }>({
    exit: 4,
    http: 404,
    message: ({ id }) => `There is no spawn ${id}.`,
    fix: () => 'cleo orchestrate spawn list',
  }),
  'spawn.none': entry<{ task: string }>({
    exit: 4,
    http: 404,
    message: ({ task }) => `${task} was never spawned.`,
    fix: ({ task }) => `cleo orchestrate spawn ${task} --ref`,
  }),
  'spawn.single': entry<{ task: string }>({
    exit: 4,
    http: 404,
    message: ({ task }) => `${task} was spawned once: there is nothing to compare with.`,
    fix: ({ task }) => `cleo orchestrate spawn show ${task}`,
  }),
  'spawn.superseded': entry<{ id: string; by: string }>({
    exit: 35,
    http: 409,
    message: ({ id, by }) => `${id} has been replaced by ${by}. Nothing was changed.`,
    fix: ({ by }) => `cleo orchestrate spawn show ${by}`,
  }),
  'task.changed': entry<{ id: string }>({
    exit: 21,
    http: 409,
    retryable: true,
    message: ({ id }) => `${id} kept changing while its prompt was made. Nothing was kept.`,
    fix: ({ id }) => `cleo show ${id}`,
  }),
  'spawn.closed': entry<{ id: string; status: string }>({
    exit: 63,
    http: 409,
    retryable: true,
    message: ({ id, status }) => `${id} is ${status}: there is nothing to hand out.`,
    fix: ({ id, status }) =>
      status === 'blocked' ? `cleo unblock ${id}` : `cleo reopen ${id} --reason "more to do"`,
  }),
  'spawn.parts': entry<{ id: string; open: string[] }>({
    exit: 63,
    http: 409,
    retryable: true,
    message: ({ id, open }) => `${id} is worked on through its parts: ${names(open)}.`,
    fix: ({ open }) => `cleo orchestrate spawn ${open[0]} --ref`,
  }),
  'spawn.undescribed': entry<{ id: string }>({
    exit: 63,
    http: 422,
    retryable: true,
    message: ({ id }) => `${id} has no description: a subagent knows nothing but its prompt.`,
    fix: ({ id }) => `cleo update ${id} --description "…"`,
  }),
  'spawn.untraced': entry<{ id: string; root: string }>({
    exit: 63,
    http: 422,
    retryable: true,
    message: ({ id, root }) =>
      id === root
        ? `${id} belongs to no epic (ORC-007).`
        : `${id} belongs to ${root}, which is no epic (ORC-007).`,
    fix: ({ root }) => `cleo update ${root} --parent "…"`,
    alternatives: () => ['cleo list --type epic'],
  }),
  'spawn.files': entry<{ id: string; count: number; most: number }>({
    exit: 63,
    http: 422,
    retryable: true,
    message: ({ id, count, most }) =>
      `${id} declares ${count} files; one spawn takes at most ${most} (ORC-006, spawn.maxFiles).`,
    fix: ({ id }) => `cleo add "…" --parent ${id} --files "…"`,
  }),
  'spawn.folder': entry<{ path: string; why: string }>({
    exit: 63,
    http: 422,
    retryable: true,
    message: ({ path, why }) => `${path} cannot be used: ${why}.`,
  }),
  'tokens.unresolved': entry<{ count: number; problems: Problem[] }>({
    exit: 63,
    http: 422,
    retryable: true,
    message: ({ count }) => `${count} ${count === 1 ? 'token is' : 'tokens are'} not resolved.`,
  }),
  'budget.exceeded': entry<{ tokens: number; limit: number; problems: Problem[] }>({
    exit: 10,
    http: 422,
    message: ({ tokens, limit }) => `The prompt has ${tokens} tokens; 70 % of the total budget are ${limit}.`,
  }),
  'skill.twice': entry<{ name: string; agent: string }>({
    exit: 6,
    http: 409,
    message: ({ name, agent }) =>
      `${name} would be given twice: in the prompt and by \`skills\` in ${agent}.`,
    fix: () => 'cleo agent show cleo-subagent',
    alternatives: ({ name, agent }) => [`Take ${name} out of ${agent}, or name another skill with --skills.`],
  }),
  'skill.whole': entry<{ name: string }>({
    exit: 6,
    http: 409,
    message: ({ name }) => `There is nothing behind the SKILL.md of ${name}: a prompt with it has all of it.`,
    fix: ({ name }) => `cleo skills show ${name} --level L1`,
  }),
})
