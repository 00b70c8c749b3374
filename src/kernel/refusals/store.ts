import { refusal } from './refusal.ts'

/** Refusals because the database is missing, damaged, locked or out of reach. */
export const store = () => ({
  'store.missing': refusal<{ path: string }>({
    exit: 3,
    message: ({ path }) => `The project's database ${path} is missing.`,
    fix: () => 'cleo restore --list',
    alternatives: () => ['If it never held data, delete .cleo/ and run cleo init again.'],
  }),
  'store.foreign': refusal<{ path: string }>({
    exit: 3,
    message: ({ path }) => `${path} is not a CLEO database.`,
    fix: () => 'cleo restore --list',
  }),
  'store.corrupt': refusal<{ path: string; reason: string }>({
    exit: 3,
    message: ({ path, reason }) => `The database ${path} is damaged: ${reason}.`,
    fix: () => 'cleo restore --list',
  }),
  'store.newer': refusal<{ path: string; found: number; known: number }>({
    exit: 3,
    message: ({ path, found, known }) =>
      `${path} was written by a newer CLEO (schema ${found}; this version supports ${known}). It was not changed.`,
    alternatives: () => ['Upgrade CLEO; an older version cannot open it.'],
  }),
  'store.unsafe': refusal<{ version: string }>({
    exit: 3,
    message: ({ version }) =>
      `SQLite ${version} can lose committed data in WAL mode; CLEO needs 3.51.3 or later (3.50.7 or later in the 3.50 series).`,
    alternatives: () => ['Use Node 24.15 or later, or the cleo executable.'],
  }),
  'store.readonly': refusal<{ path: string; reason: string }>({
    exit: 3,
    message: ({ path, reason }) => `Cannot write ${path}: ${reason}. Nothing was changed.`,
    alternatives: ({ path }) => [`Check the permissions of ${path}, the files beside it and its folder.`],
  }),
  'store.full': refusal<{ path: string }>({
    exit: 3,
    message: ({ path }) => `The disk that holds ${path} is full. Nothing was changed.`,
    alternatives: () => ['Free some disk space and run the command again.'],
  }),
  'store.busy': refusal<{ path: string; seconds: number }>({
    exit: 7,
    retryable: true,
    message: ({ path, seconds }) =>
      `${path} stayed locked by another process for ${seconds} s. Nothing was changed.`,
    alternatives: () => ['Run the same command again.'],
  }),
  'store.denied': refusal<{ where: string; reason: string }>({
    exit: 8,
    message: ({ where, reason }) => `Cannot use ${where}: ${reason}.`,
    alternatives: () => ['Check CLEO_DATABASE_URL, or `database` in .cleo/config.json.'],
  }),
  'store.unreachable': refusal<{ where: string; reason: string }>({
    exit: 7,
    retryable: true,
    message: ({ where, reason }) => `Cannot reach ${where} (${reason}). Nothing was changed.`,
    alternatives: () => ['Run the same command again when the server is up.'],
  }),
  'store.unsure': refusal<{ where: string }>({
    exit: 7,
    message: ({ where }) =>
      `The connection to ${where} broke during the commit; the change may or may not have been saved.`,
    fix: () => 'cleo log --limit 3',
  }),
  'store.outdated': refusal<{ where: string; found: string; oldest: string }>({
    exit: 8,
    message: ({ where, found, oldest }) => `${where} is PostgreSQL ${found}; CLEO needs ${oldest} or later.`,
  }),
  'store.empty': refusal<{ where: string; project: string }>({
    exit: 3,
    message: ({ where, project }) => `${where} has no data for project ${project}.`,
    fix: () => 'cleo init',
  }),
  'store.moved': refusal<{ where: string }>({
    exit: 7,
    retryable: true,
    message: ({ where }) =>
      `The project was moved away from ${where} during this command. Nothing was changed.`,
    fix: () => 'cleo db status',
  }),
  'move.unequal': refusal<{ where: string; reason: string }>({
    exit: 20,
    retryable: true,
    message: ({ where, reason }) => `The copy in ${where} differs (${reason}); the project was not moved.`,
  }),
  'move.same': refusal<{ where: string }>({
    exit: 6,
    message: ({ where }) => `The data is already in ${where}.`,
    fix: () => 'cleo db status',
  }),
  'move.occupied': refusal<{ where: string }>({
    exit: 6,
    message: ({ where }) => `${where} already has data for this project; CLEO never overwrites it.`,
  }),
  'store.server': refusal<{ where: string; verb: string }>({
    exit: 8,
    message: ({ where, verb }) =>
      `cleo ${verb} works only with a database file; the data of this project is in ${where}.`,
    fix: () => 'cleo export --out tasks.jsonl',
    alternatives: () => ['To back up and restore the server itself, use pg_dump and pg_restore.'],
  }),
  'project.unnamed': refusal<{ where: string }>({
    exit: 8,
    message: ({ where }) => `This project is not in ${where} yet: its data is in .cleo/cleo.db.`,
    fix: () => 'cleo db move --to "$CLEO_DATABASE_URL"',
  }),
  'backup.invalid': refusal<{ path: string; reason: string }>({
    exit: 3,
    message: ({ path, reason }) => `${path} cannot be restored: ${reason}.`,
    fix: () => 'cleo restore --list',
  }),
})
