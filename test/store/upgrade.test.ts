import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { migrations } from '../../src/store/generated/migrations.ts'
import { openStore } from '../../src/store/open/choose-store.ts'
import type { Store } from '../../src/store/port.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { taskCounts } from '../support/counted.ts'
import { onEveryStore, type TestProject } from '../support/project.ts'
import { randomHistory } from '../support/random-history.ts'
import { addTask, handIn, lineOf, send } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'

const returnsOf = (store: Store) =>
  store.all(
    'SELECT seq, task, spawn, at, actor, returned, need, breach, entry, made FROM returns ORDER BY seq',
  )
const backOf = (store: Store) => store.all('SELECT id, back_at FROM spawns ORDER BY seq')

/** Makes tasks with spawns that were received, refused, reopened and respawned, and one that is still out. */
const makeHistory = async (project: TestProject): Promise<void> => {
  for (let i = 0; i < 4; i++) await addTask(project, { labels: ['research'] })
  await send(project, 'T002')
  await project.must('orchestrate.receive', { id: 'T002', message: 'need skill: ct-test-runner' })
  await project.must('orchestrate.respawn', { id: 'T002' })
  await handIn(await send(project, 'T003'))
  await project.must('orchestrate.receive', { id: 'T003', message: lineOf('Research') })
  await project.must('tasks.reopen', { id: 'T003', reason: 'one is missing' })
  await send(project, 'T004')
  await project.call('orchestrate.receive', { id: 'T004', message: 'all done, "trust" me' })
  await send(project, 'T005')
  await project.must('tasks.cancel', { id: 'T005', reason: 'later' })
  await project.must('tasks.reopen', { id: 'T005', reason: 'now' })
}

/** Undoes migration 4 and runs it again, as in a store that an older CLEO has written. */
const upgradeAgain = (store: Store): Promise<void> =>
  store.tx(async (db) => {
    await db.run('DROP TABLE returns')
    await db.run('ALTER TABLE spawns DROP COLUMN back_at')
    const { sql } = migrations[store.dialect.name].find(({ version }) => version === 4)!
    const statements = sql.replaceAll(/^--.*$/gm, '').split(';')
    for (const statement of statements) if (statement.trim() !== '') await db.run(statement)
  })

/** Undoes migration 5 and runs it again. */
const upgradeTo5Again = (store: Store): Promise<void> =>
  store.tx(async (db) => {
    const { name } = store.dialect
    const { sql } = migrations[name].find(({ version }) => version === 5)!
    for (const [, trigger] of sql.matchAll(/CREATE TRIGGER (\w+)/g))
      await db.run(`DROP TRIGGER ${trigger}${name === 'postgres' ? ' ON tasks' : ''}`)
    if (name === 'postgres') await db.run('DROP FUNCTION count_tasks')
    await db.run('DROP TABLE task_counts')
    const dropped = [...sql.matchAll(/DROP INDEX (\w+)/g)].map(([, index]) => index)
    for (const [, index] of sql.matchAll(/CREATE INDEX (\w+)/g)) await db.run(`DROP INDEX ${index}`)
    for (const index of dropped) await db.run(`CREATE INDEX ${index} ON tasks (seq)`)
    // Every statement starts at the beginning of a line. Lines inside a trigger or a function are indented.
    for (const statement of sql.replaceAll(/^--.*$/gm, '').split(/;\n+(?=[A-Z])(?!END)/))
      await db.run(statement.replace(/;\s*$/, ''))
  })

test('[PROJ-4] opening a file of schema 3 with history fills in its returns and which spawns are back', () =>
  withTemp(async (folder) => {
    const path = join(folder, 'cleo.db')
    const database = new DatabaseSync(path)
    migrate(database, path, migrations.sqlite.slice(0, 3))
    database.exec(`
      INSERT INTO tasks VALUES (1, 'T001', 'one', '', 'task', NULL, 'T001', 'pending', NULL, 2, 'medium', NULL, 'auto', 'ada',
        NULL, 0, 0, 0, 0, 1, 1, NULL);
      INSERT INTO spawns (id, task, attempt, protocol, tier, hash, tokens, actor, at, asked, report, prompt) VALUES
        ('T001.1', 'T001', 1, 'research', 1, 'h', 1, 'ada', 2, '{}', '{}', 'x'),
        ('T001.2', 'T001', 2, 'research', 1, 'h', 1, 'ada', 5, '{}', '{}', 'x');
      INSERT INTO audit (at, actor, operation, task, after) VALUES
        (1, 'ada', 'tasks.reopen', 'T001', '{"status":"pending"}'),
        (2, 'ada', 'orchestrate.spawn', 'T001', '{"spawn":"T001.1","hash":"h"}'),
        (3, 'ada', 'orchestrate.receive', 'T001', '{"status":"pending"}'),
        (4, 'ada', 'orchestrate.receive', 'T001', '{"spawn":"T001.1","returned":"partial","entry":"E","made":["T002"]}'),
        (5, 'ada', 'orchestrate.respawn', 'T001', '{"spawn":"T001.2","hash":"h"}')`)
    database.close()
    const store = await openSqlite(path, { now: () => 9, wait: 'retry' })
    expect(await returnsOf(store)).toEqual([
      {
        ...{ seq: 1, task: 'T001', spawn: 'T001.1', at: 4, actor: 'ada', returned: 'partial' },
        ...{ need: null, breach: null, entry: 'E', made: '["T002"]' },
      },
    ])
    expect(await backOf(store)).toEqual([
      { id: 'T001.1', back_at: 4 },
      { id: 'T001.2', back_at: null },
    ])
    await store.close()
  }))

test('[PROJ-4] opening a file of schema 4 counts its tasks by status', () =>
  withTemp(async (folder) => {
    const path = join(folder, 'cleo.db')
    const database = new DatabaseSync(path)
    migrate(database, path, migrations.sqlite.slice(0, 4))
    const columns = `seq, id, title, description, type, parent, root, status, priority, size, completes, origin, epoch, blockers,
      unblocks, children, created_at, updated_at`
    database.exec(`INSERT INTO tasks (${columns}) VALUES
      (1, 'T001', 'epic', '', 'epic', NULL, 'T001', 'pending', 2, 'medium', 'auto', 'ada', 0, 0, 0, 2, 1, 1),
      (2, 'T002', 'one', '', 'task', 'T001', 'T001', 'done', 2, 'medium', 'auto', 'ada', 0, 0, 0, 0, 1, 1),
      (3, 'T003', 'two', '', 'task', 'T001', 'T001', 'pending', 2, 'medium', 'auto', 'ada', 0, 0, 0, 0, 1, 1),
      (4, 'T004', 'alone', '', 'task', NULL, 'T004', 'pending', 2, 'medium', 'auto', 'ada', 0, 0, 0, 0, 1, 1)`)
    database.close()
    const store = await openSqlite(path, { now: () => 9, wait: 'retry' })
    const { kept, counted } = await taskCounts(store)
    expect(kept).toEqual(counted)
    expect(kept).toContain('T001 pending 0: 1')
    expect(kept).toContain(' pending 1: 2')
    await store.close()
  }))

test('[PROJ-4] [TASK-8] opening a file of schema 10 groups its audit rows by command, for undo', () =>
  withTemp(async (folder) => {
    const path = join(folder, 'cleo.db')
    const database = new DatabaseSync(path)
    migrate(database, path, migrations.sqlite.slice(0, 10))
    database.exec(`INSERT INTO audit (at, actor, operation, task) VALUES
      (1, 'ada', 'tasks.add', 'T001'), (2, 'ada', 'tasks.add', 'T002'), (2, 'bo', 'tasks.add', 'T003'),
      (2, 'ada', 'tasks.add', 'T004'), (2, 'ada', 'tasks.note', 'T004')`)
    database.close()
    const store = await openSqlite(path, { now: () => 9, wait: 'retry' })
    const rows = await store.all<{ first: number | null }>('SELECT first FROM audit ORDER BY seq')
    expect(rows.map(({ first }) => first)).toEqual([null, null, null, 2, null])
    await store.close()
  }))

test('[PROJ-4] [PROJ-9] a database of schema 5 gets its project id with the first command', () =>
  withTemp(async (folder) => {
    const path = join(folder, 'cleo.db')
    const database = new DatabaseSync(path)
    migrate(database, path, migrations.sqlite.slice(0, 5))
    database.close()
    const open = () => openStore({ kind: 'sqlite', path }, { now: () => 9, wait: 'retry' })
    const stores = await Promise.all(Array.from({ length: 4 }, open))
    const ids = new Set(stores.map(({ project }) => project))
    expect(ids.size, 'of four at once, all get the same').toBe(1)
    const [id] = ids
    expect(id).toMatch(/^[0-9a-f]{12}$/)
    expect(readdirSync(folder)).toContain(`project.${id}`)
    for (const store of stores) await store.close()
    const again = await open()
    expect(again.project).toBe(id)
    await again.close()
  }))

test('[PROJ-9] a database from before ids is refused in the folder of another project, and not migrated', () =>
  withTemp(async (folder) => {
    const path = join(folder, 'cleo.db')
    const database = new DatabaseSync(path)
    migrate(database, path, migrations.sqlite.slice(0, 5))
    database.close()
    writeFileSync(join(folder, 'project.0123456789ab'), 'another')
    const bytes = readFileSync(path)
    const opened = openStore({ kind: 'sqlite', path }, { now: () => 9, wait: 'retry' })
    await expect(opened).rejects.toMatchObject({ failure: { code: 'store.other' } })
    expect(readFileSync(path).equals(bytes)).toBe(true)
    expect(readdirSync(folder)).toEqual(['cleo.db', 'project.0123456789ab'])
  }))

onEveryStore((withProject) => {
  test('[PROJ-4] schema 5 counts the tasks that are there, and from then on those that change', () =>
    withProject(async (project) => {
      await randomHistory(project, { seed: 5, steps: 60 })
      const store = await project.store()
      await upgradeTo5Again(store)
      const { kept, counted } = await taskCounts(store)
      expect(kept.length).toBeGreaterThan(5)
      expect(kept).toEqual(counted)
      await project.must('tasks.add', { title: 'One more' })
      const after = await taskCounts(store)
      expect(after.kept).toEqual(after.counted)
      expect(after.kept).not.toEqual(kept)
    }))

  test('[PROJ-4] schema 4 finds in the audit log what was returned before, and which spawns are out', () =>
    withProject(async (project) => {
      await makeHistory(project)
      const store = await project.store()
      const returns = await returnsOf(store)
      const back = await backOf(store)
      expect(returns).toMatchObject([
        { task: 'T002', spawn: 'T002.1', returned: 'need', need: '{"skill":"ct-test-runner","level":"L1"}' },
        { task: 'T003', spawn: 'T003.1', returned: 'complete', made: '[]' },
        { task: 'T004', spawn: 'T004.1', returned: null, breach: 'manifest.missing' },
      ])
      expect(back).toMatchObject([
        { id: 'T002.1', back_at: expect.any(Number) },
        { id: 'T002.2', back_at: null },
        { id: 'T003.1', back_at: expect.any(Number) },
        { id: 'T004.1', back_at: expect.any(Number) },
        { id: 'T005.1', back_at: expect.any(Number) },
      ])
      const { out } = await project.must('orchestrate.status', {})
      await upgradeAgain(store)
      expect((await project.must('orchestrate.status', {})).out).toEqual(out)
      expect(await returnsOf(store)).toEqual(returns)
      expect(await backOf(store)).toEqual(back)
    }))

  test('[PROJ-5] an export of schema 3 is imported with what was returned', () =>
    withProject(async (project) => {
      await makeHistory(project)
      const store = await project.store()
      const expected = { returns: await returnsOf(store), back: await backOf(store) }
      const { document } = (await project.as('eve').must('admin.export', {})) as { document: string }
      const older = document
        .split('\n')
        .filter((line) => !line.startsWith('{"record":"returns"'))
        .map((line) => line.replace(/,"backAt":"[^"]+"\}$/, '}'))
        .join('\n')
      expect(older).not.toContain('backAt')
      await withProject(async (copy) => {
        await copy.must('admin.import', { file: older })
        const found = await copy.store()
        expect({ returns: await returnsOf(found), back: await backOf(found) }).toEqual(expected)
        expect(await copy.as('eve').must('admin.export', {})).toMatchObject({ document })
      })
    }))

  test('[SESS-4] an unstarted spawn whose return was refused stays out until the next attempt, which knows why', () =>
    withProject(async (project) => {
      await addTask(project)
      await send(project, 'T002')
      await project.call('orchestrate.receive', { id: 'T002', message: 'nothing of the kind' })
      expect((await project.must('orchestrate.status', {})).out).toMatchObject([
        { spawnId: 'T002.1', refused: true },
      ])
      for (const time of ['spawned', 'given back while unstarted'])
        expect(await project.must('orchestrate.spawn', { id: 'T002' }), time).toMatchObject({
          spawnId: 'T002.2',
          prompt: expect.stringContaining('Last Attempt'),
        })
      const { out } = await project.must('orchestrate.status', {})
      expect(out).toMatchObject([{ spawnId: 'T002.2' }])
      expect(out[0]).not.toHaveProperty('refused')
    }))

  test('[SESS-4] an unstarted spawn that asked for an unknown skill is given back, and is out again', () =>
    withProject(async (project) => {
      await addTask(project)
      await send(project, 'T002')
      await project.must('orchestrate.receive', { id: 'T002', message: 'need skill: ct-nowhere' })
      expect(await project.must('orchestrate.status', {})).toMatchObject({ out: [] })
      expect(await project.must('orchestrate.spawn', { id: 'T002', ref: true })).toMatchObject({
        spawnId: 'T002.1',
      })
      const { out } = await project.must('orchestrate.status', {})
      expect(out).toMatchObject([{ spawnId: 'T002.1' }])
      expect(out[0]).not.toHaveProperty('refused')
    }))
})
