import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, type TestContext, test } from 'vitest'
import { sha256 } from '../../src/host/sha256.ts'
import { data, executable, type Ran, type Runtime, run, runtimes, start } from '../support/cleo.ts'
import { madeOnce } from '../support/prepared-project.ts'
import { withTemp } from '../support/temp.ts'

interface Refusal {
  exit: number
  code: string
  message: string
  fix?: string
  alternatives?: string[]
}

const refusal = ({ exit, stdout }: Ran): Refusal => {
  const { success, error } = JSON.parse(stdout) as { success: boolean; error: Refusal }
  expect(success).toBe(false)
  expect(error.exit).toBe(exit)
  return error
}
const titles = (ran: Ran) => data<{ tasks: { title: string }[] }>(ran).tasks.map(({ title }) => title)

// File permissions do not stop root. If root runs this test, another user runs the commands.
const isRoot = process.getuid?.() === 0
const somebody = isRoot ? { uid: 65_534, gid: 65_534 } : {}

const asSomebody = ({ command }: Runtime, args: readonly string[], cwd: string): Ran => {
  const [program, ...first] = command
  const { status, stdout, stderr, error } = spawnSync(program, [...first, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: join(cwd, '..'), USER: 'ada', CLEO_FORMAT: 'json' },
    input: '',
    encoding: 'utf8',
    ...somebody,
  })
  if (error) throw error
  return { exit: status ?? -1, stdout, stderr }
}

const cannotRun = (cleo: Somebody): string | undefined => {
  try {
    const { exit, stderr } = cleo('version')
    return exit === 0 ? undefined : stderr
  } catch (error) {
    return String(error)
  }
}

const loudly = (reason: string): string => {
  console.warn(`NOT TESTED: ${reason}`)
  return reason
}

type Somebody = (...args: string[]) => Ran

/** Makes a project with two tasks that belongs to a user who is not root. */
const withOwned = (
  runtime: Runtime,
  { skip }: TestContext,
  work: (cleo: Somebody, shop: string) => void,
): Promise<void> =>
  withTemp((home) => {
    const shop = join(home, 'shop')
    fillHome(home)
    for (const path of ['.', ...readdirSync(home, { recursive: true, encoding: 'utf8' })])
      if (isRoot) chownSync(join(home, path), 65_534, 65_534)
    const cleo: Somebody = (...args) => asSomebody(runtime, args, shop)
    if (!complaints.has(runtime)) complaints.set(runtime, cannotRun(cleo))
    const refused = complaints.get(runtime)
    if (refused) skip(loudly(`nobody but root may run what was built here: ${refused}`))
    try {
      work(cleo, shop)
    } finally {
      for (const path of [home, shop, join(shop, '.cleo')]) if (existsSync(path)) chmodSync(path, 0o700)
    }
  })

const complaints = new Map<Runtime, string | undefined>()

const fillHome = madeOnce((home) => {
  const shop = join(home, 'shop')
  mkdirSync(shop)
  for (const args of [['init'], ['add', 'First'], ['add', 'Second']])
    data(run(executable, args, { cwd: shop, env: { HOME: home } }))
})

for (const runtime of runtimes) {
  describe(`[OUT-3] a folder without write permission is a typed error, and nothing is lost (${runtime.name})`, () => {
    const spoilt: [string, (shop: string) => void, (shop: string) => void][] = [
      [
        'a read-only folder',
        (shop) => chmodSync(join(shop, '.cleo'), 0o500),
        (shop) => chmodSync(join(shop, '.cleo'), 0o700),
      ],
      ['a read-only database', (shop) => chmodSync(join(shop, '.cleo/cleo.db'), 0o400), allowAll],
      ['a database one may not read', (shop) => chmodSync(join(shop, '.cleo/cleo.db'), 0o000), allowAll],
    ]
    for (const [name, spoil, mend] of spoilt) {
      test(name, (context) =>
        withOwned(runtime, context, (cleo, shop) => {
          // Let the executable remove the write-ahead log. If the log stayed, a command could write to it, even
          // where it cannot create files.
          data(asSomebody(executable, ['list'], shop))
          spoil(shop)
          expect(refusal(cleo('add', 'Third'))).toMatchObject({
            exit: 3,
            code: 'store.readonly',
            message: expect.stringContaining('Nothing was changed'),
          })
          const read = cleo('list')
          if (read.exit === 0) expect(titles(read)).toEqual(['First', 'Second'])
          else expect(refusal(read)).toMatchObject({ exit: 3, code: 'store.readonly' })
          mend(shop)
          expect(data(cleo('add', 'Third'))).toMatchObject({ id: 'T003' })
          expect(titles(cleo('list'))).toEqual(['First', 'Second', 'Third'])
        }),
      )
    }

    test('an unreadable project or configuration is not reported as missing', (context) =>
      withOwned(runtime, context, (cleo, shop) => {
        writeFileSync(join(shop, '.cleo/config.json'), '{"claims": {"lease": 15}}')
        for (const [path, mode] of [
          [join(shop, '.cleo'), 0o700],
          [join(shop, '.cleo/config.json'), 0o644],
        ] as const) {
          chmodSync(path, 0o000)
          expect(refusal(cleo('list'))).toMatchObject({
            exit: 3,
            code: 'file.unreadable',
            message: expect.stringContaining('permission denied'),
          })
          chmodSync(path, mode)
          expect(titles(cleo('list'))).toEqual(['First', 'Second'])
        }
      }))

    test('config set in a read-only folder changes nothing, with and without a store', (context) =>
      withOwned(runtime, context, (cleo, shop) => {
        const folder = join(shop, '.cleo')
        chmodSync(folder, 0o500)
        expect(refusal(cleo('config', 'set', 'claims.lease', '5'))).toMatchObject({ exit: 3 })
        chmodSync(folder, 0o700)
        for (const name of readdirSync(folder)) if (name.startsWith('cleo.db')) rmSync(join(folder, name))
        chmodSync(folder, 0o500)
        expect(refusal(cleo('config', 'set', 'claims.lease', '5'))).toMatchObject({
          exit: 3,
          code: 'file.unwritable',
          message: expect.stringContaining('config.json: its folder is read-only'),
        })
        expect(readFileSync(join(folder, 'config.json'), 'utf8')).toBe('{}\n')
      }))

    test('init and trust report that they cannot write', (context) =>
      withOwned(runtime, context, (cleo, shop) => {
        const folder = join(shop, 'closed')
        mkdirSync(folder)
        expect(refusal(cleo('init', '--project', join(shop, 'closed/new')))).toMatchObject({ exit: 3 })
        expect(readdirSync(folder)).toEqual([])
        writeFileSync(join(shop, '.cleo/config.json'), '{"hooks": {"task.added": [["true"]]}}')
        const records = join(shop, '..', '.cleo')
        chmodSync(records, 0o500)
        expect(refusal(cleo('trust', '--yes'))).toMatchObject({ exit: 3, code: 'store.readonly' })
        chmodSync(records, 0o700)
        expect(data<{ items: object[] }>(cleo('trust', 'status')).items).toMatchObject([{ state: 'new' }])
      }))
  })

  describe(`[OUT-3] a full disk is a typed error, and nothing is lost (${runtime.name})`, () => {
    test('while writing', (context) =>
      onSmallDisk(context, '1200k', (disk) => {
        const cleo = (...args: string[]) => run(runtime, args, { cwd: disk, env: { HOME: `${disk}/home` } })
        data(cleo('init'))
        writeFileSync(join(disk, 'ballast'), Buffer.alloc(256 * 1024))
        const text = 'x'.repeat(30_000)
        let written = 0
        let last = cleo('add', 'Task 0', '--description', text)
        for (; last.exit === 0 && written < 60; last = cleo('add', `Task ${written}`, '--description', text))
          written++
        expect(written).toBeGreaterThan(1)
        expect(refusal(last)).toMatchObject({
          exit: 3,
          code: 'store.full',
          message: expect.stringContaining('is full. Nothing was changed'),
          fix: `df -h ${disk}/.cleo`,
        })
        rmSync(join(disk, 'ballast'))
        expect(titles(cleo('list', '--limit', '100'))).toEqual(
          Array.from({ length: written }, (_, i) => `Task ${i}`),
        )
        expect(data(cleo('add', 'There is room again'))).toMatchObject({ title: 'There is room again' })
        expect(integrity(join(disk, '.cleo/cleo.db'))).toBe('ok')
      }))

    test('[PROJ-10] while nothing is written: everything can be read, and nothing is lost', (context) =>
      onSmallDisk(context, '1300k', async (disk) => {
        const options = { cwd: disk, env: { HOME: `${disk}/home` } }
        const cleo = (...args: string[]) => run(runtime, args, options)
        data(cleo('init'))
        data(cleo('add', 'First'))
        const files = { database: join(disk, '.cleo/cleo.db'), wal: join(disk, '.cleo/cleo.db-wal') }
        for (const killed of [false, true]) {
          // A killed process leaves its writes in the log. Readers must find them even without the `-shm` file,
          // which is the index of the log.
          if (killed) writeAndDie(files, "UPDATE tasks SET title = 'Only in the log'")
          rmSync(`${files.database}-shm`, { force: true })
          fill(disk)
          const title = killed ? 'Only in the log' : 'First'
          expect(titles(cleo('list'))).toEqual([title])
          const all = await Promise.all(
            Array.from({ length: 4 }, () => start(runtime, ['show', 'T001'], options)),
          )
          for (const shown of all) expect(data(shown)).toMatchObject({ title })
          for (const args of [['add', 'Second'], ['note', 'T001', 'x'], ['backup'], ['session', 'start']])
            expect(refusal(cleo(...args))).toMatchObject({ exit: 3, code: 'store.full' })
          expect(refusal(cleo('export', '--out', join(disk, 'x.jsonl')))).toMatchObject({
            exit: 3,
            message: expect.stringContaining('the disk is full'),
          })
          rmSync(join(disk, 'ballast'))
          expect(titles(cleo('list'))).toEqual([title])
        }
        expect(data(cleo('add', 'Second'))).toMatchObject({ id: 'T002' })
        expect(readdirSync(join(disk, '.cleo')).filter((name) => name.includes('probe'))).toEqual([])
        expect(integrity(files.database)).toBe('ok')
      }))

    test('[PROJ-10] a read-only disk is told apart from a full one, and can be read', (context) =>
      onSmallDisk(context, '2m', (disk, _grow, remount) => {
        const cleo = (...args: string[]) => run(runtime, args, { cwd: disk, env: { HOME: '/nowhere' } })
        data(cleo('init'))
        data(cleo('add', 'First'))
        // The executable removes the write-ahead log when it closes the database.
        data(run(executable, ['list'], { cwd: disk, env: { HOME: '/nowhere' } }))
        remount('ro')
        expect(titles(cleo('list'))).toEqual(['First'])
        expect(refusal(cleo('add', 'Second'))).toMatchObject({
          exit: 3,
          code: 'store.disk_readonly',
          message: expect.stringContaining('the file system is read-only. Nothing was changed'),
          alternatives: ['Mount the file system writable, then run the same command again.'],
        })
        remount('rw')
        expect(data(cleo('add', 'Second'))).toMatchObject({ id: 'T002' })
      }))

    test('while a project is made', (context) =>
      onSmallDisk(context, '64k', (disk, grow) => {
        const cleo = (...args: string[]) => run(runtime, args, { cwd: disk, env: { HOME: `${disk}/home` } })
        expect(refusal(cleo('init')).exit).toBe(3)
        expect(refusal(cleo('list'))).toMatchObject({ exit: 9 })
        grow('2m')
        data(cleo('init'))
        expect(titles(cleo('list'))).toEqual([])
      }))
  })
}

/** Makes all files in `.cleo` writable, because SQLite gives the files beside a read-only database the same mode. */
const allowAll = (shop: string): void => {
  for (const name of readdirSync(join(shop, '.cleo'))) chmodSync(join(shop, '.cleo', name), 0o600)
}

/** Mounts a small disk that is soon full. Skips the test, with a reason, where nothing can be mounted. */
const onSmallDisk = (
  { skip }: TestContext,
  size: string,
  work: (disk: string, grow: (size: string) => void, remount: (mode: string) => void) => void | Promise<void>,
): Promise<void> =>
  withTemp(async (folder) => {
    const mount = (...args: string[]) => spawnSync('mount', args, { encoding: 'utf8' })
    const mounted = mount('-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', folder)
    if (mounted.status !== 0)
      skip(loudly(`no small disk can be mounted here: ${mounted.stderr || mounted.error}`))
    try {
      await work(
        folder,
        (more) => mount('-o', `remount,size=${more}`, folder),
        (mode) => mount('-o', `remount,${mode}`, folder),
      )
    } finally {
      spawnSync('umount', [folder])
    }
  })

/** Fills the disk to the last byte. */
const fill = (disk: string): void => {
  const file = openSync(join(disk, 'ballast'), 'w')
  try {
    for (;;) writeSync(file, Buffer.alloc(1024))
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
  } finally {
    closeSync(file)
  }
}

const integrity = (path: string): unknown => {
  const database = new DatabaseSync(path)
  try {
    return Object.values(database.prepare('PRAGMA integrity_check').get()!)[0]
  } finally {
    database.close()
  }
}

interface Files {
  database: string
  wal: string
}

/** Makes a project with tasks. Some of them are only in the write-ahead log, as after a kill. */
const withTasks = (
  runtime: Runtime,
  work: (cleo: (...args: string[]) => Ran, files: Files) => void,
): Promise<void> =>
  withTemp((root) => {
    const cleo = (...args: string[]) => run(runtime, args, { cwd: root })
    fillWithTasks(root)
    const database = join(root, '.cleo/cleo.db')
    work(cleo, { database, wal: `${database}-wal` })
  })

const fillWithTasks = madeOnce((root) => {
  data(run(executable, ['init'], { cwd: root }))
  const rows = Array.from({ length: 50 }, (_, i) => ({ title: `Task ${i}`, description: 'x'.repeat(2000) }))
  data(run(executable, ['add', '--batch'], { cwd: root, input: JSON.stringify(rows) }))
})

/** Writes to the database in a process that kills itself before it can clean up. */
const writeAndDie = ({ database }: Files, sql: string): void => {
  const script = `
    const { DatabaseSync } = require('node:sqlite')
    const database = new DatabaseSync(${JSON.stringify(database)})
    database.exec(${JSON.stringify(sql)})
    process.kill(process.pid, 'SIGKILL')`
  spawnSync(process.execPath, ['-e', script])
}

const bytes = ({ database, wal }: Files) =>
  [database, wal].map((path) => (existsSync(path) ? sha256(readFileSync(path, 'latin1')) : undefined))

describe('[PROJ-3] a damaged database is an error with a fix, never an empty project', () => {
  const cut = (length: (size: number) => number) => (files: Files) =>
    truncateSync(files.database, length(statSync(files.database).size))
  const cases: [string, string[], (files: Files) => void][] = [
    ['vanished', ['store.missing'], ({ database }) => rmSync(database)],
    ['emptied', ['store.corrupt'], cut(() => 0)],
    ['cut to one byte', ['store.foreign', 'store.corrupt'], cut(() => 1)],
    ['cut in its header', ['store.foreign', 'store.corrupt'], cut(() => 60)],
    ['cut after its header', ['store.foreign', 'store.corrupt'], cut(() => 100)],
    ['cut in its first page', ['store.foreign', 'store.corrupt'], cut(() => 3000)],
    ['cut after its first page', ['store.corrupt'], cut(() => 4096)],
    ['cut in half', ['store.corrupt'], cut((size) => size / 2)],
    ['without its last page', ['store.corrupt'], cut((size) => size - 4096)],
    [
      'text',
      ['store.foreign'],
      ({ database }) => writeFileSync(database, 'no database at all\n'.repeat(999)),
    ],
    ['zeros', ['store.foreign'], ({ database }) => writeFileSync(database, Buffer.alloc(65_536))],
    ['a folder', ['store.readonly', 'store.foreign', 'store.missing'], intoFolder],
    ["another program's", ['store.foreign'], byAnother],
  ]
  for (const [name, codes, spoil] of cases) {
    test(name, () =>
      withTasks(executable, (cleo, files) => {
        spoil(files)
        const before = name === 'a folder' ? [] : bytes(files)
        for (const args of [['list'], ['add', 'Fourth'], ['show', 'T001']]) {
          const refused = refusal(cleo(...args))
          expect(refused.exit).toBe(3)
          expect(codes).toContain(refused.code)
          expect(refused.fix ?? refused.alternatives?.[0]).toBeTruthy()
        }
        expect(name === 'a folder' ? [] : bytes(files)).toEqual(before)
      }),
    )
  }

  for (const runtime of runtimes) {
    test(`emptied beside a log that holds the last writes, which stays (${runtime.name})`, () =>
      withTasks(runtime, (cleo, files) => {
        const whole = `${files.database}.whole`
        copyFileSync(files.database, whole)
        writeAndDie(files, "UPDATE tasks SET title = 'Only in the log' WHERE id = 'T001'")
        truncateSync(files.database, 0)
        expect(refusal(cleo('list'))).toMatchObject({ exit: 3, code: 'store.corrupt' })
        copyFileSync(whole, files.database)
        expect(data<{ title: string }>(cleo('show', 'T001')).title).toBe('Only in the log')
      }))
  }
})

const intoFolder = ({ database }: Files): void => {
  rmSync(database)
  mkdirSync(database)
}

const byAnother = ({ database }: Files): void => {
  rmSync(database)
  const other = new DatabaseSync(database)
  other.exec('PRAGMA journal_mode = WAL; CREATE TABLE tasks (id TEXT); INSERT INTO tasks VALUES (1)')
  other.close()
}

describe('[PROJ-4] a database of a newer CLEO is refused and not changed', () => {
  for (const runtime of runtimes) {
    for (const command of ['list', 'add x', 'init', 'orchestrate next', 'log']) {
      if (command !== 'list' && runtime.name === 'node') continue
      test(`${command} (${runtime.name})`, () =>
        withTasks(runtime, (cleo, files) => {
          writeAndDie(files, 'PRAGMA user_version = 99')
          expect(existsSync(files.wal)).toBe(true)
          const before = bytes(files)
          const ran = cleo(...command.split(' '))
          // `init` finds the project and does not even open its database.
          if (command !== 'init') {
            expect(refusal(ran)).toMatchObject({
              exit: 3,
              code: 'store.newer',
              message: expect.stringContaining('schema 99'),
            })
          }
          expect(bytes(files)).toEqual(before)
        }))
    }
  }
})

test('[OUT-2] a draft that cannot be written is a refusal, and the editor is not opened', () =>
  withTemp(async (root) => {
    data(run(executable, ['init'], { cwd: root }))
    data(run(executable, ['add', 'Form'], { cwd: root }))
    writeFileSync(join(root, '.cleo/edits'), '')
    const env = { EDITOR: `touch ${root}/opened`, CLEO_FORMAT: '' }
    const { exit, stderr } = run(executable, ['edit', 'T001'], { cwd: root, env })
    expect(exit).toBe(3)
    expect(stderr).toMatch(/^Cannot write .*\/\.cleo\/edits\/T001\.md: /)
    expect(existsSync(join(root, 'opened'))).toBe(false)
  }))

test('[OUT-2] a draft that is a file of the user is not changed and not removed', () =>
  withTemp(async (root) => {
    data(run(executable, ['init'], { cwd: root }))
    data(run(executable, ['add', 'Form'], { cwd: root }))
    const note = join(root, 'note.md')
    writeFileSync(note, 'title: From a note\n')
    const env = { EDITOR: 'true', CLEO_FORMAT: '' }
    expect(run(executable, ['edit', 'T001', '--draft', 'note.md'], { cwd: root, env })).toMatchObject({
      exit: 0,
    })
    expect(data(run(executable, ['show', 'T001'], { cwd: root }))).toMatchObject({ title: 'From a note' })
    expect(readFileSync(note, 'utf8')).toBe('title: From a note\n')
    expect(readdirSync(root).filter((name) => name.startsWith('note'))).toEqual(['note.md'])
    expect(readdirSync(join(root, '.cleo/edits'))).toEqual([])
  }))
