import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { nodeHost } from '../../src/host/node-host.ts'
import { connect } from '../../src/perform/connection.ts'
import { load } from '../../src/perform/generated/load.ts'
import { perform } from '../../src/perform/perform.ts'
import { postgresDatabase } from '../support/postgres.ts'
import { runs } from '../support/properties.ts'
import { withTemp } from '../support/temp.ts'

interface Desk {
  root: string
  must(name: string, input: object): Promise<Record<string, unknown>>
  call(name: string, input: object): ReturnType<typeof perform>
}

/** Each call connects as a new process does, so it looks up again where the data is. */
const withDesk = <T>(work: (desk: Desk) => Promise<T>): Promise<T> =>
  withTemp(async (root) => {
    const host = { ...nodeHost(), cwd: root, home: join(root, '.home'), user: 'ada', env: {} }
    const call: Desk['call'] = async (name, input) => {
      const connection = connect({ host, named: root, wait: 'retry' })
      try {
        return await perform((await load(name))!, input, connection, {
          actor: { id: 'ada', agent: false },
          dryRun: false,
        })
      } finally {
        await connection.close()
      }
    }
    const must: Desk['must'] = async (name, input) => {
      const result = await call(name, input)
      if (!result.ok) throw new Error(`${name}: ${result.message}`)
      return result.value as Record<string, unknown>
    }
    await must('admin.init', {})
    return work({ root, call, must })
  })

const size = runs(10_000)

test(`[PROJ-3] [PROJ-5] ${size} tasks move to PostgreSQL and back, and every export is the same`, () =>
  withDesk(async ({ root, must, call }) => {
    await must('tasks.add', {
      batch: Array.from({ length: size }, (_, i) => ({
        key: `k${i}`,
        title: `Task ${i} é\0${i}`,
        ...(i > 0 && i % 3 === 0 && { depends: [`k${i - 1}`] }),
        ...(i % 5 === 0 && { labels: ['five'], files: [`src/${i}.ts`], acceptance: ['works'] }),
      })),
    })
    await must('tasks.complete', { id: 'T001' })
    await must('tasks.note', { id: 'T002', text: 'line one\nline two' })
    const document = async () => JSON.stringify(await must('admin.export', {}))
    const before = await document()
    const database = join(root, '.cleo', 'cleo.db')

    const there = await must('admin.db.move', { to: await postgresDatabase() })
    expect(existsSync(database)).toBe(false)
    expect(statSync(there['kept'] as string).mode & 0o777).toBe(0o600)
    expect(await must('admin.db.status', {})).toMatchObject({ store: 'postgres', tasks: size })
    expect(await document()).toBe(before)
    const { tasks } = (await must('tasks.find', { query: 'task 77 e', limit: 50 })) as {
      tasks: { id: string }[]
    }
    expect(tasks.map(({ id }) => id)).toContain('T078')
    expect(await call('admin.db.move', { to: await postgresDatabase() })).toMatchObject({ code: 'move.same' })

    const back = await must('admin.db.move', { to: 'sqlite' })
    expect(back['sha256']).toBe(there['sha256'])
    expect(await must('admin.db.status', {})).toMatchObject({ store: 'sqlite', tasks: size })
    expect(await document()).toBe(before)
    expect(readFileSync(join(root, '.cleo', 'config.json'), 'utf8')).toBe('{}\n')
    expect(await must('tasks.add', { title: 'next' })).toMatchObject({ id: `T${size + 1}` })
  }))

test('[PROJ-3] a process that still has the old store open gets a refusal that the project has moved', () =>
  withDesk(async ({ root, must }) => {
    await must('tasks.add', { title: 'one' })
    const host = { ...nodeHost(), cwd: root, env: {} }
    const late = connect({ host, named: root, wait: 'retry' })
    await late.store()
    await must('admin.db.move', { to: await postgresDatabase() })
    const refused = await perform((await load('tasks.note'))!, { id: 'T001', text: 'late' }, late, {
      actor: { id: 'late', agent: false },
      dryRun: false,
    })
    expect(refused).toMatchObject({ ok: false, code: 'store.moved', exit: 7, retryable: true })
    await late.close()
    expect(await must('tasks.show', { id: 'T001' })).not.toHaveProperty('notes')
  }))

test('[PROJ-3] a password is used but neither stored nor shown', () =>
  withDesk(async ({ root, must }) => {
    const address = (await postgresDatabase()).replace('cleo@', 'cleo:s3cret@')
    const moved = await must('admin.db.move', { to: address })
    expect(JSON.stringify(moved)).not.toContain('s3cret')
    expect(readFileSync(join(root, '.cleo', 'config.json'), 'utf8')).not.toContain('s3cret')
    expect(JSON.stringify(await must('admin.db.status', {}))).not.toContain('s3cret')
    const kept = new DatabaseSync(moved['kept'] as string)
    expect(kept.prepare('SELECT count(*) AS n FROM audit').get()).toEqual({ n: 0 })
    kept.close()
  }))

test('[PROJ-8] an address that someone removes after a move is missed, and no other database is opened', () =>
  withDesk(async ({ root, must, call }) => {
    await must('admin.db.move', { to: await postgresDatabase() })
    writeFileSync(join(root, '.cleo', 'config.json'), '{}\n')
    expect(await call('tasks.list', {})).toMatchObject({
      code: 'database.untrusted',
      message:
        'The database address that a person trusted is no longer in .cleo/config.json, so CLEO opened no database.',
      fix: 'cleo trust',
    })
    expect(existsSync(join(root, '.cleo', 'cleo.db'))).toBe(false)
  }))

test('[PROJ-8] a move keeps the other settings as they were typed', () =>
  withDesk(async ({ root, must }) => {
    const path = join(root, '.cleo', 'config.json')
    const config = {
      commands: { test: { run: 'npm test', exclusive: true }, lint: 'npm run lint' },
      stages: false,
    }
    writeFileSync(path, JSON.stringify(config))
    await must('admin.db.move', { to: await postgresDatabase() })
    const moved = JSON.parse(readFileSync(path, 'utf8')) as object
    expect(moved).toEqual({ ...config, database: expect.any(String), project: expect.any(String) })
    await must('admin.db.move', { to: 'sqlite' })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(config)
  }))
