import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withFileLock } from '../../src/store/sqlite/file-lock.ts'
import { executable, run, start } from '../support/cleo.ts'
import { onEveryStore, type TestProject, withProject } from '../support/project.ts'
import { withTemp } from '../support/temp.ts'

const fileOf = ({ root }: TestProject) => join(root, '.cleo', 'config.json')
const stored = (project: TestProject): unknown => JSON.parse(readFileSync(fileOf(project), 'utf8'))
const given = (project: TestProject, config: unknown) =>
  writeFileSync(fileOf(project), typeof config === 'string' ? config : JSON.stringify(config))
const userFile = ({ root }: TestProject) => join(root, '.home', '.cleo', 'config.json')

const set = (project: TestProject, key: string, value: string) =>
  project.call('admin.config.set', { key, value })
const mustSet = (project: TestProject, key: string, value: string) =>
  project.must('admin.config.set', { key, value })

const trustOf = async (project: TestProject) =>
  (await project.afresh().must('admin.trust.status', {})).items.map(
    ({ kind, name, state }) => `${kind} ${name} ${state}`,
  )

describe('[PROJ-8] set takes what people type', () => {
  test.each([
    [
      'commands.test',
      'python -m unittest',
      'python -m unittest',
      { commands: { test: 'python -m unittest' } },
    ],
    ['commands.test', '["npm", "test"]', ['npm', 'test'], { commands: { test: ['npm', 'test'] } }],
    [
      'commands.test',
      '{"run": "npm test", "exclusive": true}',
      { run: 'npm test', exclusive: true },
      { commands: { test: { run: 'npm test', exclusive: true } } },
    ],
    ['claims.lease', '2.5', 2.5, { claims: { lease: 2.5 } }],
    ['gates.reports', 'ON', true, { gates: { reports: true } }],
    ['stages', 'off', false, { stages: false }],
    ['output.roots', 'docs, reports,', ['docs', 'reports'], { output: { roots: ['docs', 'reports'] } }],
    ['tokens.env', '', [], { tokens: { env: [] } }],
    ['budget.family', 'claude', 'claude', { budget: { family: 'claude' } }],
    [
      'budget',
      '{"total": 5000, "task": 10}',
      { total: 5000, task: 10 },
      { budget: { total: 5000, task: 10 } },
    ],
    [
      'hooks.task.added',
      './n.sh --all',
      [['./n.sh', '--all']],
      { hooks: { 'task.added': [['./n.sh', '--all']] } },
    ],
    [
      'hooks.task.added',
      '{"run": ["./n.sh"], "timeout": 5}',
      [{ run: ['./n.sh'], timeout: 5 }],
      { hooks: { 'task.added': [{ run: ['./n.sh'], timeout: 5 }] } },
    ],
    ['worktrees.by', 'none', 'none', { worktrees: { by: 'none' } }],
    ['worktrees.setup', 'npm ci', [['npm', 'ci']], { worktrees: { setup: [['npm', 'ci']] } }],
    [
      'worktrees.setup',
      '["npm ci", {"run": "make seed", "exclusive": true}]',
      ['npm ci', { run: 'make seed', exclusive: true }],
      { worktrees: { setup: ['npm ci', { run: 'make seed', exclusive: true }] } },
    ],
    [
      'worktrees.copy',
      '.env.test,.venv',
      ['.env.test', '.venv'],
      { worktrees: { copy: ['.env.test', '.venv'] } },
    ],
    ['worktrees.minFree', '2GB', '2GB', { worktrees: { minFree: '2GB' } }],
    ['worktrees.minFree', '4096', 4096, { worktrees: { minFree: 4096 } }],
    ['merge.batch', '16', 16, { merge: { batch: 16 } }],
    ['gates.required.research', 'documented,qaPassed', ['documented', 'qaPassed'], expect.anything()],
    ['database', 'postgres://cleo@db.example/team', 'postgres://cleo@db.example/team', expect.anything()],
  ])('%s %s', (key, typed, value, file) =>
    withProject(async (project) => {
      expect(await mustSet(project, key, typed)).toMatchObject({ key, value, file: fileOf(project) })
      expect(stored(project)).toEqual(file)
      const again = await mustSet(project, key, typed)
      expect(again, 'the same once more').toMatchObject({ noChange: true, before: value })
    }),
  )

  test('other settings, their order and the permissions of the file stay', () =>
    withProject(async (project) => {
      given(project, '{"stages":false,"commands":{"lint":["x"]},"$schema":"./s.json"}')
      await mustSet(project, 'commands.test', 'npm test')
      expect(readFileSync(fileOf(project), 'utf8')).toBe(
        `${JSON.stringify({ stages: false, commands: { lint: ['x'], test: 'npm test' }, $schema: './s.json' }, null, 2)}\n`,
      )
      expect(statSync(fileOf(project)).mode & 0o777).toBe(0o644)
      expect(
        readdirSync(join(project.root, '.cleo')).filter((name) => name.startsWith('config.json.')),
      ).toEqual([])
    }))

  test('null removes, and settings that are all gone leave what init wrote', () =>
    withProject(async (project) => {
      await mustSet(project, 'claims.lease', '5')
      expect(await mustSet(project, 'claims.lease', 'null')).toEqual({
        ...{ key: 'claims.lease', before: 5, file: fileOf(project) },
      })
      expect(readFileSync(fileOf(project), 'utf8')).toBe('{}\n')
    }))

  test('a dry run shows the change and writes nothing', () =>
    withProject(async (project) => {
      const before = readdirSync(join(project.root, '.cleo'))
      const records = () => readFileSync(join(project.root, '.home', '.cleo', 'trust.json'), 'utf8')
      const trusted = records()
      const dry = { dryRun: true }
      expect(
        await project.call('admin.config.set', { key: 'commands.test', value: 'npm test' }, dry),
      ).toMatchObject({ ok: true, value: { value: 'npm test' } })
      expect(await project.call('admin.config.set', { key: 'claims.lease', value: 'x' }, dry)).toMatchObject({
        ok: false,
        exit: 6,
      })
      expect(stored(project)).toEqual({})
      expect(readdirSync(join(project.root, '.cleo'))).toEqual(before)
      expect(records()).toBe(trusted)
    }))
})

describe('[PROJ-8] [OUT-2] a wrong value is refused with every problem, and the file stays', () => {
  test.each([
    ['claims.lease', 'soon', 'must be a number, not "soon"'],
    ['claims.lease', '0', 'must be at least 0.01, not 0'],
    ['claims.lease', '1e9', 'must be at most 1440, not 1000000000'],
    ['claims.lease', 'Infinity', 'must be a number'],
    ['budget.total', '1.5', 'safe integer'],
    ['stages', 'maybe', 'must be a boolean, not "maybe"'],
    ['tokens.env', 'GOOD,bad-name', 'must be a name such as BUILD_ID'],
    ['gates.required.research', 'documented,testPassed', 'did you mean "testsPassed"?'],
    ['database', 'mysql://h/db', 'must be an address such as'],
    ['output.dir', '', 'length'],
    ['commands.test', '["npm", 1]', 'must be a string, not 1'],
    ['commands.test', '[]', 'must be a program and its arguments'],
    ['commands.test', '{"run": "npm test", "exclusiv": true}', '"exclusiv" is not a known field'],
    ['commands.test', '["npm"', 'is not valid JSON'],
    ['commands.test', "npm 'test", "has no closing '"],
    ['hooks.task.added', 'a | b', 'needs a shell'],
    ['commands', 'npm test', 'must be a JSON object'],
    ['commands', '[]', 'must be a JSON object'],
    ['commands', '{"test": "npm test"', 'is not valid JSON'],
    ['budget', '3', 'must be a JSON object'],
    ['worktrees.by', 'claude', 'cleo'],
    ['worktrees.setup', 'npm ci && npm run seed', 'needs a shell'],
    ['worktrees.minFree', 'much', 'must be a number of bytes, or text such as 2GB'],
    ['worktrees.minFree', '-1', 'at least 0'],
    ['merge.batch', '65', 'must be at most 64, not 65'],
    ['worktrees.path', 'trees', 'must be an absolute path'],
  ])('%s %s', (key, typed, message) =>
    withProject(async (project) => {
      given(project, '{"stages":true}')
      const refused = await set(project, key, typed)
      expect(refused).toMatchObject({ ok: false, exit: 6, code: 'input.invalid' })
      expect(JSON.stringify(!refused.ok && refused.problems).replaceAll('\\"', '"')).toContain(message)
      expect(readFileSync(fileOf(project), 'utf8')).toBe('{"stages":true}')
      expect(await trustOf(project)).toEqual([])
    }),
  )

  test.each([
    ['output.dir', '../elsewhere'],
    ['output.roots', 'docs,.git/notes'],
    ['manifest.path', 'notes.txt'],
    ['worktrees.copy', '.env,../.ssh'],
    ['worktrees.copy', '.git/hooks'],
  ])('[PROJ-8] a path that every command would refuse is not stored: %s %s', (key, typed) =>
    withProject(async (project) => {
      given(project, '{"stages":true}')
      expect(await set(project, key, typed)).toMatchObject({ exit: 8, code: 'path.outside' })
      expect(readFileSync(fileOf(project), 'utf8')).toBe('{"stages":true}')
    }),
  )

  test('all problems of a group are reported at once', () =>
    withProject(async (project) => {
      expect(await set(project, 'budget', '{"total": 0, "taks": 3, "family": "gtp"}')).toMatchObject({
        problems: [
          { path: 'budget.total', message: 'must be at least 1, not 0' },
          { path: 'budget.family', message: expect.stringContaining('did you mean "gpt"?') },
          { path: 'budget.taks', message: expect.stringContaining('did you mean "task"?') },
        ],
      })
    }))

  test.each([
    ['commands.tset', 'did you mean "commands.test"?'],
    ['lease', 'did you mean "claims.lease"?'],
    ['claims', ''],
    ['', '"" is not a setting'],
    ['__proto__', 'is not a setting'],
    ['constructor', 'is not a setting'],
    ['claims.lease.x', 'is not a setting'],
    ['$schema', 'is not a setting'],
    ['hooks.task', 'is not a setting'],
  ])('an unknown setting names the nearest one: %s', (key, message) =>
    withProject(async (project) => {
      const refused = await set(project, key, '1')
      expect(refused).toMatchObject({ ok: false, exit: 6 })
      expect(!refused.ok && refused.message).toContain(message)
      expect(stored(project)).toEqual({})
    }),
  )

  test('the fix for a command that needs a shell works', () =>
    withProject(async (project) => {
      const refused = await set(project, 'commands.test', 'npm run build && npm test')
      expect(refused).toMatchObject({
        fix: `cleo config set commands.test '["sh","-c","npm run build && npm test"]'`,
      })
      await mustSet(project, 'commands.test', '["sh","-c","npm run build && npm test"]')
      expect(stored(project)).toEqual({ commands: { test: ['sh', '-c', 'npm run build && npm test'] } })
    }))

  test.each(['{', '[]', 'null', '"text"', '{"claim": 1, "claims": {"lease": "x"}}'])(
    'an invalid file is refused and not changed: %s',
    (text) =>
      withProject(async (project) => {
        given(project, text)
        expect(await set(project, 'claims.lease', '5')).toMatchObject({
          ok: false,
          exit: 8,
          code: 'config.invalid',
          message: expect.stringContaining(fileOf(project)),
        })
        expect(readFileSync(fileOf(project), 'utf8')).toBe(text)
      }),
  )
})

describe('[PROJ-8] the file is replaced, never written through', () => {
  test('a link or a folder in its place is a typed error', () =>
    withProject(async (project) => {
      const elsewhere = join(project.root, 'elsewhere.json')
      writeFileSync(elsewhere, '{"stages":false}')
      rmSync(fileOf(project))
      symlinkSync(elsewhere, fileOf(project))
      expect(await set(project, 'claims.lease', '5')).toMatchObject({
        ...{ ok: false, exit: 3, code: 'file.unwritable' },
        message: `Cannot write ${fileOf(project)}: it is a link.`,
      })
      expect(readFileSync(elsewhere, 'utf8')).toBe('{"stages":false}')
      mkdirSync(userFile(project), { recursive: true })
      expect(await set(project, 'people.allowClients', 'on')).toMatchObject({
        ...{ ok: false, exit: 3, code: 'file.unwritable' },
        message: expect.stringContaining('it is a folder'),
      })
    }))

  test('a link in place of the lock is a typed error', () =>
    withProject(async (project) => {
      symlinkSync(join(project.root, 'other.db'), join(project.root, '.cleo', 'config.lock'))
      expect(await set(project, 'claims.lease', '5')).toMatchObject({ ok: false, exit: 3 })
      expect(existsSync(join(project.root, 'other.db'))).toBe(false)
    }))

  test('a setting changed by another process at the same time is kept', () =>
    withProject(async (project) => {
      await mustSet(project, 'stages', 'off')
      let setting: Promise<unknown> | undefined
      await withFileLock(join(project.root, '.cleo', 'config.lock'), async () => {
        setting = mustSet(project, 'claims.lease', '5')
        // Without the lock, `set` would be done within this second.
        await Promise.race([setting, new Promise((resolve) => setTimeout(resolve, 1000))])
        given(project, { stages: false, budget: { total: 9 } })
      })
      await setting
      expect(stored(project), 'both changes are there').toEqual({
        ...{ stages: false, budget: { total: 9 }, claims: { lease: 5 } },
      })
    }))

  test('of 16 processes that set something, each one is kept', () =>
    withTemp(async (cwd) => {
      run(executable, ['init'], { cwd })
      const stages = ['research', 'consensus', 'specification', 'release']
      const events = ['task.added', 'task.updated', 'task.started', 'task.blocked']
      const pairs = [
        ...stages.map((name) => [`gates.required.${name}`, 'documented']),
        ...stages.map((name) => [`dispatch.words.${name}`, 'word']),
        ...events.map((name) => [`hooks.${name}`, `./${name}.sh`]),
        ...['test', 'lint', 'build', 'audit'].map((name) => [`commands.${name}`, `npm run ${name}`]),
      ] as [string, string][]
      const all = await Promise.all(
        pairs.map(([key, value]) => start(executable, ['config', 'set', key, value, '--json'], { cwd })),
      )
      expect(all.map(({ exit }) => exit)).toEqual(pairs.map(() => 0))
      for (const [key, value] of pairs)
        expect(run(executable, ['config', 'get', key], { cwd }).stdout.trim()).toContain(value.slice(0, 5))
      const log = JSON.parse(run(executable, ['log', '--limit', '100', '--json'], { cwd }).stdout) as {
        data: { entries: { operation: string }[] }
      }
      expect(log.data.entries.filter(({ operation }) => operation === 'admin.config.set')).toHaveLength(16)
      const trust = JSON.parse(run(executable, ['trust', 'status', '--json'], { cwd }).stdout) as {
        data: { items: { state: string }[] }
      }
      expect(trust.data.items.map(({ state }) => state)).toEqual(Array.from({ length: 10 }, () => 'trusted'))
    }))
})

describe('[PROJ-8] passwords are neither stored nor shown', () => {
  test.each([
    'postgres://ada:s3cret@db.example/team',
    'postgresql://ada:s3cret@db.example/team',
    'POSTGRES://ada:s3cret@db.example/team',
    ' postgres://ada:s3cret@db.example/team',
    'postgres://ada@db.example/team?password=s3cret',
    'postgres://ada@db.example/team?PassWord=s3cret',
    'postgres://ada@db.example/team?sslpassword=s3cret',
    'postgres://ada:1/s3cret@db.example/team',
    'postgres://ada:1#s3cret@db.example/team',
    'postgres://ada:1?s3cret@db.example/team',
    'postgres://ada:%%s3cret@[db/team',
    'postgres://ada%3As3cret@db.example/team',
  ])('%s', (address) =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'First' })
      for (const caller of [project, project.as('T001.1')])
        for (const key of ['database', 'output.dir', 'databse']) {
          const refused = await set(caller, key, address)
          expect(refused).toMatchObject({ ok: false, exit: 6 })
          expect(JSON.stringify(refused)).not.toContain('s3cret')
        }
      expect(await set(project, 'database', address)).toMatchObject({
        message: expect.stringContaining('CLEO_DATABASE_URL'),
      })
      expect(JSON.stringify(await project.must('admin.log', {}))).not.toContain('s3cret')
      expect(JSON.stringify(await project.must('inbox.list', {}))).not.toContain('s3cret')
    }),
  )
})

onEveryStore((withStore, store) => {
  // The file can name a server that does not exist, because CLEO_DATABASE_URL takes precedence.
  if (store === 'postgres')
    test('[PROJ-8] a password that stands in the file is masked in answers and in the audit log', () =>
      withStore(async (project) => {
        const own = stored(project) as object
        given(project, { ...own, database: 'postgres://ada:s3cret@db.example/team' })
        const changed = await set(project, 'database', 'postgres://ada@db2.example/team')
        expect(changed).toMatchObject({
          ok: true,
          value: { before: 'postgres://ada@db.example/team' },
          warnings: ['CLEO_DATABASE_URL is set and takes precedence'],
        })
        const { entries } = await project.must('admin.log', { operation: 'admin.config.set' })
        expect(entries).toMatchObject([{ before: { database: 'postgres://ada@db.example/team' } }])
        expect(JSON.stringify([changed, entries])).not.toContain('s3cret')
      }))

  test('[PROJ-7] [PROJ-8] each change is in the audit log, with the value before and after', () =>
    withStore(async (project) => {
      await mustSet(project, 'claims.lease', '5')
      await mustSet(project, 'claims.lease', '5')
      await mustSet(project, 'claims.lease', '6')
      await mustSet(project, 'people.allowClients', 'claude')
      const { entries } = await project.must('admin.log', { operation: 'admin.config.set' })
      expect(entries.map(({ before, after }) => ({ before, after }))).toEqual([
        { before: { 'people.allowClients': null }, after: { 'people.allowClients': ['claude'] } },
        { before: { 'claims.lease': 5 }, after: { 'claims.lease': 6 } },
        { before: { 'claims.lease': null }, after: { 'claims.lease': 5 } },
      ])
    }))
})

test('[PROJ-8] without a store the setting is changed all the same, with a warning', () =>
  withProject(async (project) => {
    rmSync(join(project.root, '.cleo', 'cleo.db'))
    const answer = await project.afresh().call('admin.config.set', { key: 'claims.lease', value: '5' })
    expect(answer).toMatchObject({ ok: true, warnings: [expect.stringContaining('not in the audit log')] })
    expect(stored(project)).toEqual({ claims: { lease: 5 } })
  }))

test('[PROJ-8] a clone whose settings were changed can still be made a project', () =>
  withTemp((cwd) => {
    mkdirSync(join(cwd, '.cleo'))
    writeFileSync(join(cwd, '.cleo', 'config.json'), '{}\n')
    expect(run(executable, ['config', 'set', 'claims.lease', '5'], { cwd }).exit).toBe(0)
    expect(run(executable, ['init'], { cwd }).exit).toBe(0)
  }))

test('[PROJ-1] [PROJ-8] outside a project only your own settings can be set', () =>
  withTemp((cwd) => {
    const json = (args: string[]) => run(executable, [...args, '--json'], { cwd })
    expect(json(['config', 'set', 'claims.lease', '5']).exit).toBe(9)
    expect(json(['config', 'set', 'people.allowClients', 'on', '--user']).exit).toBe(0)
    const file = join(cwd, '.home', '.cleo', 'config.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ people: { allowClients: true } })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(existsSync(join(cwd, '.cleo'))).toBe(false)
  }))

test('[PROJ-8] each setting has one file: --user refuses the settings of the project', () =>
  withProject(async (project) => {
    const refused = await project.call('admin.config.set', { key: 'claims.lease', value: '5', user: true })
    expect(refused).toMatchObject({
      ok: false,
      exit: 6,
      problems: [{ path: 'user' }],
      fix: 'cleo config set claims.lease 5',
    })
    given(project, { people: { allowClients: true } })
    expect(await set(project, 'claims.lease', '5'), 'a project decides nothing about people').toMatchObject({
      ...{ ok: false, exit: 8 },
      problems: [{ path: 'people' }],
    })
  }))

describe('[PROJ-8] only a person changes settings', () => {
  const restricted = [
    ['database', 'postgres://h/db'],
    ['project', 'shop'],
    ['commands.test', 'true'],
    ['commands', '{"test": "true"}'],
    ['hooks.task.added', './x.sh'],
    ['tokens.env', 'A'],
    ['tokens.commands', 'date'],
    ['gates.required.implementation', ''],
    ['gates', '{}'],
    ['gates.timeout', '5'],
    ['skills.paths', 'more'],
    ['dispatch.words.research', 'ship'],
    ['people.allowClients', 'true'],
    ['worktrees.by', 'none'],
    ['worktrees.setup', './x.sh'],
    ['worktrees.copy', '.env'],
    ['worktrees.path', '/tmp/trees'],
    ['merge.batch', '1'],
    ['output.dir', 'test'],
    ['manifest.path', 'out/M.jsonl'],
    ['claims.lease', '0.01'],
  ] as const

  test.each(restricted)('an agent is refused: %s', (key, value) =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'First' })
      const refused = { ok: false, exit: 64, code: 'person.needed' }
      expect(await set(project.as('T001.1'), key, value)).toMatchObject(refused)
      expect(await project.as('T001.1').call('admin.config.unset', { key })).toMatchObject(refused)
      expect(await set(project.afresh({ CLAUDECODE: '1' }), key, value)).toMatchObject(refused)
      expect(stored(project)).toEqual({})
      expect(existsSync(userFile(project))).toBe(false)
    }),
  )

  test.each([
    ['output.dir', 'out'],
    ['output.roots', 'docs'],
    ['manifest.path', 'out/M.jsonl'],
    ['budget.total', '9000'],
    ['claims.lease', '5'],
    ['spawn.maxFiles', '4'],
    ['stages', 'off'],
    ['merge.batch', '4'],
    ['worktrees.path', '/srv/trees'],
  ])('a person sets without recording trust: %s', (key, value) =>
    withProject(async (project) => {
      expect(await set(project, key, value)).toMatchObject({ ok: true })
      expect(await trustOf(project)).toEqual([])
    }),
  )
})

describe('[PROJ-8] a person trusts exactly what they set', () => {
  test('a setting that came with a clone is not trusted by setting another', () =>
    withProject(async (project) => {
      given(project, {
        commands: { test: ['evil'], lint: ['evil'] },
        hooks: { 'task.added': [['./evil.sh']] },
        tokens: { commands: ['evil'] },
      })
      const answer = await project.must('admin.config.set', { key: 'commands.test', value: 'npm test' })
      expect(answer.trusted).toEqual(['commands.test'])
      expect(await trustOf(project)).toEqual([
        'hook task.added 1 new',
        'command test trusted',
        'command lint new',
        'command token evil new',
      ])
    }))

  test('setting what is already there trusts it, as text or as words', () =>
    withProject(async (project) => {
      given(project, { commands: { test: ['npm', 'test'] } })
      expect(await trustOf(project)).toEqual(['command test new'])
      await mustSet(project, 'commands.test', '["npm", "test"]')
      expect(await trustOf(project)).toEqual(['command test trusted'])
      given(project, { commands: { test: 'npm  test' } })
      expect(await trustOf(project), 'the same words').toEqual(['command test trusted'])
      given(project, { commands: { test: 'npm test --if-present' } })
      expect(await trustOf(project)).toEqual(['command test changed'])
    }))

  test('what was set before is no longer trusted', () =>
    withProject(async (project) => {
      await mustSet(project, 'hooks.task.added', '[["./a.sh"], ["./b.sh"]]')
      expect(await trustOf(project)).toEqual(['hook task.added 1 trusted', 'hook task.added 2 trusted'])
      await mustSet(project, 'hooks.task.added', './a.sh')
      given(project, { hooks: { 'task.added': [['./a.sh'], ['./b.sh']] } })
      expect(await trustOf(project)).toEqual(['hook task.added 1 trusted', 'hook task.added 2 new'])
    }))
})
