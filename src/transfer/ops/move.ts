import { join } from 'node:path'
import * as v from 'valibot'
import { sha256 } from '../../host/sha256.ts'
import type { Config } from '../../kernel/config.ts'
import { type Failure, fail, ok } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import type { Project } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { reporting } from '../../operation/progress.ts'
import { changeConfigFile } from '../../project/config-file.ts'
import { ignoreText } from '../../project/git-ignore.ts'
import { admission } from '../../project/known-database.ts'
import { readConfig } from '../../project/read-config.ts'
import { trustSetting } from '../../project/settings.ts'
import {
  chosenStore,
  databasePath,
  openStore,
  postgresAddress,
  type StoreAddress,
} from '../../store/open/choose-store.ts'
import type { Db, Store } from '../../store/port.ts'
import { addressProblem, isPostgresAddress, withoutPassword } from '../../store/postgres/address.ts'
import { backupFolder, stamp } from '../../store/sqlite/backup-names.ts'
import { readDocument } from '../document.ts'
import { exportLines } from '../export-lines.ts'
import { importIntoEmpty } from '../import-into-empty.ts'
import { isEmpty, readAll } from '../sql.ts'

const errors = ['move.same', 'move.occupied', 'move.unequal', 'import.invalid'] as const

export const move = operation({
  name: 'admin.db.move',
  kind: 'mutate',
  tier: 2,
  summary: 'Move all data to another database, check the copy, then switch to it.',
  input: v.strictObject({
    to: describe(
      v.pipe(
        v.string(),
        v.rawCheck(({ dataset, addIssue }) => {
          const to = dataset.value as string
          if (to === 'sqlite') return
          if (!isPostgresAddress(to)) addIssue({ message: 'must be `sqlite` or a postgres:// address' })
          else if (addressProblem(to)) addIssue({ message: `cannot be used: ${addressProblem(to)}` })
        }),
      ),
      '`sqlite`, or a PostgreSQL address',
    ),
  }),
  output: () =>
    v.object({
      from: v.string(),
      to: v.string(),
      /** How many rows were copied. */
      records: v.number(),
      /** Hash of the data, equal in both databases. */
      sha256: v.string(),
      /** The backup that was made of the old database file. */
      kept: v.optional(v.string()),
    }),
  errors,
  needs: 'project',
  personOnly: true,
  cli: {
    command: 'db move',
    examples: ['cleo db move --to postgres://cleo@db.example/team', 'cleo db move --to sqlite'],
  },
  human: ({ from, to, records, kept }, style) => [
    `Moved ${records} records from ${from} to ${style.cyan(to)}; the copy is identical.`,
    ...(kept ? [`  previous database saved as ${kept}`] : []),
  ],
  async run({ to }, project) {
    const { host, folder, config, dryRun } = project
    const source = await openStore(chosenStore(host, folder, config), {
      now: host.now,
      wait: 'block',
      unlimited: true,
      admit: admission(project),
    })
    const fromFile = source.dialect.name === 'sqlite'
    try {
      const target = targetOf(to, project)
      if (target.kind === source.dialect.name) return fail('move.same', { where: source.where })
      // The transaction makes writers wait until the copy is complete. Then the writers find that the old store is
      // sealed, and retry.
      const moved = await source.tx((db) => copyAll(db, { source, target, project }))
      if (!moved.ok || dryRun) return moved
      await source.close()
      const kept = fromFile ? await backUpOldFile(project) : undefined
      return ok({ ...moved.value, ...(kept && { kept }) }, { warnings: warningsFor(to, project) })
    } finally {
      await source.close()
    }
  },
})

interface MoveOrder {
  source: Store
  target: StoreAddress
  project: Project
}

const targetOf = (to: string, { folder, config, host }: Project): StoreAddress =>
  to === 'sqlite'
    ? { kind: 'sqlite', path: databasePath(folder) }
    : { kind: 'postgres', address: to, project: config.project ?? host.randomId(12) }

const copyAll = async (db: Db, { source, target, project }: MoveOrder) => {
  const lines = exportLines(await readAll(db))
  const read = readDocument(`${lines.join('\n')}\n`, { limited: false })
  if ('problems' in read) return fail('import.invalid', read)
  const answer = {
    from: source.where,
    to: shownTarget(target),
    records: lines.length,
    sha256: sha256(lines.join('\n')),
  }
  if (project.dryRun) return ok(answer)
  const copy = await makeStore(target, project)
  try {
    const unequal = await importAndCompare(copy, read, answer.sha256, project)
    if (unequal) return unequal
  } finally {
    await copy.close()
  }
  await db.dialect.seal(db, stamp(project.host.now()).replaceAll(/[^0-9]/g, ''))
  await switchOver(target, project)
  return ok({ ...answer, to: copy.where })
}

const shownTarget = (target: StoreAddress) =>
  target.kind === 'sqlite' ? target.path : withoutPassword(target.address)

const makeStore = async (target: StoreAddress, { host }: Project): Promise<Store> => {
  if (target.kind === 'sqlite') {
    const { createSqlite } = await import('../../store/sqlite/create.ts')
    createSqlite(target.path, host.randomId(8))
  }
  return openStore(target, { now: host.now, wait: 'block', create: true, unlimited: true })
}

const importAndCompare = async (
  copy: Store,
  read: Parameters<typeof importIntoEmpty>[1],
  expected: string,
  project: Project,
): Promise<Failure<'move.occupied' | 'move.unequal'> | undefined> => {
  if (!(await isEmpty(copy))) return fail('move.occupied', { where: copy.where })
  await copy.tx((db) => importIntoEmpty({ db }, read, reporting(project, 'copying')))
  await reporting(project, 'comparing')?.()
  const found = sha256(exportLines(await copy.tx(readAll)).join('\n'))
  return found === expected
    ? undefined
    : fail('move.unequal', { where: copy.where, reason: `the copy has sha256 ${found}` })
}

/** Leaves the password out of the configuration file, because git tracks that file. */
const switchOver = async (target: StoreAddress, world: Project): Promise<void> => {
  const path = join(world.folder, 'config.json')
  const place: Config =
    target.kind === 'sqlite' ? {} : { database: withoutPassword(target.address), project: target.project }
  const file = { path, mode: 0o644, check: (text: string) => readConfig(path, text) }
  await changeConfigFile(world, file, async ({ raw, replace }) => {
    const { database: _, project: __, ...others } = raw
    const { database, project: ___, ...rest } = world.written
    const trust = () => trustSetting({ ...world, written: { ...rest, ...place } }, world.written, 'database')
    // Trust the new address first. If CLEO first wrote it into the configuration and then crashed, the address would be
    // untrusted and have no effect.
    if (place.database) await trust()
    replace({ ...others, ...place })
    world.host.files.replace(join(world.folder, '.gitignore'), ignoreText(target.kind), 0o644)
    // Record that the address was removed. Otherwise CLEO would warn that someone else had removed a trusted address.
    if (!place.database && database !== undefined) await trust()
  })
}

/** Turns the sealed old database file into a backup that can be opened. */
const backUpOldFile = async ({ host, folder }: Project): Promise<string> => {
  const { turnIntoBackup } = await import('../../store/sqlite/backup.ts')
  const backups = backupFolder(folder)
  host.files.makeFolder(backups, 0o700)
  return turnIntoBackup(databasePath(folder), backups, `moved-${stamp(host.now())}`)
}

const warningsFor = (to: string, { host, config }: Project): string[] => {
  const set = host.env['CLEO_DATABASE_URL']
  if (to === 'sqlite') return set ? ['CLEO_DATABASE_URL is still set and takes precedence; unset it'] : []
  if (postgresAddress(host, config) === to || to === withoutPassword(to)) return []
  return ['the password was not stored: set CLEO_DATABASE_URL, PGPASSWORD or ~/.pgpass']
}
