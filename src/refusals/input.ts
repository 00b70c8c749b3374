import { shellQuote } from '../print/shell-quote.ts'
import { adviceFor } from './disk-reasons.ts'
import {
  type BackupFacts,
  backupSentence,
  folderOf,
  type Problems,
  problemCount,
  problemSentence,
  refusal,
  withFullStop,
} from './refusal.ts'

const listFolder = ({ path }: { path: string }): string => `ls -la ${shellQuote(folderOf(path))}`
/**
 * Returns a path next to `.cleo/`. The fix for a link inside `.cleo/` moves the link to this path, because a fix must
 * never delete.
 */
const pathBesideProject = (path: string): string => {
  const parts = path.split('/')
  const root = parts.slice(0, parts.lastIndexOf('.cleo')).join('/')
  return `${root}/${parts.at(-1)!.replace(/^\./, '')}.link`
}

/** Refusals because the command, its input, its files or its project cannot be used. */
export const input = () => ({
  unexpected: refusal<{ reason: string }>({
    exit: 1,
    message: ({ reason }) =>
      `Internal error in CLEO: ${reason}. Report it, with the version that cleo version prints.`,
    fix: () => 'cleo version',
  }),
  'usage.command': refusal<{ given: string; near?: string; fix?: string; alternatives?: string[] }>({
    exit: 2,
    message: ({ given, near }) => `Unknown command "${given}".${near ? ` Did you mean "${near}"?` : ''}`,
    fix: ({ near, fix }) => fix ?? (near && near !== 'help' ? `cleo ${near} --help` : 'cleo help'),
    alternatives: ({ alternatives }) => alternatives ?? [],
  }),
  'usage.invalid': refusal<Problems & { command: string }>({
    exit: 2,
    message: ({ problems, more }) =>
      problems.length === 1
        ? problems[0]!.message
        : `The command has ${problemCount({ problems, more })} problems.`,
    fix: ({ command, problems }) => (problems.length === 1 && problems[0]!.fix) || `cleo ${command} --help`,
  }),
  'estimate.refused': refusal<{ tasks: number; files: number; fix?: string }>({
    exit: 2,
    message: ({ tasks, files }) =>
      `I cannot provide accurate time predictions. Instead, I can describe the scope (${tasks} tasks, ${files} files), complexity factors, and dependencies. Would you like that analysis?`,
    fix: ({ fix }) => fix,
  }),
  'input.invalid': refusal<Problems>({
    exit: 6,
    message: ({ problems, more }) =>
      problems.length === 1
        ? problemSentence(problems[0]!)
        : `The input has ${problemCount({ problems, more })} problems.`,
    fix: ({ problems }) => (problems.length === 1 ? problems[0]!.fix : undefined),
  }),
  'file.unreadable': refusal<{ path: string; reason: string; fix?: string }>({
    exit: 3,
    message: ({ path, reason }) => `Cannot read ${path}: ${reason}.`,
    fix: ({ path, fix }) => fix ?? listFolder({ path }),
    alternatives: ({ reason }) => adviceFor(reason),
  }),
  'file.unwritable': refusal<{ path: string; reason: string }>({
    exit: 3,
    message: ({ path, reason }) => `Cannot write ${path}: ${reason}.`,
    fix: listFolder,
    alternatives: ({ reason }) => adviceFor(reason),
  }),
  'file.link': refusal<{ path: string }>({
    exit: 3,
    message: ({ path }) =>
      `${path} is a symbolic link. CLEO follows no links in .cleo/, because a link in a clone could point outside the project.`,
    fix: ({ path }) => `mv ${shellQuote(path)} ${shellQuote(pathBesideProject(path))}`,
    alternatives: () => ['If you made the link yourself, put a real file or folder in its place.'],
  }),
  'output.unwritten': refusal<{ reason: string; ok: boolean }>({
    exit: 3,
    message: ({ reason, ok }) =>
      `Cannot write the answer: ${reason}.${ok ? ' The command itself succeeded.' : ''}`,
  }),
  'file.exists': refusal<{ path: string }>({
    exit: 3,
    message: ({ path }) => `${path} already exists and was not changed.`,
    fix: ({ path }) => `ls -l ${shellQuote(path)}`,
    alternatives: () => ['Choose another name.'],
  }),
  'project.missing': refusal<{ from: string; lost?: BackupFacts & { root: string; fix: string } }>({
    exit: 9,
    message: ({ from, lost }) =>
      `There is no CLEO project in ${from} or in a folder above it.${lost ? ` ${lost.root} had one: ${backupSentence(lost)}` : ''}`,
    fix: ({ lost }) => lost?.fix ?? 'cleo init',
  }),
  'project.lost': refusal<BackupFacts & { root: string; fix: string }>({
    exit: 3,
    message: (lost) => `The database of the project in ${lost.root} is gone; ${backupSentence(lost)}`,
    fix: ({ fix }) => fix,
    alternatives: () => ['To start without the old tasks, use --empty instead; the backups are kept.'],
  }),
  'project.unsaved': refusal<{ root: string }>({
    exit: 4,
    message: ({ root }) => `Nothing to restore: CLEO has no backup of a project in ${root}.`,
    fix: () => 'cleo init',
  }),
  'project.bare': refusal<{ at: string }>({
    exit: 9,
    message: ({ at }) => `${at} is a bare git repository; a project needs a working tree.`,
    fix: () => 'git worktree list',
    alternatives: () => ['Run cleo init in a worktree that this command lists.'],
  }),
  'project.home': refusal<{ at: string }>({
    exit: 9,
    message: ({ at }) => `${at} is your home folder; its .cleo/ holds your settings and cannot be a project.`,
    fix: () => 'mkdir my-project && cd my-project && cleo init',
  }),
  'config.invalid': refusal<Problems & { path: string }>({
    exit: 8,
    message: ({ path, problems, more }) =>
      problems.length === 1
        ? `${path}: ${problemSentence(problems[0]!)}`
        : `${path} has ${problemCount({ problems, more })} problems.`,
    fix: ({ problems }) => (problems.length === 1 && problems[0]!.fix) || 'cleo doctor',
  }),
  'path.outside': refusal<{ setting: string; path: string; why: string }>({
    exit: 8,
    message: ({ setting, path, why }) => `${setting} cannot be ${path}: it ${why}.`,
    fix: ({ setting }) => (setting.startsWith('-') ? undefined : `cleo config unset ${setting}`),
    alternatives: () => ['Choose a path inside the project, outside .git and .cleo.'],
  }),
  'actor.subagent': refusal<{ actor: string; verb: string }>({
    exit: 64,
    message: ({ actor, verb }) => `${actor} is a subagent and may not ${verb}; its orchestrator does that.`,
    alternatives: () => ['In your manifest entry, name the work that is left: --followup "…"'],
  }),
  'person.needed': refusal<{ operation: string; actor: string; client?: string }>({
    exit: 64,
    message: ({ operation, actor, client }) =>
      `Only a person may run ${operation}; ${client ? `this command runs inside an agent client (${client} is set)` : `${actor} is an agent`}.`,
    alternatives: ({ client }) => [
      client ? 'Run it in a terminal outside the agent client.' : 'Ask the person who runs this project.',
    ],
  }),
  'orchestrator.needed': refusal<{ operation: string; actor: string }>({
    exit: 64,
    message: ({ operation, actor }) =>
      `Only an orchestrator or a person may run ${operation}; ${actor} is a subagent.`,
    fix: ({ actor }) => `cleo focus show --as ${actor}`,
  }),
  'actor.foreign': refusal<{ actor: string; own: string }>({
    exit: 64,
    message: ({ actor, own }) => `CLEO_AGENT_ID is ${own}, so this command cannot act as ${actor}.`,
    alternatives: ({ own }) => [`Leave --as out, or give --as ${own}.`],
  }),
  'outline.invalid': refusal<Problems>({
    exit: 6,
    message: ({ problems, more }) =>
      problems.length === 1
        ? `${withFullStop(problemSentence(problems[0]!))} Nothing was added.`
        : `Nothing was added: the outline has ${problemCount({ problems, more })} problems.`,
    fix: ({ problems }) => (problems.length === 1 && problems[0]!.fix) || 'cleo add --from --help',
  }),
  'import.invalid': refusal<Problems & { lines?: number; outline?: string }>({
    exit: 6,
    message: ({ problems, more, lines }) => {
      if (problems.length === 1) return `Nothing was imported: ${withFullStop(problemSentence(problems[0]!))}`
      const where = lines === undefined ? 'the input has' : `the first ${lines} lines of the input have`
      return `Nothing was imported: ${where} ${problemCount({ problems, more })} problems.`
    },
    fix: ({ outline }) => outline && `cleo add --from ${shellQuote(outline)}`,
    alternatives: ({ outline }) => (outline ? [] : ['Correct a copy of the input, then import the copy.']),
  }),
  'import.large': refusal<{ count: number; most: number }>({
    exit: 6,
    message: ({ count, most }) =>
      `Nothing was imported: the input has ${count} tasks. A project that already has data can import at most ${most} tasks at once, because other commands have to wait during an import.`,
    alternatives: () => [
      'Import the file into an empty project: run cleo init in another folder, then cleo import there.',
    ],
  }),
})
