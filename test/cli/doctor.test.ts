import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../src/host/sha256.ts'
import { data, executable, type Ran, run, start } from '../support/cleo.ts'
import { postgresDatabase } from '../support/postgres.ts'
import { madeOnce } from '../support/prepared-project.ts'
import { withTemp } from '../support/temp.ts'

interface Said {
  exit: number
  code: string
  message: string
  problems: { path: string; message: string; fix?: string; fixable: boolean }[]
}

const cleo = (cwd: string, args: string[], env: Record<string, string> = {}): Ran =>
  run(executable, args, { cwd, env })

const said = ({ exit, stdout }: Ran): Said => {
  const { error } = JSON.parse(stdout) as { error: Said }
  expect(error.exit).toBe(exit)
  return error
}

/** Makes a project with a few tasks, in a git repository of its own. No process has the project's database open. */
const withShop = (work: (shop: string) => void | Promise<void>): Promise<void> =>
  withTemp(async (home) => {
    fillHome(home)
    await work(join(home, 'shop'))
  })

const fillHome = madeOnce((home) => {
  const shop = join(home, 'shop')
  mkdirSync(shop)
  git(shop, 'init', '-q')
  data(cleo(shop, ['init']))
  data(cleo(shop, ['add', 'Accounts', '--type', 'epic']))
  data(cleo(shop, ['add', 'Hashing', '--parent', 'T001']))
  data(cleo(shop, ['add', 'Form', '--parent', 'T001', '--depends', 'T002']))
  expect(cleo(shop, ['doctor']).exit, 'healthy before').toBe(0)
})

const git = (cwd: string, ...args: string[]) => {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
}

const database = (shop: string) => join(shop, '.cleo', 'cleo.db')

const change = (shop: string, sql: string) => {
  const opened = new DatabaseSync(database(shop), { enableForeignKeyConstraints: false })
  opened.exec(sql)
  opened.close()
}

/** Overwrites bytes in the middle of pages, where rows are. */
const scribble = (shop: string) => {
  const bytes = readFileSync(database(shop))
  for (let page = 2; page < bytes.length / 4096; page++) bytes.fill(0xa5, page * 4096 + 40, page * 4096 + 200)
  writeFileSync(database(shop), bytes)
}

const saved = (shop: string) =>
  readdirSync(join(shop, '.cleo'), { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(shop, '.cleo', name)).isFile())
    .map((name) => `${name} ${sha256(readFileSync(join(shop, '.cleo', name)))}`)
    .sort()

const grave: [name: string, spoil: (shop: string) => void, check: string, exit: number, says: RegExp][] = [
  [
    'a database that was deleted',
    (shop) => {
      rmSync(database(shop))
      // Also delete the backups in the state folder, because doctor would offer them.
      rmSync(join(shop, '.home'), { recursive: true })
    },
    'database',
    3,
    /cleo\.db is missing – no command/,
  ],
  ['a database that is empty', (shop) => truncateSync(database(shop), 0), 'database', 20, /it is empty/],
  [
    'something else in its place',
    (shop) => writeFileSync(database(shop), 'a diary'.repeat(1000)),
    'database',
    3,
    /is not a CLEO database/,
  ],
  ['pages that were scribbled on', scribble, 'database', 20, /cleo\.db is damaged/],
  [
    'a database of a newer CLEO',
    (shop) => change(shop, 'PRAGMA user_version = 99'),
    'database',
    3,
    /written by a newer CLEO: it has schema 99/,
  ],
  [
    'a table that was dropped',
    (shop) => change(shop, 'DROP TABLE labels'),
    'schema',
    20,
    /is missing the table labels/,
  ],
  [
    'a parent that does not exist',
    (shop) =>
      change(
        shop,
        "UPDATE tasks SET parent = 'T099' WHERE id = 'T002'; UPDATE tasks SET children = 1 WHERE id = 'T001'",
      ),
    'tree',
    6,
    /the parent of T002, T099, does not exist/,
  ],
  [
    'a dependency on a task that does not exist',
    (shop) => change(shop, "INSERT INTO depends VALUES ('T002', 'T099', 0)"),
    'references',
    6,
    /T002 depends on T099, which does not exist/,
  ],
  [
    'a note on a task that does not exist',
    (shop) => change(shop, "INSERT INTO notes (task, at, actor, text) VALUES ('T099', 1, 'ada', 'hm')"),
    'references',
    20,
    /1 row of notes refer to rows that do not exist/,
  ],
  [
    'a configuration that is not JSON',
    (shop) => writeFileSync(join(shop, '.cleo', 'config.json'), '{"claims": '),
    'config',
    8,
    /it is not JSON – every other command refuses to run/,
  ],
  [
    'an unknown key',
    (shop) => writeFileSync(join(shop, '.cleo', 'config.json'), '{"claim": {"lease": 5}}'),
    'config',
    8,
    /did you mean "claims"/,
  ],
  [
    'an output folder that is a file',
    (shop) => {
      mkdirSync(join(shop, 'claudedocs'))
      writeFileSync(join(shop, 'claudedocs', 'agent-outputs'), '')
    },
    'writable',
    3,
    /output: claudedocs\/agent-outputs is not a folder/,
  ],
  [
    'a manifest outside the project',
    (shop) => writeFileSync(join(shop, '.cleo', 'config.json'), '{"manifest": {"path": "../M.jsonl"}}'),
    'writable',
    8,
    /M\.jsonl is not inside .*\/shop/,
  ],
  [
    'a database under version control',
    (shop) => git(shop, 'add', '--force', '.cleo/cleo.db'),
    'tracked',
    3,
    /git tracks \.cleo\/cleo\.db – a checkout replaces the live file with an old copy/,
  ],
  [
    'a .gitignore that lets the database in',
    (shop) => writeFileSync(join(shop, '.cleo', '.gitignore'), '*.md\n'),
    'gitignore',
    3,
    /lets git add more than the configuration/,
  ],
  [
    'a command that is not the one that was trusted',
    (shop) => {
      writeFileSync(join(shop, '.cleo', 'config.json'), '{"hooks": {"task.added": [["true"]]}}')
      data(cleo(shop, ['trust', '--yes']))
      writeFileSync(join(shop, '.cleo', 'config.json'), '{"hooks": {"task.added": [["false"]]}}')
    },
    'trust',
    8,
    /changed since a person trusted them: hook task\.added 1/,
  ],
]

describe('[PROJ-6] doctor explains problems that stop every other command, and --fix leaves them alone', () => {
  for (const [name, spoil, check, exit, says] of grave)
    test(name, () =>
      withShop((shop) => {
        spoil(shop)
        const before = saved(shop)
        const found = said(cleo(shop, ['doctor']))
        expect(found.problems.map(({ path }) => path)).toEqual([check])
        expect(found.exit).toBe(exit)
        expect(found.problems[0]!.message).toMatch(says)
        expect(found.problems[0]!.fix ?? '').not.toMatch(/\brm\b|DROP|DELETE/)
        expect(saved(shop), 'examining changes nothing').toEqual(before)
        expect(said(cleo(shop, ['doctor', '--fix'])).problems).toEqual(found.problems)
        expect(saved(shop), 'nor does --fix').toEqual(before)
      }),
    )
})

test('[PROJ-6] a write-ahead log without its database is reported and not touched', () =>
  withShop((shop) => {
    const opened = new DatabaseSync(database(shop))
    opened.exec("PRAGMA wal_autocheckpoint = 0; UPDATE tasks SET title = 'Newest' WHERE id = 'T001'")
    renameSync(database(shop), `${database(shop)}.away`)
    expect(statSync(`${database(shop)}-wal`).size).toBeGreaterThan(0)
    expect(said(cleo(shop, ['doctor'])).problems[0]!.message).toMatch(
      /leave .*cleo\.db-wal where it is, because it might hold the newest changes/,
    )
    expect(statSync(`${database(shop)}-wal`).size).toBeGreaterThan(0)
    renameSync(`${database(shop)}.away`, database(shop))
    opened.close()
    expect(data(cleo(shop, ['show', 'T001']))).toMatchObject({ title: 'Newest' })
    expect(cleo(shop, ['doctor']).exit).toBe(0)
  }))

test('[PROJ-6] [PROJ-4] an older schema is reported; --fix migrates it, with a backup', () =>
  withShop((shop) => {
    const old = join(shop, '..', 'old.db')
    const fresh = new DatabaseSync(old)
    const folder = join(import.meta.dirname, '..', '..', 'src', 'store', 'migrations', 'sqlite')
    fresh.exec(readFileSync(join(folder, readdirSync(folder).sort()[0]!), 'utf8'))
    fresh.exec('PRAGMA application_id = 1129071951; PRAGMA user_version = 1; PRAGMA journal_mode = WAL')
    fresh.close()
    chmodSync(old, 0o600)
    renameSync(old, database(shop))
    for (const name of readdirSync(join(shop, '.cleo')))
      if (name.startsWith('project.')) rmSync(join(shop, '.cleo', name))
    const before = saved(shop)
    expect(said(cleo(shop, ['doctor'])).problems).toMatchObject([{ path: 'schema', fixable: true }])
    expect(cleo(shop, ['doctor', '--fix', '--dry-run']).exit).toBe(0)
    expect(saved(shop)).toEqual(before)
    expect(data(cleo(shop, ['doctor', '--fix']))).toMatchObject({ fixed: [{ check: 'schema' }] })
    expect(readdirSync(join(shop, '.cleo', 'backups'))).toEqual([expect.stringMatching(/^before-schema-2/)])
    expect(data(cleo(shop, ['doctor', '--fix']))).toMatchObject({ fixed: [] })
  }))

test('[PROJ-6] a dropped index and trigger are rebuilt, and so is the search index they maintain', () =>
  withShop((shop) => {
    change(
      shop,
      "DROP INDEX tasks_ready; DROP TRIGGER tasks_text_update; UPDATE tasks SET title = 'Roses' WHERE id = 'T002'",
    )
    expect(said(cleo(shop, ['doctor'])).problems.map(({ path }) => path)).toEqual(['schema', 'text'])
    const { fixed } = data<{ fixed: { check: string }[] }>(cleo(shop, ['doctor', '--fix']))
    expect(fixed.map(({ check }) => check)).toEqual(['schema', 'text'])
    expect(data<{ tasks: unknown[] }>(cleo(shop, ['find', 'roses'])).tasks).toHaveLength(1)
    expect(cleo(shop, ['doctor']).exit).toBe(0)
  }))

test('[PROJ-6] --fix backs up the database first and records each fix in the audit log', () =>
  withShop((shop) => {
    change(shop, 'UPDATE tasks SET blockers = 7')
    const { backup } = data<{ backup: string }>(cleo(shop, ['doctor', '--fix']))
    const kept = new DatabaseSync(backup, { readOnly: true })
    expect(kept.prepare('SELECT DISTINCT blockers FROM tasks').all()).toEqual([{ blockers: 7 }])
    kept.close()
    const { entries } = data<{ entries: { operation: string; after: object }[] }>(
      cleo(shop, ['log', '--limit', '1']),
    )
    expect(entries[0]).toMatchObject({ operation: 'admin.doctor', after: { fixed: 'counts', count: 3 } })
  }))

test('[PROJ-6] several problems are all reported; the most serious one decides the exit, and --fix fixes what it can', () =>
  withShop((shop) => {
    writeFileSync(join(shop, '.cleo', 'config.json'), '{"claim": {}}')
    change(shop, 'UPDATE tasks SET blockers = 7')
    rmSync(join(shop, '.cleo', '.gitignore'))
    const found = said(cleo(shop, ['doctor']))
    expect(found.problems.map(({ path }) => path)).toEqual(['config', 'counts', 'gitignore'])
    expect(found).toMatchObject({ exit: 8, code: 'doctor.config', fix: 'cleo doctor --fix' })
    const left = said(cleo(shop, ['doctor', '--fix']))
    expect(left.problems.map(({ path }) => path)).toEqual(['config'])
    expect(left.message).toContain('Fixed: counts, gitignore.')
  }))

test('[PROJ-6] doctor works without git and without a repository', () =>
  withShop((shop) => {
    expect(cleo(shop, ['doctor'], { PATH: '/nowhere' }).exit).toBe(0)
    rmSync(join(shop, '.git'), { recursive: true })
    expect(cleo(shop, ['doctor']).exit).toBe(0)
    expect(said(cleo(join(shop, '..'), ['doctor']))).toMatchObject({ code: 'project.missing', exit: 9 })
  }))

test('[PROJ-6] a local database beside the one in PostgreSQL is reported, and so are files a move left', async () => {
  const CLEO_DATABASE_URL = await postgresDatabase()
  await withShop((shop) => {
    expect(said(cleo(shop, ['doctor'], { CLEO_DATABASE_URL })).problems).toMatchObject([
      { path: 'database', message: expect.stringContaining('is not in the PostgreSQL database yet') },
      { path: 'stores', message: expect.stringContaining('holds 3 tasks') },
    ])
    const kept = readFileSync(database(shop))
    data(cleo(shop, ['db', 'move', '--to', CLEO_DATABASE_URL]))
    expect(data(cleo(shop, ['doctor']))).toMatchObject({ fixed: [] })
    writeFileSync(`${database(shop)}-wal`, 'left over', { mode: 0o600 })
    expect(said(cleo(shop, ['doctor'])).problems).toMatchObject([
      { path: 'stores', message: expect.stringContaining('cleo.db-wal exists without a database') },
    ])
    rmSync(`${database(shop)}-wal`)
    writeFileSync(database(shop), kept, { mode: 0o600 })
    const found = said(cleo(shop, ['doctor']))
    expect(found.problems).toMatchObject([{ path: 'stores' }])
    expect(found.problems[0]!.message).toMatch(
      /holds 3 tasks, but \.cleo\/config\.json says .* CLEO does not read the file/,
    )
    expect(found.problems[0]!.message).not.toContain('password')
  })
})

test('[PROJ-6] a server that does not answer is a finding, not a crash', () =>
  withShop((shop) => {
    writeFileSync(
      join(shop, '.cleo', 'config.json'),
      '{"database": "postgres://ada:secret@127.0.0.1:1/x", "project": "abcd1234"}',
    )
    rmSync(database(shop))
    const untrusted = said(cleo(shop, ['doctor']))
    expect(untrusted.problems.map(({ path }) => path)).toEqual(['database'])
    expect(untrusted.message).toContain('CLEO did not connect')
    expect(untrusted.message).not.toContain('secret')
    data(cleo(shop, ['trust', '--yes']))
    const { problems, message } = said(cleo(shop, ['doctor']))
    expect(problems.map(({ path }) => path)).toEqual(['database'])
    expect(message).toContain('Cannot reach postgres://ada@127.0.0.1:1/x')
    expect(message).not.toContain('secret')
  }))

test('[PROJ-6] a worktree with a copy of the manifest is healthy; a removed one is reported', () =>
  withShop((shop) => {
    const spec = ['--description', 'Finds words.', '--acceptance', 'finds one', '--files', 'src/search.ts']
    data(cleo(shop, ['add', 'Search', '--parent', 'T001', ...spec]))
    mkdirSync(join(shop, 'claudedocs', 'agent-outputs'), { recursive: true })
    writeFileSync(join(shop, 'claudedocs', 'agent-outputs', 'T002-hash.md'), '# Hash\n\nIt is slow.\n')
    const said1 = ['--status', 'complete', '--file', 'T002-hash.md', '--finding', 'It is slow.']
    data(cleo(shop, ['manifest', 'append', '--task', 'T002', ...said1]))
    git(shop, 'add', '.')
    git(shop, 'commit', '-qm', 'first')
    const tree = join(shop, '..', 'search')
    git(shop, 'worktree', 'add', '-q', tree)
    data(cleo(shop, ['orchestrate', 'spawn', 'T004', '--worktree', tree, '--ref']))
    expect(data(cleo(shop, ['doctor']))).toMatchObject({ fixed: [] })
    writeFileSync(join(tree, 'claudedocs', 'agent-outputs', 'T004-search.md'), '# Search\n\nIt is quick.\n')
    const said2 = ['--status', 'complete', '--file', 'T004-search.md', '--finding', 'It is quick.']
    data(cleo(tree, ['focus', 'set', 'T004', '--as', 'T004.1']))
    data(cleo(tree, ['manifest', 'append', ...said2, '--as', 'T004.1']))
    expect(data(cleo(shop, ['doctor']))).toMatchObject({ fixed: [] })

    renameSync(tree, `${tree}-away`)
    expect(said(cleo(shop, ['doctor'])).problems).toMatchObject([
      { path: 'worktree-folders', message: expect.stringContaining('T004.1') },
      { path: 'outputs', message: expect.stringContaining('T004-search.md') },
    ])
    expect(said(cleo(shop, ['doctor', '--fix'])).problems.map(({ path }) => path)).toEqual([
      'worktree-folders',
      'outputs',
    ])
    renameSync(`${tree}-away`, tree)
    expect(data(cleo(shop, ['doctor']))).toMatchObject({ fixed: [] })
  }))

test('[PROJ-6] eight concurrent --fix runs fix each problem once', () =>
  withShop(async (shop) => {
    change(shop, 'UPDATE tasks SET blockers = 7; UPDATE counters SET value = 0')
    rmSync(join(shop, '.cleo', '.gitignore'))
    const ran = await Promise.all(
      Array.from({ length: 8 }, () => start(executable, ['doctor', '--fix'], { cwd: shop })),
    )
    expect(ran.map(({ exit }) => exit)).toEqual(ran.map(() => 0))
    const { entries } = data<{ entries: { after: { fixed: string } }[] }>(
      cleo(shop, ['log', '--operation', 'admin.doctor']),
    )
    expect(entries.map(({ after }) => after.fixed).sort()).toEqual(['counter', 'counts'])
    expect(cleo(shop, ['doctor']).exit).toBe(0)
  }))

const isRoot = process.getuid?.() === 0

test.runIf(isRoot)('[PROJ-6] a folder that is not readable or not writable is one finding', () =>
  withShop((shop) => {
    const asNobody = (): Said => {
      const [program] = executable.command
      const { status, stdout } = spawnSync(program, ['doctor'], {
        cwd: shop,
        env: { PATH: process.env['PATH'], HOME: join(shop, '..'), USER: 'ada', CLEO_FORMAT: 'json' },
        uid: 65_534,
        gid: 65_534,
        encoding: 'utf8',
      })
      return said({ exit: status ?? -1, stdout, stderr: '' })
    }
    const places = [
      join(shop, '..'),
      shop,
      join(shop, '.cleo'),
      ...readdirSync(join(shop, '.cleo')).map((name) => join(shop, '.cleo', name)),
    ]
    for (const place of places) chownSync(place, 65_534, 65_534)
    chmodSync(join(shop, '.cleo'), 0o000)
    expect(asNobody()).toMatchObject({
      exit: 3,
      problems: [{ path: 'config', message: expect.stringContaining('permission denied') }],
    })
    chmodSync(join(shop, '.cleo'), 0o500)
    expect(asNobody()).toMatchObject({
      exit: 3,
      problems: [{ path: 'writable', message: expect.stringContaining('.cleo is not writable') }],
    })
    chmodSync(join(shop, '.cleo'), 0o700)
    chmodSync(database(shop), 0o400)
    expect(asNobody()).toMatchObject({
      exit: 3,
      problems: [{ path: 'writable', message: expect.stringContaining('.cleo/cleo.db is not writable') }],
    })
    chmodSync(database(shop), 0o600)
    expect(existsSync(database(shop))).toBe(true)
  }),
)
