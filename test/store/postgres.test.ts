import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { Refused } from '../../src/kernel/result.ts'
import { migrations } from '../../src/store/generated/migrations.ts'
import { schemaVersion } from '../../src/store/generated/schema-version.ts'
import type { Store } from '../../src/store/port.ts'
import { shownAddress } from '../../src/store/postgres/address.ts'
import { openPostgres } from '../../src/store/postgres/open.ts'
import { createSqlite } from '../../src/store/sqlite/create.ts'
import { cuttingProxy } from '../support/cutting-proxy.ts'
import { postgresDatabase } from '../support/postgres.ts'
import { withTemp } from '../support/temp.ts'

const name = () => `t${Math.random().toString(36).slice(2, 12)}`
const options = { now: Date.now, create: true }

const withStore = async <T>(
  work: (store: Store, address: string, project: string) => Promise<T>,
): Promise<T> => {
  const address = await postgresDatabase()
  const project = name()
  const store = await openPostgres({ address, project, ...options })
  try {
    return await work(store, address, project)
  } finally {
    await store.close()
  }
}

const raw = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client(await postgresDatabase())
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const refusalOf = (opening: Promise<Store>): Promise<string> =>
  opening.then(
    async (store) => {
      await store.close()
      return 'opened'
    },
    (error: unknown) => (error instanceof Refused ? error.failure.code : String(error)),
  )

const counter = (store: Store) =>
  store.get<{ value: number }>("SELECT value FROM counters WHERE name = 'task'")
const raise = (store: Store) =>
  store.tx((db) => db.run("UPDATE counters SET value = value + 1 WHERE name = 'task'"))

// In PostgreSQL, the schema of a project is named after its id.
test('[PROJ-3] both databases have the same tables and columns', () =>
  withStore(async (_, __, project) => {
    const postgres = await raw(async (client) => {
      const { rows } = await client.query(
        `SELECT table_name AS "table", column_name AS "column", is_nullable = 'NO' AS required
         FROM information_schema.columns WHERE table_schema = $1 AND table_name NOT IN ('tasks_text', 'texts', 'schema_version')`,
        [`cleo_${project}`],
      )
      return rows
        .map(({ table, column, required }) => `${table}.${column}${required ? ' required' : ''}`)
        .toSorted()
    })
    const sqlite = await withTemp((folder) => {
      createSqlite(join(folder, 'cleo.db'), 'draft')
      const database = new DatabaseSync(join(folder, 'cleo.db'))
      const rows = database
        .prepare(
          `SELECT t.name AS "table", c.name AS "column", c."notnull" OR c.pk > 0 AS required
           FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name <> 'project' AND t.name NOT LIKE 'tasks_text%' AND t.name NOT LIKE 'texts%'`,
        )
        .all() as { table: string; column: string; required: number }[]
      database.close()
      return rows
        .map(({ table, column, required }) => `${table}.${column}${required ? ' required' : ''}`)
        .toSorted()
    })
    expect(postgres).toEqual(sqlite)
  }))

test('[PROJ-3] both databases have the same keys, references and checks', () =>
  withStore(async (_, __, project) => {
    const postgres = await raw(async (client) => {
      const { rows } = await client.query(
        `SELECT conrelid::regclass::text AS "table", contype AS kind, pg_get_constraintdef(oid) AS says FROM pg_constraint
         WHERE connamespace = $1::regnamespace AND contype IN ('p', 'u', 'f', 'c')`,
        [`cleo_${project}`],
      )
      return rows.map(({ table, kind, says }) => ({ table: table.split('.').at(-1) as string, kind, says }))
    })
    const counted = (kinds: string[]) => kinds.toSorted().join(' ')
    const tables = [
      'tasks',
      'depends',
      'labels',
      'files',
      'criteria',
      'notes',
      'sessions',
      'claims',
      'focus',
      'audit',
      'counters',
    ]
    await withTemp((folder) => {
      createSqlite(join(folder, 'cleo.db'), 'draft')
      const database = new DatabaseSync(join(folder, 'cleo.db'))
      const all = (sql: string) => database.prepare(sql).all() as Record<string, string>[]
      for (const table of tables) {
        const { sql } = all(`SELECT sql FROM sqlite_schema WHERE name = '${table}'`)[0]!
        const keys = all(`SELECT name FROM pragma_table_info('${table}') WHERE pk > 0 ORDER BY pk`).map(
          ({ name }) => name,
        )
        const references = all(`SELECT "from", "table", "to" FROM pragma_foreign_key_list('${table}')`)
        const here = postgres.filter((constraint) => constraint.table === table)
        const said = (kind: string) =>
          here.filter((constraint) => constraint.kind === kind).map(({ says }) => says as string)
        expect(said('p'), table).toEqual([`PRIMARY KEY (${keys.join(', ')})`])
        expect(counted(said('f').map((says) => says.replaceAll(/cleo_\w+\./g, ''))), table).toBe(
          counted(
            references.map(({ from, table, to }) => `FOREIGN KEY (${from}) REFERENCES ${table}(${to})`),
          ),
        )
        expect(said('c').length, `${table}: checks`).toBe(sql!.match(/CHECK \(/g)?.length ?? 0)
        expect(said('u').length, `${table}: unique`).toBe(sql!.match(/UNIQUE/g)?.length ?? 0)
      }
      database.close()
    })
  }))

test('[PROJ-3] two hundred clients at once, one connection each', async () => {
  const address = await postgresDatabase()
  const project = name()
  const stores = await Promise.all(
    Array.from({ length: 200 }, () => openPostgres({ address, project, ...options })),
  )
  await Promise.all(stores.map(raise))
  expect(await counter(stores[0]!)).toEqual({ value: 200 })
  await Promise.all(stores.map((store) => store.close()))
})

test('[PROJ-3] the schema is the one on record', () =>
  withStore(async (_, __, project) => {
    const lines = await raw(async (client) => {
      const schema = `cleo_${project}`
      const columns = await client.query(
        `SELECT table_name || '.' || column_name || ' ' || data_type || CASE is_nullable WHEN 'NO' THEN ' NOT NULL' ELSE '' END AS line
         FROM information_schema.columns WHERE table_schema = $1 ORDER BY table_name, ordinal_position`,
        [schema],
      )
      const constraints = await client.query(
        `SELECT conrelid::regclass::text || ' ' || pg_get_constraintdef(oid) AS line FROM pg_constraint
         WHERE connamespace = $1::regnamespace AND contype <> 'n' ORDER BY 1`,
        [schema],
      )
      const indexes = await client.query(
        'SELECT indexdef AS line FROM pg_indexes WHERE schemaname = $1 ORDER BY indexname',
        [schema],
      )
      return [...columns.rows, ...constraints.rows, ...indexes.rows].map(({ line }) =>
        line.replaceAll(`${schema}.`, ''),
      )
    })
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('schema.postgres.txt')
  }))

test('[PROJ-4] twenty processes that start at once migrate once', async () => {
  const address = await postgresDatabase()
  const project = name()
  const stores = await Promise.all(
    Array.from({ length: 20 }, () => openPostgres({ address, project, ...options })),
  )
  expect(await stores[7]!.get('SELECT count(*) AS n FROM schema_version')).toEqual({
    n: migrations.postgres.length,
  })
  await Promise.all(stores.map(raise))
  expect(await counter(stores[0]!)).toEqual({ value: 20 })
  await Promise.all(stores.map((store) => store.close()))
})

test('[PROJ-3] projects in one database see nothing of each other', () =>
  withStore((one) =>
    withStore(async (two) => {
      await raise(one)
      expect(await counter(one)).toEqual({ value: 1 })
      expect(await counter(two)).toEqual({ value: 0 })
    }),
  ))

describe('[PROJ-3] an address that does not work is a clear refusal', () => {
  const bad: [string, (address: string) => Parameters<typeof openPostgres>[0], string][] = [
    [
      'server down',
      (address) => ({ ...options, address: address.replace(/:\d+\//, ':1/'), project: 'abcd' }),
      'store.unreachable',
    ],
    [
      'no such database',
      (address) => ({ ...options, address: address.replace(/[^/]+$/, 'nowhere'), project: 'abcd' }),
      'store.denied',
    ],
    [
      'no such user',
      (address) => ({ ...options, address: address.replace('cleo@', 'nobody@'), project: 'abcd' }),
      'store.denied',
    ],
    [
      'no TLS there',
      (address) => ({ ...options, address: `${address}?sslmode=require`, project: 'abcd' }),
      'store.denied',
    ],
    [
      'no such project',
      (address) => ({ ...options, address, project: 'zzzz', create: false }),
      'store.empty',
    ],
  ]
  for (const [what, settings, code] of bad) {
    test(what, async () =>
      expect(await refusalOf(openPostgres(settings(await postgresDatabase())))).toBe(code),
    )
  }

  test('a newer schema is left untouched', () =>
    withStore(async (store, address, project) => {
      await store.run('INSERT INTO schema_version (version) VALUES (?)', schemaVersion + 1)
      expect(await refusalOf(openPostgres({ address, project, ...options }))).toBe('store.newer')
    }))

  test('a user without rights', async () => {
    await raw((client) =>
      client.query('DO $$ BEGIN CREATE ROLE guest LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$'),
    )
    const address = (await postgresDatabase()).replace('cleo@', 'guest@')
    expect(await refusalOf(openPostgres({ ...options, address, project: name() }))).toBe('store.denied')
  })
})

test('[PROJ-3] a password never appears in what is shown', () => {
  const shown = shownAddress('postgres://ada:s3cret@db.example:5432/team?sslmode=require&password=s3cret')
  expect(shown).toBe('postgres://ada@db.example:5432/team')
  expect(shownAddress('not an address s3cret')).not.toContain('s3cret')
})

test('[PROJ-3] text with NUL in it comes back as it was', () =>
  withStore(async (store) => {
    for (const text of ['a\0b', '\ue000', '\ue0000', '\ue000\0\ue0001', 'plain']) {
      await store.run('DELETE FROM focus')
      expect(await store.get<{ text: string }>('SELECT CAST(? AS TEXT) AS text', text)).toEqual({ text })
    }
  }))

describe('[PROJ-3] a connection that breaks', () => {
  const cases: [string, string, 'before' | 'after'][] = [
    ['before the transaction begins', 'BEGIN', 'before'],
    ['in the middle of it', 'UPDATE counters', 'before'],
    ['after a statement was sent', 'UPDATE counters', 'after'],
    ['before the server hears of the commit', 'COMMIT', 'before'],
    ['after the server has heard of the commit', 'COMMIT', 'after'],
  ]
  for (const [what, words, when] of cases) {
    test(`${what}: the write happens once`, async () => {
      const proxy = await cuttingProxy(await postgresDatabase())
      const store = await openPostgres({ address: proxy.address, project: name(), ...options })
      await raise(store)
      proxy.cutAt(words, when)
      await raise(store)
      expect(proxy.cuts()).toBe(1)
      expect(await counter(store)).toEqual({ value: 2 })
      await store.close()
      await proxy.close()
    })
  }

  test('between two commands is not noticed', () =>
    withStore(async (store) => {
      await raise(store)
      await raw((client) =>
        client.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cleo' AND datname = current_database()",
        ),
      )
      await raise(store)
      expect(await counter(store)).toEqual({ value: 2 })
    }))
})
