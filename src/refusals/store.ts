import { shellQuote } from '../print/shell-quote.ts'
import { diskAdvice } from './disk-reasons.ts'
import {
  type BackupFacts,
  backupSentence,
  folderOf,
  type Problems,
  problemCount,
  problemSentence,
  refusal,
  runAgain,
  withFullStop,
} from './refusal.ts'

const showDisk = ({ path }: { path: string }): string | undefined =>
  path.startsWith('/') ? `df -h ${shellQuote(folderOf(path))}` : undefined

export const store = () => ({
  'store.missing': refusal<{ path: string; backup?: BackupFacts; isNew?: boolean }>({
    exit: 3,
    message: ({ path, backup, isNew }) =>
      isNew
        ? `The project has no database on this machine yet: ${path} is missing.`
        : `The project's database ${path} is missing${backup ? `; ${backupSentence(backup)}` : '.'}`,
    fix: ({ backup, isNew }) =>
      backup ? `cleo restore ${shellQuote(backup.path)}` : isNew ? 'cleo init' : 'cleo restore --list',
    alternatives: ({ backup, isNew }) =>
      backup || isNew ? [] : ['If the project never held data, delete .cleo/ and run cleo init again.'],
  }),
  'store.foreign': refusal<{ path: string }>({
    exit: 3,
    message: ({ path }) => `${path} is not a CLEO database.`,
    fix: () => 'cleo restore --list',
  }),
  'store.other': refusal<{ path: string; found?: string; own: string }>({
    exit: 3,
    message: ({ path, found, own }) =>
      `${path} is not the database of this project (${own}): ${found ? `it belongs to project ${found}` : 'it has no project id'}. It was not changed.`,
    fix: () => 'cleo restore --list',
    alternatives: () => [
      'To use its tasks here, move the file out of .cleo/, then run cleo restore <new path> --other-project.',
    ],
  }),
  'store.cloned': refusal<{ path: string; why: string }>({
    exit: 64,
    message: ({ path, why }) =>
      `${path} might come from someone else: ${why}. CLEO does not open it, because a stranger's database could make CLEO run commands and write files.`,
    fix: () => 'cleo init --empty',
    alternatives: () => [
      'With --empty, CLEO moves the database to .cleo/aside-<time>/ and starts without tasks.',
      'If you trust the person who made the database, run cleo init --empty first, then: cleo restore .cleo/aside-<time>/cleo.db',
    ],
  }),
  'store.corrupt': refusal<{ path: string; reason: string }>({
    exit: 3,
    message: ({ path, reason }) => `The database ${path} is damaged: ${reason}.`,
    fix: () => 'cleo restore --list',
  }),
  'store.newer': refusal<{ path: string; found: number; known: number }>({
    exit: 3,
    message: ({ path, found, known }) =>
      `${path} was written by a newer CLEO: it has schema ${found}, and this version supports only schema ${known}. The file was not changed.`,
    alternatives: () => ['Upgrade CLEO.'],
  }),
  'store.unsafe': refusal<{ version: string }>({
    exit: 3,
    message: ({ version }) =>
      `CLEO runs on SQLite ${version}, which can lose committed data. This bug was fixed in SQLite 3.51.3 and in 3.50.7.`,
    alternatives: () => ['Use Node 24.15 or later, or the cleo executable.'],
  }),
  'store.readonly': refusal<{ path: string; reason: string }>({
    exit: 3,
    message: ({ path, reason }) => `Cannot write ${path}: ${reason}. Nothing was changed.`,
    fix: ({ path }) => `ls -ld ${shellQuote(folderOf(path))} ${shellQuote(path)}`,
    alternatives: ({ path }) => [
      `Check the permissions of ${path}, of the files beside it, and of the folder.`,
    ],
  }),
  'store.full': refusal<{ path: string }>({
    exit: 3,
    message: ({ path }) => `The disk that holds ${path} is full. Nothing was changed.`,
    fix: showDisk,
    alternatives: () => diskAdvice('full'),
  }),
  'store.quota': refusal<{ path: string }>({
    exit: 3,
    message: ({ path }) => `The disk quota for ${path} is used up. Nothing was changed.`,
    fix: showDisk,
    alternatives: () => diskAdvice('quota'),
  }),
  'store.disk_readonly': refusal<{ path: string }>({
    exit: 3,
    message: ({ path }) => `Cannot write ${path}: the file system is read-only. Nothing was changed.`,
    fix: showDisk,
    alternatives: () => diskAdvice('readonly'),
  }),
  'store.disk_error': refusal<{ path: string; reason: string }>({
    exit: 3,
    message: ({ path, reason }) => `Cannot use ${path}: ${reason}. Nothing was changed.`,
    fix: () => 'cleo doctor',
    alternatives: () => ['If this happens again, check the disk; the system log names disk errors.'],
  }),
  'store.busy': refusal<{ path: string; seconds: number }>({
    exit: 7,
    retryable: true,
    message: ({ path, seconds }) =>
      `${path} stayed locked by another process for ${seconds} s. Nothing was changed.`,
    alternatives: () => [runAgain],
  }),
  'store.denied': refusal<{ where: string; reason: string; fix?: string }>({
    exit: 8,
    message: ({ where, reason }) => `Cannot use ${where}: ${reason}.`,
    fix: ({ fix }) => fix,
    alternatives: () => ['Check CLEO_DATABASE_URL, or `database` in .cleo/config.json.'],
  }),
  'database.untrusted': refusal<{ address?: string }>({
    exit: 64,
    message: ({ address }) =>
      address === undefined
        ? 'The database address that a person trusted is no longer in .cleo/config.json, so CLEO opened no database.'
        : `.cleo/config.json names the database ${address}, which no person on this machine has trusted. CLEO did not connect.`,
    fix: () => 'cleo trust',
    alternatives: () => ['Set CLEO_DATABASE_URL to name the database yourself.'],
  }),
  'store.address': refusal<{ reason: string }>({
    exit: 8,
    message: ({ reason }) => `The PostgreSQL address cannot be used: ${reason}.`,
    alternatives: () => [
      'Write it as postgres://user@server:5432/database in CLEO_DATABASE_URL, or as `database` in .cleo/config.json.',
    ],
  }),
  'store.key_file': refusal<{ path: string; reason: string }>({
    exit: 8,
    message: ({ path, reason }) =>
      `The PostgreSQL address names the key or certificate ${path}, which cannot be read: ${reason}.`,
    fix: ({ path }) => `ls -l ${shellQuote(path)}`,
    alternatives: () => ['Correct sslrootcert, sslcert or sslkey in the address.'],
  }),
  'store.encoding': refusal<{ where: string; encoding?: string; fix?: string }>({
    exit: 8,
    fix: ({ fix }) => fix,
    message: ({ where, encoding = 'another encoding' }) =>
      `The database ${where} stores text in ${encoding}, but CLEO needs UTF8. Nothing was changed.`,
    alternatives: () => ['Create a database with UTF8 encoding, and put its name into the address.'],
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
      `The connection to ${where} broke while CLEO was saving a change. The change may or may not have been saved.`,
    fix: () => 'cleo log --limit 3',
    alternatives: () => ['If the log does not show the change, run the same command again.'],
  }),
  'store.outdated': refusal<{ where: string; found: string; oldest: string }>({
    exit: 8,
    message: ({ where, found, oldest }) => `${where} is PostgreSQL ${found}; CLEO needs ${oldest} or later.`,
    alternatives: () => ['Upgrade the server, or use the address of another one.'],
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
      `Another process moved the project's data from ${where} to another database. This command changed nothing.`,
    alternatives: () => [runAgain],
  }),
  'move.unequal': refusal<{ where: string; reason: string }>({
    exit: 20,
    message: ({ where, reason }) =>
      `The copy in ${where} differs from the original (${reason}); the project was not moved.`,
    fix: () => 'cleo db status',
  }),
  'move.same': refusal<{ where: string }>({
    exit: 6,
    message: ({ where }) => `The data is already in ${where}.`,
    fix: () => 'cleo db status',
  }),
  'move.occupied': refusal<{ where: string }>({
    exit: 6,
    message: ({ where }) => `Nothing was moved: ${where} already has data of this project.`,
    fix: () => 'cleo db status',
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
  'backup.other': refusal<{ path: string; found: string }>({
    exit: 3,
    message: ({ path, found }) =>
      `${path} is a backup of another project (${found}). Restoring it would replace the tasks of this project.`,
    fix: () => 'cleo restore --list',
    alternatives: () => [
      "To replace this project's content with the backup, add --other-project; the current content is backed up first.",
    ],
  }),
  'backup.invalid': refusal<{ path: string; reason: string; task?: string }>({
    exit: 3,
    message: ({ path, reason }) => `${path} cannot be restored: ${reason}.`,
    fix: ({ task }) => (task ? `cleo reopen ${task} --reason "…"` : 'cleo restore --list'),
  }),
})

export interface Diagnosis extends Problems {
  fixed: string[]
  skipped: string[]
  fix?: string
}

const message = ({ problems, more, fixed, skipped }: Diagnosis): string =>
  [
    problems.length === 1
      ? withFullStop(problemSentence(problems[0]!))
      : `Found ${problemCount({ problems, more })} problems.`,
    ...(fixed.length > 0 ? [`Fixed: ${fixed.join(', ')}.`] : []),
    ...(skipped.length > 0 ? [`Checks that could not run: ${skipped.join(', ')}.`] : []),
  ].join(' ')

const diagnosis = (exit: number) =>
  refusal<Diagnosis>({
    exit,
    message,
    fix: ({ problems, fix }) => fix ?? (problems.length === 1 ? problems[0]!.fix : undefined),
  })

/** The most serious problem decides the code. */
export const doctor = () => ({
  /** The database is damaged. */
  'doctor.damage': diagnosis(20),
  /** A setting is wrong. */
  'doctor.config': diagnosis(8),
  /** A file is missing, belongs to another user, or has the wrong mode. */
  'doctor.file': diagnosis(3),
  /** Rows of the database contradict each other. */
  'doctor.state': diagnosis(6),
})
