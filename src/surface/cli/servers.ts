import { clientCommands } from '../../help/client-commands.ts'
import type { Host } from '../../host/host.ts'
import { type Failure, fail, type Problem } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import type { FoundCommand } from '../../operation/commands.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { paragraph } from './help.ts'

/**
 * The code of the servers is in later rooms, which this room may not import. So `main.ts` passes the servers to the
 * command line.
 */
export interface Servers {
  mcp(options: ServerOptions): Promise<void>
  /** Returns the exit status. */
  demo(options: ServerOptions & { print(text: string): void }): Promise<number>
  /**
   * The programs that a run starts, each under the name of its hidden command. Each program gets the arguments and
   * returns the exit status.
   */
  hidden: Readonly<Record<HiddenCommand, (host: Host, args: readonly string[]) => Promise<number>>>
}

/** Commands that only CLEO itself runs. Help does not list them. */
export const hiddenCommands = ['agent-watcher', 'agent-script', 'agent-acp'] as const
export type HiddenCommand = (typeof hiddenCommands)[number]

interface Given {
  host: Host
  terminal: Terminal
  servers: Servers
}

export interface ServerOptions {
  host: Host
  /** The project's folder, if the command line names it. */
  named?: string
  /** Writes to the log in which the client shows messages of this server. */
  log(text: string): void
}

/** A command that is not an operation. It runs until its client or a person ends it. */
interface ServerCommand {
  name: keyof typeof clientCommands & ('mcp' | 'watch' | 'demo')
  usage: string
  /** Each text that begins with a space is printed unchanged. Any other text is a paragraph and is wrapped. */
  help: readonly string[]
  /** How many words the command takes at most, besides flags. */
  words: number
  run(words: readonly string[], named: string | undefined, given: Given): Promise<Failure | number>
}

const serverCommands: readonly ServerCommand[] = [
  {
    name: 'mcp',
    usage: 'cleo mcp [--project DIR]',
    help: [
      'An agent client starts this server. Give the server the name cleo in the settings of the client. The server works on the project of the folder in which it is started. The tools query and mutate run any operation. Common operations also have their own tools: show, next, add, spawn …',
      '',
      'The server runs outside the sandbox of its client. For this reason it runs no commands of the project, such as tests or the set-up of a worktree. It answers with the command to run in a shell. A person can allow such commands for a project:',
      '',
      '  $ cleo config set mcp.runCommands true',
    ],
    words: 0,
    async run(_, named, { host, terminal, servers }) {
      await servers.mcp({ host, ...(named && { named }), log: terminal.err })
      return 0
    },
  },
  {
    name: 'watch',
    usage: 'cleo watch [status|board|tree] [task] [--project DIR]',
    help: [
      'Draws the view below the cursor and redraws it when a task changes. The text above the view stays as it is, and can be selected and scrolled as usual. Without a terminal, and after the key s, watch prints each change as one line, as cleo log does.',
      '',
      '  q, Ctrl-C  end',
      '  s          stop drawing; print each change since the start, and each later change, as a line',
      '',
      '  $ cleo watch',
      '  $ cleo watch tree T001',
      '  $ cleo watch | grep T012',
    ],
    words: 2,
    run: async (words, named, { host, terminal }) =>
      (await import('./watch.ts')).watch(words, { host, terminal, ...(named && { named }) }),
  },
  {
    name: 'demo',
    usage: 'cleo demo',
    help: [
      'Makes a small project with a failing test in a new folder, then runs agents until their work has landed and the tests pass. The agents follow a script: one claims success without any work and is sent back, and two change the same line, so the second one has to solve a conflict. Git, the tests and the checks of CLEO are real.',
      '',
      'The demo needs no agent client, no account and no network, and changes none of your own projects or settings.',
    ],
    words: 0,
    run: (_, __, { host, terminal, servers }) =>
      servers.demo({ host, log: terminal.err, print: terminal.out }),
  },
]

export const serverCommandAt = ({ path, stray }: FoundCommand): ServerCommand | undefined =>
  path === '' ? serverCommands.find(({ name }) => name === stray) : undefined

export const serverHelp = ({ name, usage, help }: ServerCommand, style: Style): string[] => [
  clientCommands[name].summary,
  '',
  `  ${style.bold(usage)}`,
  '',
  ...help.flatMap((text) =>
    text === '' || text.startsWith(' ')
      ? [text.replace('  $', `  ${style.dim('$')}`)]
      : paragraph(text, style),
  ),
]

export const runServer = async (
  { name, words: mostWords, run }: ServerCommand,
  rest: readonly string[],
  given: Given,
): Promise<Failure | number> => {
  const problems: Problem[] = []
  let project: string | undefined
  const words: string[] = []
  const all = rest.toSpliced(rest.indexOf(name), 1)
  for (let i = 0; i < all.length; i++) {
    const word = all[i]!
    if (word === '--project' && all[i + 1]) project = all[++i]
    else if (word.startsWith('--project=')) project = word.slice('--project='.length)
    else if (word.startsWith('-') || words.length === mostWords)
      problems.push({
        path: word,
        message: word.startsWith('-') ? `Unknown flag ${word}.` : `Unexpected argument ${word}.`,
      })
    else words.push(word)
  }
  return problems.length > 0 ? fail('usage.invalid', { command: name, problems }) : run(words, project, given)
}
