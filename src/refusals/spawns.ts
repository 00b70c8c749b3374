import { listIds } from '../print/id-list.ts'
import { beginning } from '../print/printable.ts'
import { shellQuote } from '../print/shell-quote.ts'
import { folderOf, minuteOf, type Problem, refusal, runAgain } from './refusal.ts'

const replaceNow = (id: string, task: string): string =>
  `A person can replace ${id} now: cleo spawn ${task} --replace`

export const spawns = () => ({
  'spawn.not_found': refusal<{ id: string }>({
    exit: 4,
    message: ({ id }) => `There is no spawn ${id}.`,
    fix: () => 'cleo spawn list',
  }),
  'spawn.none': refusal<{ task: string; closed?: boolean }>({
    exit: 4,
    message: ({ task }) => `${task} was never spawned.`,
    fix: ({ task, closed }) => (closed ? `cleo show ${task}` : `cleo spawn ${task} --ref`),
  }),
  'spawn.single': refusal<{ task: string }>({
    exit: 4,
    message: ({ task }) => `${task} was spawned only once, so there is nothing to compare.`,
    fix: ({ task }) => `cleo spawn show ${task}`,
  }),
  'spawn.superseded': refusal<{ id: string; by: string }>({
    exit: 35,
    message: ({ id, by }) =>
      `${id} was replaced by ${by}, a later spawn of ${by.slice(0, by.indexOf('.'))}. Nothing was changed.`,
    fix: ({ by }) => `cleo spawn show ${by}`,
  }),
  'spawn.restored': refusal<{ id: string; task: string }>({
    exit: 35,
    message: ({ id }) =>
      `${id} is no longer valid: the database was restored from a backup that does not contain it. Nothing was changed.`,
    fix: ({ task }) => `cleo show ${task}`,
  }),
  'spawn.received': refusal<{ id: string; task: string; by: string }>({
    exit: 35,
    message: ({ id, task, by }) =>
      `For ${task}, CLEO has already accepted the work of spawn ${by}, so it cannot accept the work of spawn ${id}.`,
    fix: ({ task }) => `cleo show ${task}`,
  }),
  'spawn.reserved': refusal<{ id: string; task: string; by: string; at: string; until: string }>({
    exit: 35,
    message: ({ id, task, by, at }) =>
      `${task} cannot be spawned again yet: the agent of ${id}, spawned by ${by} at ${minuteOf(at)}, has not started.`,
    fix: () => 'cleo next',
    alternatives: ({ id, task, until }) => [
      `If the agent has not started by ${minuteOf(until)}, ${task} can be spawned again.`,
      replaceNow(id, task),
    ],
  }),
  'spawn.out': refusal<{
    id: string
    task: string
    by: string
    at: string
    /** The time at which the spawn will count as quiet, if it shows no activity until then. */
    quietAt: string
  }>({
    exit: 35,
    message: ({ id, task, by, at }) =>
      `${task} cannot be spawned again yet: the work of ${id}, spawned by ${by} at ${minuteOf(at)}, has not been received.`,
    fix: ({ task }) => `cleo show ${task}`,
    alternatives: ({ id, task, quietAt }) => [
      `If the agent of ${id} has returned: cleo receive ${task} --message "<the agent's last line>"`,
      `If the agent runs no command and changes no file before ${minuteOf(quietAt)}, ${task} can be spawned again then.`,
      replaceNow(id, task),
    ],
  }),
  'task.changed': refusal<{ id: string }>({
    exit: 21,
    retryable: true,
    message: ({ id }) => `${id} changed while the command ran. Nothing was saved.`,
    alternatives: () => [runAgain],
  }),
  'spawn.closed': refusal<{ id: string; status: string }>({
    exit: 63,
    message: ({ id, status }) => `${id} is ${status} and cannot be spawned.`,
    fix: ({ id, status }) =>
      status === 'blocked' ? `cleo unblock ${id}` : `cleo reopen ${id} --reason "more to do"`,
  }),
  'spawn.parts': refusal<{ id: string; open: string[] }>({
    exit: 63,
    message: ({ id, open }) => `${id} has open children; spawn those instead: ${listIds(open)}.`,
    fix: ({ open }) => `cleo spawn ${open[0]} --ref`,
  }),
  'spawn.undescribed': refusal<{ id: string }>({
    exit: 63,
    message: ({ id }) => `${id} has no description and no criteria, so a subagent would not know what to do.`,
    fix: ({ id }) => `cleo update ${id} --description "…"`,
  }),
  'spawn.untraced': refusal<{ id: string; root: string; epics: readonly string[] }>({
    exit: 63,
    message: ({ id, root }) =>
      `Only tasks of an epic can be spawned (ORC-007). ${id} ${id === root ? 'does not belong to an epic' : `belongs to ${root}, which is not an epic`}.`,
    fix: ({ root, epics: [epic, another] }) =>
      epic === undefined
        ? `cleo add "…" --type epic && cleo update ${root} --parent "<its id>"`
        : another === undefined
          ? `cleo update ${root} --parent ${epic}`
          : 'cleo list --type epic',
    alternatives: ({ root, epics }) =>
      epics.length < 2 ? [] : [`Then put ${root} into one of them: cleo update ${root} --parent <epic>`],
  }),
  'spawn.files': refusal<{ id: string; count: number; most: number }>({
    exit: 63,
    message: ({ id, count, most }) =>
      `${id} declares ${count} files. A task with more than ${most} cannot be spawned (spawn.maxFiles, ORC-006): split it into children.`,
    fix: ({ id }) => `cleo add "…" --parent ${id} --files "…"`,
    alternatives: ({ count }) => [
      `To allow more files for every task: cleo config set spawn.maxFiles ${count}`,
    ],
  }),
  'spawn.folder': refusal<{ path: string; why: string }>({
    exit: 63,
    message: ({ path, why }) => `${path} cannot be used for a spawn: ${why}.`,
    fix: ({ path }) => `ls -la ${shellQuote(folderOf(path))}`,
  }),
  'tokens.unresolved': refusal<{
    count: number
    first: { token: string; where: string; why: string }
    problems: Problem[]
  }>({
    exit: 63,
    message: ({ count, first: { token, where, why } }) =>
      count === 1
        ? `The template token ${token} in ${where} cannot be replaced: ${why}.`
        : `${count} template tokens in the prompt cannot be replaced.`,
    alternatives: () => [
      'To give a name a value, add --set NAME=value.',
      'To leave the tokens as they are, add --allow-unresolved.',
    ],
  }),
  'budget.exceeded': refusal<{ tokens: number; limit: number; problems: Problem[] }>({
    exit: 10,
    message: ({ tokens, limit }) =>
      `The prompt has ${tokens} tokens; the limit is ${limit} (70 % of the total budget).`,
    fix: () => 'cleo config get budget.total',
    alternatives: () => ['Use fewer skills (--skills), --strategy minimal, or a shorter description.'],
  }),
  'skill.twice': refusal<{ name: string; agent: string; command: string; others: readonly string[] }>({
    exit: 6,
    message: ({ name, agent }) => `${name} would be loaded twice: by --skills and by \`skills\` in ${agent}.`,
    fix: ({ command, others }) => `${command} --skills ${shellQuote(others.join(','))}`,
    alternatives: ({ name, agent }) => [`Remove ${name} from ${agent}.`],
  }),
  'skill.whole': refusal<{ name: string }>({
    exit: 6,
    message: ({ name }) => `${name} has no files besides SKILL.md, which the prompt already includes.`,
    fix: ({ name }) => `cleo skills show ${name} --level L1`,
  }),
  'return.invalid': refusal<{ message: string; task: string }>({
    exit: 61,
    message: ({ message }) => `"${beginning(message)}" does not ask for a skill.`,
    fix: ({ task }) => `cleo respawn ${task} --ref`,
    alternatives: ({ task }) => [
      `If the agent asked for a skill: cleo respawn ${task} --ref --message "need skill: <name>"`,
      `If the agent asked for the files of a skill: cleo respawn ${task} --ref --message "need level: <name> L2"`,
    ],
  }),
})
