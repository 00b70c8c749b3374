import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { Refused } from '../../src/kernel/result.ts'
import { migrations } from '../../src/store/generated/migrations.ts'
import { schemaVersion } from '../../src/store/generated/schema-version.ts'
import { isSafe } from '../../src/store/sqlite/check-file.ts'
import { createSqlite } from '../../src/store/sqlite/create.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { withTemp } from '../support/temp.ts'

const options = { now: () => 0, wait: 'retry' as const }

const withStore = <T>(work: (path: string) => Promise<T>): Promise<T> =>
  withTemp((folder) => {
    const path = join(folder, 'cleo.db')
    createSqlite(path, 'draft')
    return work(path)
  })

const refusal = (path: string): Promise<string> =>
  openSqlite(path, options).then(
    async (store) => {
      await store.close()
      return 'opened'
    },
    (error: unknown) => (error instanceof Refused ? error.failure.code : String(error)),
  )

test('[PROJ-1] only the owner may read the database, and no draft is left behind', () =>
  withStore(async (path) => {
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(path, '..'))).toEqual([
      'cleo.db',
      expect.stringMatching(/^project\.[0-9a-f]{12}$/),
    ])
  }))

test('[PROJ-4] the schema is the one on record', () =>
  withStore(async (path) => {
    const database = new DatabaseSync(path)
    const rows = database
      .prepare(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'tasks_text_%' ORDER BY type, name",
      )
      .all() as { sql: string }[]
    database.close()
    await expect(`${rows.map(({ sql }) => sql).join(';\n\n')};\n`).toMatchFileSnapshot('schema.sqlite.sql')
  }))

test('[PROJ-3] WAL, full synchronisation and foreign keys are on', () =>
  withStore(async (path) => {
    const store = await openSqlite(path, options)
    const pragma = async (name: string) => Object.values((await store.get<object>(`PRAGMA ${name}`))!)[0]
    expect(await pragma('journal_mode')).toBe('wal')
    expect(await pragma('synchronous')).toBe(2)
    expect(await pragma('foreign_keys')).toBe(1)
    expect(await pragma('trusted_schema')).toBe(0)
    await store.close()
  }))

describe('[PROJ-4] a file that is not an intact CLEO database of this version is refused and unchanged', () => {
  const cases: [string, string, (path: string) => void][] = [
    ['empty', 'store.corrupt', (path) => writeFileSync(path, '')],
    ['text', 'store.foreign', (path) => writeFileSync(path, 'not a database at all '.repeat(500))],
    ['another program', 'store.foreign', replaceByForeign],
    ['newer', 'store.newer', (path) => pragma(path, `user_version = ${schemaVersion + 1}`)],
    [
      'half',
      'store.corrupt',
      (path) => writeFileSync(path, readFileSync(path).subarray(0, statSync(path).size / 2)),
    ],
    ['one page', 'store.corrupt', (path) => writeFileSync(path, readFileSync(path).subarray(0, 4096))],
  ]
  for (const [name, code, spoil] of cases) {
    test(name, () =>
      withStore(async (path) => {
        spoil(path)
        const before = readFileSync(path)
        expect(await refusal(path)).toBe(code)
        expect(readFileSync(path).equals(before)).toBe(true)
      }),
    )
  }
  test('gone', () =>
    withTemp(async (folder) => {
      expect(await refusal(join(folder, 'cleo.db'))).toBe('store.missing')
      expect(existsSync(join(folder, 'cleo.db'))).toBe(false)
    }))
})

const pragma = (path: string, setting: string): void => {
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA ${setting}`)
  database.close()
}

const replaceByForeign = (path: string): void => {
  rmSync(path)
  const database = new DatabaseSync(path)
  database.exec('CREATE TABLE theirs (a)')
  database.close()
}

test('[PROJ-3] SQLite versions that lose committed pages are not used', () => {
  const safe = (version: string) => isSafe(version)
  expect(['3.50.6', '3.51.0', '3.51.2', '3.49.9', '2.8.17'].filter(safe)).toEqual([])
  expect(['3.50.7', '3.51.3', '3.52.0', '3.53.4', '4.0.0'].filter((v) => !safe(v))).toEqual([])
})

describe('[PROJ-4] migrations', () => {
  const next = [
    ...migrations.sqlite,
    {
      version: 99,
      name: 'later',
      sql: 'CREATE TABLE later (a INTEGER) STRICT; INSERT INTO later VALUES (1)',
    },
  ]

  test('a backup is made first, and the steps run once', () =>
    withStore(async (path) => {
      for (let i = 0; i < 3; i++) {
        const database = new DatabaseSync(path)
        migrate(database, path, next)
        expect(database.prepare('SELECT count(*) AS n FROM later').get()).toEqual({ n: 1 })
        database.close()
      }
      expect(readdirSync(join(path, '..', 'backups'))).toEqual([`before-schema-${schemaVersion + 1}.db`])
      copyFileSync(join(path, '..', 'backups', `before-schema-${schemaVersion + 1}.db`), `${path}.old`)
      expect(await refusal(`${path}.old`)).toBe('opened')
      expect(await refusal(path)).toBe('store.newer')
    }))

  test('a file of every earlier schema is brought up to date when it is opened, and keeps its rows', () =>
    withTemp(async (folder) => {
      for (const { version } of migrations.sqlite.slice(0, -1)) {
        const path = join(folder, `of-${version}.db`)
        const database = new DatabaseSync(path)
        migrate(database, path, migrations.sqlite.slice(0, version))
        database.exec("UPDATE counters SET value = 7 WHERE name = 'task'")
        database.close()
        const store = await openSqlite(path, options)
        expect(await store.get("SELECT value FROM counters WHERE name = 'task'")).toEqual({ value: 7 })
        expect(await store.get('PRAGMA user_version')).toEqual({ user_version: schemaVersion })
        await store.close()
        expect(readdirSync(join(folder, 'backups'))).toContain(`before-schema-${version + 1}.db`)
      }
      expect(schemaVersion).toBe(migrations.sqlite.at(-1)!.version)
    }))

  test('a step that fails leaves everything as it was', () =>
    withStore(async (path) => {
      const database = new DatabaseSync(path)
      const broken = [...next, { version: 100, name: 'broken', sql: 'CREATE TABLE tasks (a)' }]
      expect(() => migrate(database, path, broken)).toThrow(/already exists/)
      database.close()
      expect(await refusal(path)).toBe('opened')
    }))
})

test('[PROJ-3] eight transactions at once on one connection run one after another', () =>
  withStore(async (path) => {
    const store = await openSqlite(path, options)
    const add = () =>
      store.tx(async (db) => {
        const { value } = (await db.get<{ value: number }>("SELECT value FROM counters WHERE name = 'task'"))!
        await new Promise((resolve) => setTimeout(resolve, 1))
        await db.run("UPDATE counters SET value = ? WHERE name = 'task'", value + 1)
      })
    await Promise.all(Array.from({ length: 8 }, add))
    expect(await store.get("SELECT value FROM counters WHERE name = 'task'")).toEqual({ value: 8 })
    await store.close()
  }))

test('[PROJ-3] a process that holds the whole file is waited for', () =>
  withStore(async (path) => {
    const holder = new DatabaseSync(path)
    holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    setTimeout(() => holder.close(), 100)
    const store = await openSqlite(path, { ...options, wait: 'retry' })
    expect(await store.get("SELECT value FROM counters WHERE name = 'task'")).toEqual({ value: 0 })
    await store.close()
  }))

test('[PROJ-3] a lock that is never released is exit 7, and retryable', () =>
  withStore(async (path) => {
    const holder = new DatabaseSync(path)
    holder.exec('BEGIN IMMEDIATE')
    let clock = 0
    const store = await openSqlite(path, { now: () => (clock += 5000), wait: 'retry' })
    const refused = await store.tx(async () => undefined).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Refused)
    expect((refused as Refused).failure).toMatchObject({ code: 'store.busy', exit: 7, retryable: true })
    holder.exec('ROLLBACK')
    await store.tx(async () => undefined)
    await store.close()
    holder.close()
  }))

test('[PROJ-3] what a transaction throws rolls all of it back', () =>
  withStore(async (path) => {
    const store = await openSqlite(path, options)
    const failing = store.tx(async (db) => {
      await db.run("UPDATE counters SET value = 7 WHERE name = 'task'")
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    expect(await store.get("SELECT value FROM counters WHERE name = 'task'")).toEqual({ value: 0 })
    await store.close()
  }))
