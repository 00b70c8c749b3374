import type { Problem } from '../result.ts'
import { entry, sentence } from './entry.ts'

/** What was asked for does not fit, or the place for it does not. */
export const input = () => ({
  unexpected: entry<{ reason: string }>({
    exit: 1,
    http: 500,
    message: ({ reason }) => `Something went wrong inside CLEO: ${reason}`,
    fix: () => 'cleo version',
  }),
  'usage.command': entry<{ given: string; near?: string }>({
    exit: 2,
    http: 404,
    message: ({ given, near }) => `There is no command "${given}".${near ? ` Did you mean "${near}"?` : ''}`,
    fix: ({ near }) => (near ? `cleo ${near} --help` : 'cleo help'),
  }),
  'usage.invalid': entry<{ command: string; problems: Problem[] }>({
    exit: 2,
    http: 400,
    message: ({ problems }) =>
      problems.length === 1 ? problems[0]!.message : `${problems.length} problems.`,
    fix: ({ command, problems }) => (problems.length === 1 && problems[0]!.fix) || `cleo ${command} --help`,
  }),
  'estimate.refused': entry<{ tasks: number; files: number; fix?: string }>({
    exit: 2,
    http: 400,
    message: ({ tasks, files }) =>
      `I cannot provide accurate time predictions. Instead, I can describe the scope (${tasks} tasks, ${files} files), complexity factors, and dependencies.`,
    fix: ({ fix }) => fix,
  }),
  'input.invalid': entry<{ problems: Problem[] }>({
    exit: 6,
    http: 422,
    message: ({ problems }) =>
      problems.length === 1 ? sentence(problems[0]!) : `${problems.length} problems.`,
    fix: ({ problems }) => (problems.length === 1 ? problems[0]!.fix : undefined),
  }),
  'file.unreadable': entry<{ path: string; reason: string }>({
    exit: 3,
    http: 500,
    message: ({ path, reason }) => `Cannot read ${path}: ${reason}.`,
  }),
  'file.unwritable': entry<{ path: string; reason: string }>({
    exit: 3,
    http: 500,
    message: ({ path, reason }) => `Cannot write ${path}: ${reason}.`,
  }),
  'file.exists': entry<{ path: string }>({
    exit: 3,
    http: 409,
    message: ({ path }) => `${path} is there already and stays as it is.`,
  }),
  'project.missing': entry<{ from: string }>({
    exit: 9,
    http: 404,
    message: ({ from }) => `No CLEO project in ${from} or above it.`,
    fix: () => 'cleo init',
  }),
  'project.bare': entry<{ at: string }>({
    exit: 9,
    http: 409,
    message: ({ at }) => `${at} is a bare git repository; a project needs a folder with files.`,
    alternatives: () => ['Run cleo init in a worktree of it.'],
  }),
  'project.home': entry<{ at: string }>({
    exit: 9,
    http: 409,
    message: ({ at }) => `The .cleo/ in ${at} holds your own settings; a project needs a folder of its own.`,
    alternatives: () => ['Make a folder for the project and run cleo init there.'],
  }),
  'config.invalid': entry<{ path: string; problems: Problem[] }>({
    exit: 8,
    http: 500,
    message: ({ path, problems }) =>
      problems.length === 1
        ? `${path}: ${sentence(problems[0]!)}`
        : `${path} has ${problems.length} problems.`,
    fix: ({ problems }) => (problems.length === 1 ? problems[0]!.fix : undefined),
  }),
  'person.needed': entry<{ operation: string; actor: string }>({
    exit: 64,
    http: 403,
    message: ({ operation, actor }) => `${operation} needs a person; ${actor} is an agent.`,
    alternatives: () => ['Ask the person who runs this project.'],
  }),
  'import.unfit': entry<{ problems: Problem[] }>({
    exit: 6,
    http: 422,
    message: ({ problems }) =>
      problems.length === 1
        ? `Nothing was imported: ${sentence(problems[0]!)}`
        : `Nothing was imported: ${problems.length} problems.`,
  }),
})
