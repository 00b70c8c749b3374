import { refusal } from './refusal.ts'

/**
 * Facts for refusals of `run stop`. If no run is working, agents that were started by hand can still be at work. The
 * refusal says how to end one of them.
 */
export interface Unstopped {
  /**
   * A spawn that is out and that no run started; empty if there is none. Undefined in refusals of other commands.
   */
  out?: string
}
const giveBack = (out: string): string[] =>
  out
    ? [
        `No run started ${out}. End it in its client, then release the task: cleo focus clear ${out.slice(0, out.indexOf('.'))} --as ${out}`,
      ]
    : ['No agent has a task.']

export const runs = () => ({
  'run.not_found': refusal<Unstopped & { id?: string; epic?: string }>({
    exit: 4,
    message: ({ id, epic }) =>
      id ? `There is no run ${id}.` : epic ? `${epic} has no run.` : 'There is no run in this project.',
    fix: ({ out }) => (out === undefined ? 'cleo run list' : 'cleo status'),
    alternatives: ({ out }) => (out === undefined ? ['To start one: cleo run T001'] : giveBack(out)),
  }),
  'run.active': refusal<{ id: string; epic: string; by: string; isDriven: boolean }>({
    exit: 35,
    message: ({ id, epic, by, isDriven }) =>
      isDriven
        ? `${id}, started by ${by}, is already working on ${epic}.`
        : `${id}, started by ${by}, was interrupted while working on ${epic}.`,
    fix: ({ id, isDriven }) => (isDriven ? `cleo run status ${id}` : `cleo run resume ${id}`),
    alternatives: ({ id }) => [`To stop it: cleo run stop ${id}`],
  }),
  'run.driven': refusal<{ id: string; pid: number }>({
    exit: 35,
    message: ({ id, pid }) => `Process ${pid} is already running ${id}.`,
    fix: ({ id }) => `cleo run status ${id}`,
    alternatives: ({ id }) => [`To stop it: cleo run stop ${id}`],
  }),
  'run.replaced': refusal<{ id: string }>({
    exit: 35,
    message: ({ id }) => `Another process has taken over ${id} and continues it. This process has stopped.`,
    fix: ({ id }) => `cleo run status ${id}`,
  }),
  'run.over': refusal<{ id: string; epic: string }>({
    exit: 6,
    message: ({ id }) => `${id} is finished.`,
    fix: ({ id }) => `cleo run show ${id}`,
    alternatives: ({ epic }) => [`To work on the open tasks of ${epic}: cleo run ${epic}`],
  }),
  'run.idle': refusal<Unstopped & { id: string; state: string }>({
    exit: 6,
    message: ({ id, state }) => `${id} is not running: it is ${state}.`,
    fix: ({ id }) => `cleo run show ${id}`,
    alternatives: ({ out }) => (out ? giveBack(out) : []),
  }),
  'run.nothing': refusal<{ epic: string; why: string; fix: string }>({
    exit: 6,
    message: ({ epic, why }) => `No task of ${epic} can start: ${why}.`,
    fix: ({ fix }) => fix,
  }),
  'run.agents': refusal<{ epic: string; installed: readonly string[] }>({
    exit: 2,
    message: ({ installed }) => `Several agent clients are installed: ${installed.join(', ')}. Choose one.`,
    fix: ({ epic, installed }) => `cleo run ${epic} --agent ${installed[0]}`,
    alternatives: () => ['To choose one for this project: cleo config set run.agent <name>'],
  }),
  'run.agentless': refusal<{ epic: string }>({
    exit: 70,
    message: () =>
      'CLEO found no agent client to start: none of claude, codex, gemini and opencode is on PATH.',
    fix: ({ epic }) => `cleo run ${epic} --agent command --command ./agent.sh`,
    alternatives: () => [
      'Any program that reads a prompt on standard input can be the agent.',
      'To see a run without an agent client: cleo demo',
    ],
  }),
  'run.agent': refusal<{ agent: string; why: string; fix?: string }>({
    exit: 70,
    message: ({ agent, why }) => `The agent "${agent}" cannot be started: ${why}.`,
    fix: ({ fix }) => fix ?? 'cleo clients list',
  }),
  'run.cost': refusal<{ agent: string }>({
    exit: 6,
    message: ({ agent }) =>
      `${agent} does not report its cost. To use --max-cost, first set the prices of its tokens.`,
    fix: ({ agent }) => `cleo config set run.prices.${agent} '{"input": 1.25, "output": 10}'`,
    alternatives: () => [
      'Prices are in US dollars per million tokens. A limit in tokens needs no prices: --max-tokens',
    ],
  }),
  'run.verify': refusal<{ why: string }>({
    exit: 6,
    message: ({ why }) => `The setting run.verify=bubblewrap cannot be used: ${why}.`,
    fix: () => 'cleo config set run.verify same-user',
    alternatives: () => ['bubblewrap is a package of most Linux systems: apt install bubblewrap'],
  }),
  'run.unborn': refusal<{ root: string }>({
    exit: 6,
    message: () => 'The repository has no commit yet, so git cannot make worktrees for the agents.',
    fix: () => 'git add -A && git commit -m "Begin"',
  }),
  'run.detached': refusal<{ epic: string }>({
    exit: 6,
    message: ({ epic }) => `HEAD is detached, so the work of ${epic} has no branch to land on.`,
    fix: ({ epic }) => `git switch -c work-on-${epic.toLowerCase()}`,
  }),
})
