import { chain, names } from './names.ts'
import type { Problem } from './result.ts'

interface Entry<F> {
  /** Exit status of the command line; SPEC OUT-3 has the table. */
  exit: number
  http: number
  retryable?: boolean
  message(facts: F): string
  /** A command to run next. Never one that destroys something. */
  fix?(facts: F): string | undefined
  alternatives?(facts: F): string[]
}

const entry = <F>(shape: Entry<F>): Entry<F> => shape

/** Every refusal CLEO knows: what it says, how it exits, what to do about it. */
export const catalogue = {
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
  'store.missing': entry<{ path: string }>({
    exit: 3,
    http: 500,
    message: ({ path }) => `The project's database ${path} is gone.`,
    fix: () => 'cleo restore --list',
    alternatives: () => ['Where there never was any data, take .cleo/ away and run cleo init again.'],
  }),
  'store.foreign': entry<{ path: string }>({
    exit: 3,
    http: 500,
    message: ({ path }) => `${path} is not a CLEO database.`,
    fix: () => 'cleo restore --list',
  }),
  'store.corrupt': entry<{ path: string; reason: string }>({
    exit: 3,
    http: 500,
    message: ({ path, reason }) => `The database ${path} is damaged: ${reason}.`,
    fix: () => 'cleo restore --list',
  }),
  'store.newer': entry<{ path: string; found: number; known: number }>({
    exit: 3,
    http: 500,
    message: ({ path, found, known }) =>
      `${path} was written by a newer CLEO (schema ${found}; this one knows ${known}). It was left untouched.`,
    alternatives: () => ['Use the newer CLEO; an older one cannot open it.'],
  }),
  'store.unsafe': entry<{ version: string }>({
    exit: 3,
    http: 500,
    message: ({ version }) =>
      `SQLite ${version} can lose committed data in WAL mode; CLEO needs 3.51.3 or later (or 3.50.7 and up in 3.50).`,
    alternatives: () => ['Use Node 24.15 or later, or the cleo executable.'],
  }),
  'store.readonly': entry<{ path: string; reason: string }>({
    exit: 3,
    http: 500,
    message: ({ path, reason }) => `Cannot write ${path}: ${reason}. Nothing was changed.`,
    alternatives: ({ path }) => [`Check the permissions of ${path}, of the files beside it and of its folder.`],
  }),
  'store.full': entry<{ path: string }>({
    exit: 3,
    http: 507,
    message: ({ path }) => `The disk that holds ${path} is full. Nothing was changed.`,
    alternatives: () => ['Free some space and run the command again.'],
  }),
  'store.busy': entry<{ path: string; seconds: number }>({
    exit: 7,
    http: 503,
    retryable: true,
    message: ({ path, seconds }) =>
      `${path} stayed locked by another process for ${seconds} s. Nothing was changed.`,
    alternatives: () => ['Run the same command again.'],
  }),
  'store.denied': entry<{ where: string; reason: string }>({
    exit: 8,
    http: 502,
    message: ({ where, reason }) => `Cannot use ${where}: ${reason}.`,
    alternatives: () => ['Check CLEO_DATABASE_URL, or `database` in .cleo/config.json.'],
  }),
  'store.unreachable': entry<{ where: string; reason: string }>({
    exit: 7,
    http: 503,
    retryable: true,
    message: ({ where, reason }) => `No answer from ${where} (${reason}). Nothing was changed.`,
    alternatives: () => ['Run the same command again once the server answers.'],
  }),
  'store.unsure': entry<{ where: string }>({
    exit: 7,
    http: 503,
    message: ({ where }) =>
      `The connection to ${where} broke while saving, and the server cannot say whether it was saved.`,
    fix: () => 'cleo log --limit 3',
  }),
  'store.outdated': entry<{ where: string; found: string; oldest: string }>({
    exit: 8,
    http: 502,
    message: ({ where, found, oldest }) => `${where} is PostgreSQL ${found}; CLEO needs ${oldest} or later.`,
  }),
  'store.empty': entry<{ where: string; project: string }>({
    exit: 3,
    http: 404,
    message: ({ where, project }) => `${where} holds no project ${project}.`,
    fix: () => 'cleo init',
  }),
  'store.moved': entry<{ where: string }>({
    exit: 7,
    http: 409,
    retryable: true,
    message: ({ where }) => `The project has moved away from ${where} meanwhile. Nothing was changed.`,
    fix: () => 'cleo db status',
  }),
  'move.unequal': entry<{ where: string; reason: string }>({
    exit: 20,
    http: 500,
    retryable: true,
    message: ({ where, reason }) =>
      `The copy in ${where} is not the same (${reason}); the project stays where it is.`,
  }),
  'move.same': entry<{ where: string }>({
    exit: 6,
    http: 409,
    message: ({ where }) => `The data is in ${where} already.`,
    fix: () => 'cleo db status',
  }),
  'move.occupied': entry<{ where: string }>({
    exit: 6,
    http: 409,
    message: ({ where }) => `${where} holds data of this project already; nothing is written over it.`,
  }),
  'store.server': entry<{ where: string; verb: string }>({
    exit: 8,
    http: 409,
    message: ({ where, verb }) =>
      `The data is in ${where}, not in a file: ${verb} is the server's own business there.`,
    fix: () => 'cleo export --out tasks.jsonl',
    alternatives: () => ['Or use pg_dump and pg_restore.'],
  }),
  'project.unnamed': entry<{ where: string }>({
    exit: 8,
    http: 409,
    message: ({ where }) => `This project has no place in ${where} yet: its data is in .cleo/cleo.db.`,
    fix: () => 'cleo db move --to "$CLEO_DATABASE_URL"',
  }),
  'backup.unfit': entry<{ path: string; reason: string }>({
    exit: 3,
    http: 422,
    message: ({ path, reason }) => `${path} cannot be restored: ${reason}.`,
    fix: () => 'cleo restore --list',
  }),
  'task.not_found': entry<{ id: string }>({
    exit: 4,
    http: 404,
    message: ({ id }) => `There is no task ${id}.`,
    fix: () => 'cleo list',
  }),
  'parent.not_found': entry<{ id: string }>({
    exit: 4,
    http: 404,
    message: ({ id }) => `There is no task ${id} to be the parent.`,
    fix: () => 'cleo list --type epic',
  }),
  'dependency.not_found': entry<{ ids: string[] }>({
    exit: 4,
    http: 404,
    message: ({ ids }) => `Depends on ${names(ids)}, which ${ids.length === 1 ? 'does' : 'do'} not exist.`,
    fix: () => 'cleo list',
  }),
  'dependency.open': entry<{ id: string; on: string[] }>({
    exit: 5,
    http: 409,
    message: ({ id, on }) => `${id} waits on ${names(on)}.`,
    fix: ({ id }) => `cleo deps ${id}`,
  }),
  'parent.unfit': entry<{ parent: string; why: string }>({
    exit: 13,
    http: 409,
    message: ({ parent, why }) => `${parent} cannot be the parent: ${why}.`,
    fix: ({ parent }) => `cleo show ${parent}`,
  }),
  'parent.closed': entry<{ parent: string; status: string }>({
    exit: 13,
    http: 409,
    message: ({ parent, status }) => `${parent} is ${status}; it takes no new children.`,
    fix: ({ parent }) => `cleo reopen ${parent} --reason "more to do"`,
  }),
  'depth.exceeded': entry<{ parent: string; depth: number }>({
    exit: 11,
    http: 409,
    message: ({ parent, depth }) => `Below ${parent} this would be level ${depth}; a tree has at most 3.`,
    fix: ({ parent }) => `cleo tree ${parent}`,
  }),
  cycle: entry<{ path: string[]; contains: boolean; look?: string }>({
    exit: 14,
    http: 409,
    message: ({ path, contains }) =>
      `${chain(path)} would be a cycle${contains ? ' (a task waits for its parts, and they for what it needs)' : ''}.`,
    fix: ({ path, contains, look }) =>
      path.length === 3 && !contains && look === path[0]
        ? `cleo update ${path[1]} --remove-depends ${path[2]}`
        : look && `cleo deps ${look}`,
  }),
  'children.open': entry<{ id: string; open: string[]; hint?: string }>({
    exit: 16,
    http: 409,
    message: ({ id, open }) => `${id} has open children: ${names(open)}.`,
    fix: ({ id }) => `cleo tree ${id}`,
    alternatives: ({ hint }) => (hint ? [hint] : []),
  }),
  'task.status': entry<{ id: string; status: string; verb: string }>({
    exit: 6,
    http: 409,
    message: ({ id, status, verb }) => `${id} is ${status}; ${verb} does not apply.`,
    fix: ({ id, status }) =>
      status === 'blocked'
        ? `cleo unblock ${id}`
        : status === 'done' || status === 'cancelled'
          ? `cleo reopen ${id} --reason "more to do"`
          : `cleo show ${id}`,
  }),
  'epic.expected': entry<{ id: string; type: string; epic?: string }>({
    exit: 6,
    http: 422,
    message: ({ id, type }) => `${id} is a ${type}, not an epic.`,
    fix: ({ epic }) => (epic ? `cleo orchestrate analyze ${epic}` : 'cleo list --type epic'),
  }),
  'session.not_found': entry<{ id: string }>({
    exit: 31,
    http: 404,
    message: ({ id }) => `There is no session ${id}.`,
    fix: () => 'cleo session list',
  }),
  'session.ended': entry<{ id: string }>({
    exit: 31,
    http: 409,
    message: ({ id }) => `Session ${id} has ended.`,
    fix: ({ id }) => `cleo session resume ${id}`,
  }),
  'session.unnamed': entry<object>({
    exit: 31,
    http: 400,
    message: () => 'Which session? None was named and CLEO_SESSION_ID is not set.',
    fix: () => 'cleo session list',
  }),
  'scope.invalid': entry<{ id: string; why: string }>({
    exit: 33,
    http: 422,
    message: ({ id, why }) => `A session cannot be scoped to ${id}: ${why}.`,
    fix: () => 'cleo list --type epic',
  }),
  'scope.outside': entry<{ id: string; session: string; epic: string }>({
    exit: 34,
    http: 409,
    message: ({ id, session, epic }) => `${id} is outside ${epic}, the scope of session ${session}.`,
    fix: ({ epic }) => `cleo orchestrate next --epic ${epic}`,
  }),
  'claim.held': entry<{ id: string; owner: string; expires: string }>({
    exit: 35,
    http: 409,
    message: ({ id, owner, expires }) => `${id} is claimed by ${owner} until ${expires}.`,
    alternatives: ({ owner }) => [
      `A person can give it back in the name of ${owner}: focus clear, with --as.`,
    ],
    fix: () => 'cleo orchestrate next',
  }),
  'claim.lost': entry<{ id: string; actor: string; owner?: string }>({
    exit: 35,
    http: 409,
    message: ({ id, actor, owner }) =>
      `${actor} no longer owns ${id}${owner ? `: ${owner} has taken it` : ''}. Nothing was changed.`,
    fix: ({ id }) => `cleo show ${id}`,
  }),
  'focus.missing': entry<{ actor: string }>({
    exit: 38,
    http: 409,
    message: ({ actor }) => `${actor} has no task in focus.`,
    fix: () => 'cleo orchestrate next',
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
} satisfies Record<string, Entry<never>>

export type Code = keyof typeof catalogue
export type FactsOf<C extends Code> = (typeof catalogue)[C] extends Entry<infer F> ? F : never

const sentence = ({ path, message }: Problem) => (path ? `${path}: ${message}` : message)
