import { entry } from './entry.ts'

/** The database is not there, not sound or not free. */
export const store = () => ({
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
    alternatives: ({ path }) => [
      `Check the permissions of ${path}, of the files beside it and of its folder.`,
    ],
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
  'backup.invalid': entry<{ path: string; reason: string }>({
    exit: 3,
    http: 422,
    message: ({ path, reason }) => `${path} cannot be restored: ${reason}.`,
    fix: () => 'cleo restore --list',
  }),
})
