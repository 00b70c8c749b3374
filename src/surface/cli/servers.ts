import type { Host } from '../../host/host.ts'
import { type Failure, fail, type Problem } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import type { FoundCommand } from './args.ts'
import type { Terminal } from './terminal.ts'

/** The servers, which are later rooms: `main.ts` passes them to the command line. */
export interface Servers {
  mcp(options: ServerOptions): Promise<void>
}

export interface ServerOptions {
  host: Host
  /** The project's folder, if the command line names it. */
  named?: string
  /** Writes for the person who looks at the client's log of this server. */
  log(text: string): void
}

/** A command that is no operation: it runs until its client ends it. */
interface ServerCommand {
  name: keyof Servers
  summary: string
  help: readonly string[]
}

export const serverCommands: readonly ServerCommand[] = [
  {
    name: 'mcp',
    summary: 'Serve MCP to an agent client, over standard input and output.',
    help: [
      '  cleo mcp [--project DIR]',
      '',
      'An agent client starts it; name the server cleo. The tools query and mutate reach every operation, and everyday',
      'ones have tools of their own: show, next, add, spawn … It serves the project of the folder it is started in.',
      '',
      'It runs no commands of the project, such as tests or the set-up of a worktree, because it runs outside the sandbox',
      'of its client: it answers with the command to run in a shell. A person can allow it, for one project:',
      '',
      '  $ cleo config set mcp.runCommands true',
    ],
  },
]

export const serverCommandAt = ({ path, stray }: FoundCommand): ServerCommand | undefined =>
  path === '' ? serverCommands.find(({ name }) => name === stray) : undefined

export const serverHelp = ({ summary, help }: ServerCommand, style: Style): string[] => [
  summary,
  '',
  style.bold(help[0]!),
  ...help.slice(1),
]

/** Runs the server. Returns a refusal if the command line has more than `--project`. */
export const runServer = async (
  { name }: ServerCommand,
  rest: readonly string[],
  { host, terminal, servers }: { host: Host; terminal: Terminal; servers: Servers },
): Promise<Failure | undefined> => {
  const problems: Problem[] = []
  let project: string | undefined
  const words = rest.toSpliced(rest.indexOf(name), 1)
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    if (word === '--project' && words[i + 1]) project = words[++i]
    else if (word.startsWith('--project=')) project = word.slice('--project='.length)
    else
      problems.push({
        path: word,
        message: word.startsWith('-') ? `Unknown flag ${word}.` : `Unexpected argument ${word}.`,
      })
  }
  if (problems.length > 0) return fail('usage.invalid', { command: name, problems })
  await servers[name]({ host, ...(project && { named: project }), log: terminal.err })
  return undefined
}
