import { canonicalSpawnId, parseSpawnId, parseTaskId } from '../../kernel/task-id.ts'
import { findCommand } from '../../operation/commands.ts'

type Words = readonly string[]

/** The answer to words for which there is no single command. */
export interface WordAnswer {
  near?: string
  fix?: string
  alternatives?: string[]
}

const removing = 'cleo help removing'
const howToRemove = `To remove CLEO from this project: ${removing}`

const stopping = [
  ...[
    'stop',
    'kill',
    'killall',
    'halt',
    'quit',
    'exit',
    'shutdown',
    'freeze',
    'pause',
    'terminate',
    'interrupt',
  ],
  ...['stop-all', 'kill-all', 'pause-all'],
]
const givingBack = [
  ...['release', 'unclaim', 'unassign', 'drop', 'giveup', 'give-up', 'give up', 'giveback', 'give-back'],
  ...[
    'give back',
    'give',
    'handback',
    'hand-back',
    'hand back',
    'putback',
    'put-back',
    'put back',
    'surrender',
  ],
]
const removingCleo = [
  ...['uninstall', 'deinit', 'uninit', 'eject', 'purge', 'destroy', 'nuke', 'wipe', 'teardown', 'unsetup'],
  ...['remove-cleo', 'delete-project', 'remove-project', 'selfdestruct'],
]
/** Words for removing one task. Without a task, they can mean the project. */
const removingSomething = ['remove', 'delete', 'del', 'discard']

/** Words that say nothing about which agent or task is meant. */
const filler = [
  'run',
  'runs',
  'agent',
  'agents',
  'spawn',
  'worker',
  'workers',
  'task',
  'all',
  'everything',
  'now',
]

/**
 * Answers words about stopping agents, giving tasks back and removing CLEO. `phrases.ts` cannot replace these words by
 * one command: the right command depends on who started the agents, or several commands are needed.
 */
export const answerFor = (words: Words): WordAnswer | undefined => {
  const [first = '', second = ''] = words
  const both = `${first} ${second}`
  const rest = words.slice(givingBack.includes(both) ? 2 : 1)
  if (stopping.includes(first)) return stop(meaning(rest))
  if (givingBack.includes(both) || givingBack.includes(first)) return giveBack(meaning(rest))
  const id = rest.map((word) => parseTaskId(word)).find(Boolean)
  if (removingCleo.includes(first)) return id ? cancelled(id) : { near: 'help removing', fix: removing }
  if (removingSomething.includes(first) && !rest.some((word) => parseTaskId(word)))
    return { near: 'cancel', fix: 'cleo cancel --help', alternatives: [howToRemove] }
  return undefined
}

const meaning = (rest: Words): string | undefined =>
  rest.find((word) => !word.startsWith('-') && !filler.includes(word.toLowerCase()))

/** Returns the command that takes a task back from its agent. `given` is the id of the task or of the agent's spawn. */
const release = (given: string | undefined): string | undefined => {
  const spawn = given === undefined ? undefined : canonicalSpawnId(given)
  if (spawn) return `cleo focus clear ${parseSpawnId(spawn)!.task} --as ${spawn}`
  const task = given === undefined ? undefined : parseTaskId(given)
  return task && `cleo focus clear ${task}`
}

const stop = (given: string | undefined): WordAnswer => {
  const fix = release(given)
  if (fix) {
    const task = given!.includes('.') ? parseSpawnId(canonicalSpawnId(given!)!)!.task : parseTaskId(given!)!
    return {
      near: 'focus clear',
      fix,
      alternatives: [`If a run started the agent: cleo run stop --task ${task}`],
    }
  }
  return {
    near: 'run stop',
    fix:
      given !== undefined && /^r\d+$/i.test(given) ? `cleo run stop ${given.toUpperCase()}` : 'cleo run stop',
    alternatives: [
      'Agents that no run started: end them in their client, then release each task: cleo focus clear T004 --as T004.1',
      'To see which agent has which task: cleo board',
    ],
  }
}

const giveBack = (given: string | undefined): WordAnswer => {
  const fix = release(given)
  const task = given && parseTaskId(given)
  return {
    near: 'focus clear',
    ...(fix && { fix }),
    ...(task && {
      alternatives: [`If the task is no longer needed: cleo cancel ${task} --reason "…"`],
    }),
  }
}

const cancelled = (id: string): WordAnswer => ({
  near: 'cancel',
  fix: `cleo cancel ${id} --reason "…"`,
  alternatives: [howToRemove],
})

/** Returns advice if the command is known but cannot do what its arguments ask for, as in `undo T012`. */
export const adviceFor = (argv: Words): WordAnswer | undefined => {
  const { command, rest } = findCommand(argv)
  const flags = rest.filter((word) => word.startsWith('--'))
  const id = rest.map((word) => parseTaskId(word)).find(Boolean)
  switch (command?.words) {
    case 'undo':
      return id === undefined
        ? undefined
        : {
            fix: 'cleo undo --dry-run',
            alternatives: [
              `Undo takes no task: it takes back your last command. Changes of ${id}: cleo log ${id}`,
            ],
          }
    case 'init':
      return flags.some((flag) => /^--(?:undo|remove|delete|uninstall|deinit|force|reset)$/.test(flag))
        ? { fix: removing }
        : undefined
    case 'cancel':
      return flags.includes('--all') && id === undefined
        ? {
            alternatives: [
              'To stop all agents: cleo run stop',
              'To cancel an epic with all its tasks: cleo cancel T001 --with-children --reason "…"',
            ],
          }
        : undefined
    default:
      return undefined
  }
}
