import { type Problem, problemSentence, refusal } from './refusal.ts'

/** Refusals because the command, its input, its files or its project cannot be used. */
export const input = () => ({
  unexpected: refusal<{ reason: string }>({
    exit: 1,
    message: ({ reason }) => `Internal error: ${reason}`,
    fix: () => 'cleo version',
  }),
  'usage.command': refusal<{ given: string; near?: string }>({
    exit: 2,
    message: ({ given, near }) => `Unknown command "${given}".${near ? ` Did you mean "${near}"?` : ''}`,
    fix: ({ near }) => (near ? `cleo ${near} --help` : 'cleo help'),
  }),
  'usage.invalid': refusal<{ command: string; problems: Problem[] }>({
    exit: 2,
    message: ({ problems }) =>
      problems.length === 1 ? problems[0]!.message : `The command has ${problems.length} problems.`,
    fix: ({ command, problems }) => (problems.length === 1 && problems[0]!.fix) || `cleo ${command} --help`,
  }),
  'estimate.refused': refusal<{ tasks: number; files: number; fix?: string }>({
    exit: 2,
    message: ({ tasks, files }) =>
      `I cannot provide accurate time predictions. Instead, I can describe the scope (${tasks} tasks, ${files} files), complexity factors, and dependencies.`,
    fix: ({ fix }) => fix,
  }),
  'input.invalid': refusal<{ problems: Problem[] }>({
    exit: 6,
    message: ({ problems }) =>
      problems.length === 1 ? problemSentence(problems[0]!) : `The input has ${problems.length} problems.`,
    fix: ({ problems }) => (problems.length === 1 ? problems[0]!.fix : undefined),
  }),
  'file.unreadable': refusal<{ path: string; reason: string }>({
    exit: 3,
    message: ({ path, reason }) => `Cannot read ${path}: ${reason}.`,
  }),
  'file.unwritable': refusal<{ path: string; reason: string }>({
    exit: 3,
    message: ({ path, reason }) => `Cannot write ${path}: ${reason}.`,
  }),
  'file.exists': refusal<{ path: string }>({
    exit: 3,
    message: ({ path }) => `${path} already exists and was not changed.`,
  }),
  'project.missing': refusal<{ from: string }>({
    exit: 9,
    message: ({ from }) => `There is no CLEO project in ${from} or in a folder above it.`,
    fix: () => 'cleo init',
  }),
  'project.bare': refusal<{ at: string }>({
    exit: 9,
    message: ({ at }) => `${at} is a bare git repository; a project needs a working tree.`,
    alternatives: () => ['Run cleo init in one of its worktrees.'],
  }),
  'project.home': refusal<{ at: string }>({
    exit: 9,
    message: ({ at }) => `${at} is your home folder; its .cleo/ holds your settings and cannot be a project.`,
    alternatives: () => ['Run cleo init in a separate folder.'],
  }),
  'config.invalid': refusal<{ path: string; problems: Problem[] }>({
    exit: 8,
    message: ({ path, problems }) =>
      problems.length === 1
        ? `${path}: ${problemSentence(problems[0]!)}`
        : `${path} has ${problems.length} problems.`,
    fix: ({ problems }) => (problems.length === 1 ? problems[0]!.fix : undefined),
  }),
  'person.needed': refusal<{ operation: string; actor: string; client?: string }>({
    exit: 64,
    message: ({ operation, actor, client }) =>
      client
        ? `Only a person may run ${operation}; this command runs inside an agent client (${client} is set).`
        : `Only a person may run ${operation}; ${actor} is an agent.`,
    alternatives: ({ client }) => [
      client ? 'Run it in a terminal outside the agent client.' : 'Ask the person who runs this project.',
    ],
  }),
  'actor.foreign': refusal<{ actor: string; own: string }>({
    exit: 64,
    message: ({ actor, own }) => `CLEO_AGENT_ID is ${own}, so this command cannot act as ${actor}.`,
    alternatives: ({ own }) => [`Leave --as out, or give --as ${own}.`],
  }),
  'import.invalid': refusal<{ problems: Problem[] }>({
    exit: 6,
    message: ({ problems }) =>
      problems.length === 1
        ? `Nothing was imported: ${problemSentence(problems[0]!)}`
        : `Nothing was imported: the export has ${problems.length} problems.`,
  }),
})
