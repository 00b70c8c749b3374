import { clientFacts } from '../clients/client-facts.ts'
import { programOf } from '../clients/installed.ts'
import type { Host } from '../host/host.ts'
import { which } from '../host/programs.ts'
import type { AcpOrder } from './acp-agent.ts'
import { type AgentKind, type AgentName, type AgentSettings, type AgentTask, agentNames } from './agent.ts'
import { allowedCommands } from './allowed-commands.ts'
import { claudeArguments, claudeVariables } from './claude-arguments.ts'
import { codexArguments } from './codex-arguments.ts'
import { agentEnvironment } from './environment.ts'
import { geminiArguments, openCodeVariables } from './gemini-opencode.ts'

type Find = AgentKind['find']

const client = (name: 'claude' | 'codex' | 'gemini' | 'opencode'): Find => {
  const { program, title } = clientFacts[name]
  return (host) => {
    const found = programOf(host, name)
    return found === undefined
      ? {
          problem: {
            path: 'agent',
            message: `${title} is not installed: ${program} is not on PATH`,
            fix: 'cleo clients list',
          },
        }
      : { program: found }
  }
}

/** Looks for the program that was given with `cleo run --command`. */
const named =
  (what: AgentName): Find =>
  (host, { command }) => {
    const [program] = command ?? []
    const found = program === undefined ? undefined : which(host, program, host.cwd)
    if (found !== undefined && host.files.kind(found) === 'file') return { program: found }
    return {
      problem: {
        path: 'command',
        message:
          program === undefined
            ? `the agent ${what} needs a program: name it, for example with --command ./agent.sh`
            : `there is no program ${program}`,
        fix: 'cleo run --help',
      },
    }
  }

const scenario: Find = (host, { scenario: path }) =>
  path !== undefined && host.files.kind(path) === 'file'
    ? { program: ownProgram(host)[0] }
    : {
        problem: {
          path: 'scenario',
          message:
            path === undefined
              ? 'the scripted agent needs a file with its steps, which --scenario names'
              : `there is no file ${path}`,
          fix: 'cleo run --help',
        },
      }

/** Returns the arguments with which `cleo` starts itself to talk with an agent over the Agent Client Protocol. */
const acpArguments = (
  host: Host,
  { folder, projectRoot, resume }: AgentTask,
  { command = [], allowed }: AgentSettings,
): string[] => {
  const [program = '', ...args] = command
  const order: AcpOrder = {
    command: [which(host, program, host.cwd) ?? program, ...args],
    folder,
    readable: [`${projectRoot}/.cleo/spawns`],
    commands: allowedCommands(allowed),
    ...(resume !== undefined && { resume }),
  }
  return ['agent-acp', JSON.stringify(order)]
}

const scriptArguments = ({ scenario = '' }: AgentSettings): string[] => ['agent-script', scenario]

const ownProgram = (host: Host): readonly [string, ...string[]] =>
  host.program ?? [which(host, 'cleo', host.cwd) ?? 'cleo']

type Started = Awaited<ReturnType<AgentKind['launch']>>
type Words = (
  host: Host,
  task: Parameters<AgentKind['launch']>[1],
  settings: AgentSettings,
) => Pick<Started, 'program' | 'args'> & { env?: Record<string, string> }

interface KindFacts {
  title: string
  resumes?: true
  reportsCost?: true
  find: Find
  words: Words
}

const kinds: Record<AgentName, KindFacts> = {
  claude: {
    title: clientFacts.claude.title,
    resumes: true,
    reportsCost: true,
    find: client('claude'),
    words: (host, task, settings) => ({
      program: programOf(host, 'claude') ?? clientFacts.claude.program,
      args: claudeArguments(host, task, settings),
      env: claudeVariables,
    }),
  },
  codex: {
    title: clientFacts.codex.title,
    resumes: true,
    find: client('codex'),
    words: (host, task, settings) => ({
      program: programOf(host, 'codex') ?? clientFacts.codex.program,
      args: codexArguments(host, task, settings),
    }),
  },
  gemini: {
    title: clientFacts.gemini.title,
    find: client('gemini'),
    words: (host, task, settings) => ({
      program: programOf(host, 'gemini') ?? clientFacts.gemini.program,
      args: geminiArguments(host, task, settings),
      env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    }),
  },
  opencode: {
    title: clientFacts.opencode.title,
    resumes: true,
    reportsCost: true,
    find: client('opencode'),
    words: (host, { resume, projectRoot }, settings) => ({
      program: programOf(host, 'opencode') ?? clientFacts.opencode.program,
      args: [
        ...['run', '--format', 'json'],
        ...(settings.model === undefined ? [] : [`--model=${settings.model}`]),
        ...(resume === undefined ? [] : [`--session=${resume}`]),
      ],
      env: openCodeVariables(projectRoot, settings),
    }),
  },
  acp: {
    title: 'an agent that speaks the Agent Client Protocol',
    resumes: true,
    find: named('acp'),
    words: (host, task, settings) => {
      const [program, ...first] = ownProgram(host)
      return { program, args: [...first, ...acpArguments(host, task, settings)] }
    },
  },
  command: {
    title: 'a program that reads a prompt',
    find: named('command'),
    words: (host, _task, { command = [] }) => ({
      program: which(host, command[0] ?? '', host.cwd) ?? command[0] ?? '',
      args: command.slice(1),
    }),
  },
  scripted: {
    title: 'the scripted agent',
    find: scenario,
    words: (host, _task, settings) => {
      const [program, ...first] = ownProgram(host)
      return { program, args: [...first, ...scriptArguments(settings)] }
    },
  },
}

export const agentKind = (name: AgentName): AgentKind => {
  const { title, resumes = false, reportsCost = false, find, words } = kinds[name]
  return {
    name,
    title,
    resumes,
    reportsCost,
    find,
    launch: async (host, task, settings) => {
      const { program, args, env } = words(host, task, settings)
      const [named] = settings.command ?? []
      const { variables } = settings
      return {
        program,
        args,
        env: {
          ...(await agentEnvironment(host, name, task, {
            ...(named && { program: named }),
            ...(variables && { variables }),
          })),
          ...env,
        },
        cwd: task.folder,
        input: task.prompt,
      }
    },
  }
}

/** Leaves out kinds that need a setting, such as `--command`. */
export const installedAgents = (host: Host): AgentName[] =>
  agentNames.filter((name) => name in clientFacts && 'program' in kinds[name].find(host, {}))
