import { spawn } from 'node:child_process'
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openProject } from '../../src/index.ts'
import { compileCache } from '../support/compile-cache.ts'
import { taskCounts } from '../support/counted.ts'
import { type TestProject, withProject } from '../support/project.ts'
import { startWriters } from '../support/writers.ts'

const titles = async ({ must }: TestProject) =>
  (await must('tasks.list', { limit: 1000 })).tasks.map(({ title }) => title)

const titlesIn = (path: string): string[] => {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database.prepare('SELECT title FROM tasks ORDER BY seq').all() as { title: string }[]
  database.close()
  return rows.map(({ title }) => title)
}

const restored = async ({ must }: TestProject, file: string) => {
  const answer = await must('admin.restore', { file })
  if (!('restored' in answer)) throw new Error('nothing was restored')
  return answer
}

const listed = async ({ must }: TestProject) => {
  const answer = await must('admin.restore', { list: true })
  return 'backups' in answer ? answer.backups : []
}

const change = (path: string, sql: string) => {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  database.exec(sql)
  database.close()
}

/**
 * Makes a project with a backup of one task, and adds a second task after the backup. No process has the project
 * open.
 */
const withBackup = (work: (project: TestProject, file: string) => Promise<void>) =>
  withProject(async (project) => {
    const before = openProject({ project: project.root })
    await before.call('tasks.add', { title: 'Form' })
    const saved = await before.call('admin.backup', {})
    await before.call('tasks.add', { title: 'Mails' })
    await before.close()
    await work(project, saved.ok ? saved.value.path : '')
  })

test('[PROJ-5] restore replaces the content and keeps a copy of it', () =>
  withBackup(async (project, file) => {
    const { tasks, kept } = await restored(project, file)
    expect(tasks).toBe(1)
    expect(await titles(project)).toEqual(['Form'])
    expect(titlesIn(kept!)).toEqual(['Form', 'Mails'])
    expect(statSync(kept!).mode & 0o777).toBe(0o600)
    await restored(project, kept!)
    expect(await titles(project)).toEqual(['Form', 'Mails'])
  }))

test('[PROJ-5] a backup is found by its name in .cleo/backups', () =>
  withBackup(async (project, file) => {
    await restored(project, basename(file))
    expect(await titles(project)).toEqual(['Form'])
  }))

test('[PROJ-5] the numbers of tasks are those of the restored tasks', () =>
  withBackup(async (project, file) => {
    await restored(project, file)
    await project.must('tasks.add', { title: 'After' })
    const { kept, counted } = await taskCounts(await project.store())
    expect(kept, 'numbers of tasks').toEqual(counted)
    expect(kept).toContain(' pending 1: 2')
  }))

test('[PROJ-5] full text finds what was restored and nothing else', () =>
  withBackup(async (project, file) => {
    await restored(project, file)
    expect((await project.must('tasks.find', { query: 'form' })).tasks).toHaveLength(1)
    expect((await project.must('tasks.find', { query: 'mails' })).tasks).toHaveLength(0)
  }))

test('[PROJ-5] [MEM-1] restored memories are found by their words, and by no others', () =>
  withProject(async (project) => {
    await project.must('memory.observe', { text: 'tulips need water' })
    const { path } = await project.must('admin.backup', {})
    await project.must('memory.observe', { text: 'roses need sun' })
    await restored(project, path)
    expect((await project.must('memory.find', { query: 'tulips' })).memories).toHaveLength(1)
    expect((await project.must('memory.find', { query: 'roses' })).memories).toHaveLength(0)
    expect(await project.must('admin.doctor', {})).toMatchObject({ fixed: [] })
  }))

test('[TASK-2] an id used after the backup is not used again', () =>
  withBackup(async (project, file) => {
    await restored(project, file)
    expect(await project.must('tasks.add', { title: 'Invoices' })).toMatchObject({ id: 'T003' })
  }))

test('[PROJ-7] the audit log names what was restored and where the former content is', () =>
  withBackup(async (project, file) => {
    const { kept } = await restored(project, file)
    expect((await project.must('admin.log', { limit: 1 })).entries[0]).toMatchObject({
      operation: 'admin.restore',
      actor: 'ada',
      before: { kept },
      after: { restored: file },
    })
  }))

test('[PROJ-5] a connection that was open before sees the restored data and writes into it', () =>
  withBackup(async (project, file) => {
    const other = openProject({ project: project.root })
    expect(await other.call('tasks.show', { id: 'T002' })).toMatchObject({ ok: true })
    const inode = statSync(join(project.root, '.cleo', 'cleo.db')).ino
    await restored(project, file)
    expect(statSync(join(project.root, '.cleo', 'cleo.db')).ino).toBe(inode)
    expect(await other.call('tasks.show', { id: 'T002' })).toMatchObject({ code: 'task.not_found' })
    await other.call('tasks.add', { title: 'Invoices' })
    await other.close()
    expect(await titles(project)).toEqual(['Form', 'Invoices'])
  }))

test('[PROJ-5] restoring while eight writers work loses no acknowledged write', () =>
  withProject(async (project) => {
    const writers = startWriters(project.root, 8)
    const kept: string[] = []
    try {
      await writers.reach(60)
      const { path } = await project.must('admin.backup', {})
      for (const at of [120, 180, 240]) {
        await writers.reach(at)
        kept.push((await restored(project, path)).kept!)
      }
      await writers.reach(300)
    } finally {
      await writers.stop()
    }
    const there = new Set([...(await titles(project)), ...kept.flatMap(titlesIn)])
    expect(writers.written.filter((title) => !there.has(title))).toEqual([])
    const store = await project.store()
    expect(await store.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
    expect(await store.all('PRAGMA foreign_key_check')).toEqual([])
    const ids = await store.all('SELECT id FROM tasks')
    expect(
      await store.get("SELECT max(seq) <= max(value) AS fits FROM tasks, counters WHERE name = 'task'"),
    ).toEqual({
      fits: 1,
    })
    expect(ids.length).toBeGreaterThan(60)
  }))

test('[PROJ-5] a missing database is put back', () =>
  withBackup(async (project, file) => {
    rmSync(join(project.root, '.cleo', 'cleo.db'))
    expect(await listed(project)).toHaveLength(1)
    expect(await restored(project, file)).toEqual({ restored: file, tasks: 1 })
    expect(titlesIn(join(project.root, '.cleo', 'cleo.db'))).toEqual(['Form'])
    expect(statSync(join(project.root, '.cleo', 'cleo.db')).mode & 0o777).toBe(0o600)
  }))

test('[PROJ-5] a damaged database is moved aside with its log, byte for byte', () =>
  withBackup(async (project, file) => {
    const path = join(project.root, '.cleo', 'cleo.db')
    const garbage = `not a database ${'x'.repeat(5000)}`
    writeFileSync(path, garbage)
    writeFileSync(`${path}-wal`, 'log')
    const { kept } = await restored(project, file)
    expect(readFileSync(kept!, 'utf8')).toBe(garbage)
    expect(readFileSync(`${kept}-wal`, 'utf8')).toBe('log')
    expect(existsSync(`${path}-wal`)).toBe(false)
    expect(titlesIn(path)).toEqual(['Form'])
    const other = openProject({ project: project.root })
    expect(await other.call('tasks.add', { title: 'Invoices' })).toMatchObject({ ok: true })
    await other.close()
  }))

test('[PROJ-5] a database with a damaged page counts as damaged', () =>
  withBackup(async (project, file) => {
    const path = join(project.root, '.cleo', 'cleo.db')
    const bytes = readFileSync(path)
    bytes.fill(0xff, 4096 * 3, 4096 * 4)
    writeFileSync(path, bytes)
    const { kept } = await restored(project, file)
    expect(readFileSync(kept!).equals(bytes)).toBe(true)
    expect(titlesIn(path)).toEqual(['Form'])
  }))

test('[PROJ-5] eight restores of one damaged database keep one copy of it', () =>
  withBackup(async (project, file) => {
    writeFileSync(join(project.root, '.cleo', 'cleo.db'), 'garbage')
    const answers = await Promise.all(Array.from({ length: 8 }, () => restored(project, file)))
    expect(answers.filter(({ kept }) => kept!.includes('/damaged-'))).toHaveLength(1)
    expect(new Set(answers.map(({ kept }) => kept)).size).toBe(8)
    expect(titlesIn(join(project.root, '.cleo', 'cleo.db'))).toEqual(['Form'])
  }))

test('[PROJ-5] a log without its database is kept, not applied to the new one', () =>
  withBackup(async (project, file) => {
    const path = join(project.root, '.cleo', 'cleo.db')
    rmSync(path)
    writeFileSync(`${path}-wal`, 'log')
    const { kept } = await restored(project, file)
    expect(readFileSync(kept!, 'utf8')).toBe('log')
    expect(titlesIn(path)).toEqual(['Form'])
  }))

/** Restores in another process, which is killed `after` milliseconds after the restore began. */
const killedRestore = (root: string, file: string, after: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const code = `
      const [library, root, file] = process.argv.slice(1)
      const { openProject } = await import(library)
      const project = openProject({ project: root })
      await project.call('admin.restore', { list: true })
      console.log('begins')
      await project.call('admin.restore', { file })`
    const library = join(import.meta.dirname, '..', '..', 'src', 'index.ts')
    const child = spawn(process.execPath, ['--input-type=module', '-e', code, library, root, file], {
      env: { ...process.env, ...compileCache },
    })
    child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), after))
    child.on('close', () => resolve()).on('error', reject)
  })

test('[PROJ-5] a restore killed anywhere leaves the old content or the new', () =>
  withBackup(async (project, file) => {
    const path = join(project.root, '.cleo', 'cleo.db')
    for (const after of [5, 15, 25, 40, 60, 100]) {
      const other = openProject({ project: project.root })
      await other.call('tasks.add', { title: `before ${after}` })
      await other.close()
      const before = titlesIn(path)
      await killedRestore(project.root, file, after)
      expect([['Form'], before]).toContainEqual(titlesIn(path))
    }
    await restored(project, file)
    expect(titlesIn(path)).toEqual(['Form'])
  }))

test('[PROJ-5] a killed restore of a damaged database loses neither it nor the backup', () =>
  withBackup(async (project, file) => {
    const { root } = project
    const path = join(root, '.cleo', 'cleo.db')
    const backups = join(root, '.cleo', 'backups')
    const content = () =>
      [path, ...readdirSync(backups).map((name) => join(backups, name))]
        .filter(existsSync)
        .map((at) => readFileSync(at, 'latin1'))
    writeFileSync(path, 'garbage')
    for (const after of [5, 15, 25, 40, 60, 100]) {
      await killedRestore(root, file, after)
      expect(content()).toContain('garbage')
    }
    await restored(project, file)
    expect(titlesIn(path)).toEqual(['Form'])
  }))

test('[PROJ-5] an invalid backup is refused, and nothing changes', () =>
  withBackup(async (project, file) => {
    const { root, call } = project
    const copy = (name: string, sql: string) => {
      writeFileSync(join(root, name), readFileSync(file))
      change(join(root, name), sql)
    }
    copy('foreign.db', 'PRAGMA application_id = 7')
    copy('newer.db', 'PRAGMA user_version = 999')
    copy('tables.db', 'ALTER TABLE tasks ADD COLUMN due TEXT')
    copy('dangling.db', "UPDATE tasks SET parent = 'T099'")
    copy('empty.db', 'DROP TABLE tasks_text; DROP TABLE tasks')
    writeFileSync(join(root, 'text.db'), 'hello')
    const torn = readFileSync(file)
    writeFileSync(join(root, 'torn.db'), torn.subarray(0, torn.length / 2))
    symlinkSync(join(root, '.cleo', 'cleo.db'), join(root, 'itself.db'))
    const reasons = {
      'foreign.db': /not a CLEO database/,
      'newer.db': /a newer CLEO wrote it/,
      'tables.db': /its table tasks is not the one CLEO creates/,
      'dangling.db': /its tasks refer to missing rows/,
      'empty.db': /damaged/,
      'text.db': /not a CLEO database/,
      'torn.db': /damaged/,
      'itself.db': /the current database/,
      'none.db': /no such file/,
      '.': /no such file/,
    }
    await titles(project)
    const before = readdirSync(join(root, '.cleo'))
    for (const [name, reason] of Object.entries(reasons)) {
      const answer = await call('admin.restore', { file: name })
      expect(answer, name).toMatchObject({
        code: 'backup.invalid',
        exit: 3,
        message: expect.stringMatching(reason),
      })
    }
    expect(await titles(project)).toEqual(['Form', 'Mails'])
    expect(readdirSync(join(root, '.cleo'))).toEqual(before)
    expect(readdirSync(join(root, '.cleo', 'backups')).filter((name) => name.endsWith('.db'))).toHaveLength(1)
  }))

test('[PROJ-4] a current database that a newer CLEO wrote is left untouched', () =>
  withBackup(async (project, file) => {
    const path = join(project.root, '.cleo', 'cleo.db')
    change(path, 'PRAGMA user_version = 999')
    const bytes = readFileSync(path)
    expect(await project.call('admin.restore', { file })).toMatchObject({ code: 'store.newer', exit: 3 })
    expect(readFileSync(path).equals(bytes)).toBe(true)
  }))

test('[PROJ-5] --list shows the backups newest first, and what is wrong with a bad one', () =>
  withBackup(async (project, saved) => {
    const second = await project.must('admin.backup', {})
    const bad = join(project.root, '.cleo', 'backups', 'bad.db')
    writeFileSync(bad, 'hello')
    // Give each file its own time, because files that are written right after each other can have the same time.
    for (const [seconds, path] of [saved, second.path, bad].entries())
      utimesSync(path, seconds, 1e9 + seconds)
    const backups = await listed(project)
    expect(backups.map(({ file, tasks, invalid }) => ({ file, tasks, invalid }))).toEqual([
      { file: 'bad.db', invalid: 'it is not a CLEO database' },
      { file: basename(second.path), tasks: 2 },
      { file: basename(saved), tasks: 1 },
    ])
    expect(backups[1]).toMatchObject({ bytes: second.bytes, at: expect.stringMatching(/^20\d\d-.*Z$/) })
  }))

test('[PROJ-5] restore needs a file or --list, and not both', () =>
  withBackup(async ({ call }, file) => {
    for (const input of [{}, { file, list: true }])
      expect(await call('admin.restore', input)).toMatchObject({
        code: 'input.invalid',
        fix: 'cleo restore --list',
      })
  }))

test('[TOK-9] an agent cannot restore', () =>
  withBackup(async (project, file) => {
    expect(await project.as('T001.1').call('admin.restore', { file })).toMatchObject({
      code: 'person.needed',
      exit: 64,
    })
  }))

test('[PROJ-5] a dry run checks the backup and changes nothing', () =>
  withBackup(async (project, file) => {
    const answer = await project.call('admin.restore', { file }, { dryRun: true })
    expect(answer).toMatchObject({ ok: true, value: { restored: file, tasks: 1 } })
    expect(await titles(project)).toEqual(['Form', 'Mails'])
    expect(await listed(project)).toHaveLength(1)
  }))
