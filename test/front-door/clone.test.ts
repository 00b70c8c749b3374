import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { executable, type Ran, start } from '../support/cleo.ts'
import { withTemp } from '../support/temp.ts'

interface Clone {
  shop: string
  home: string
  cleo(...args: string[]): Promise<Ran>
  /** Returns a `cleo` that runs with these variables in addition. */
  with(env: Record<string, string>): Clone['cleo']
}

/**
 * Makes a clone: a folder with the given files, such as a configuration, that no person on this machine has
 * trusted.
 */
const withClone = (files: Record<string, string>, work: (clone: Clone) => Promise<void>): Promise<void> =>
  withTemp(async (folder) => {
    const shop = join(folder, 'shop')
    const home = join(folder, 'home')
    mkdirSync(home)
    for (const [path, text] of Object.entries(files)) put(shop, path, text)
    const withEnv =
      (env: Record<string, string>): Clone['cleo'] =>
      (...args) =>
        start(executable, args, { cwd: shop, env: { HOME: home, ...env } })
    await work({ shop, home, cleo: withEnv({}), with: withEnv })
  })

const put = (folder: string, path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

interface Envelope {
  success: boolean
  data?: Record<string, unknown>
  error?: { code: string; exit: number; message: string; fix?: string; alternatives?: string[] }
  meta: { warnings?: string[] }
}
const answer = ({ stdout }: Ran): Envelope => JSON.parse(stdout) as Envelope

/** Starts a server that counts connections, like a stranger's server that waits for passwords. */
const withServer = async (work: (address: string, seen: { connections: number }) => Promise<void>) => {
  const seen = { connections: 0 }
  const server = createServer((socket) => {
    seen.connections++
    socket.destroy()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  try {
    await work(`postgres://ada:hunter2@127.0.0.1:${port}/team`, seen)
  } finally {
    server.close()
  }
}

const everyday = [
  ...[['list'], ['show', 'T001'], ['add', 'One'], ['orchestrate', 'next'], ['inbox'], ['log'], ['doctor']],
  ...[
    ['init'],
    ['db', 'status'],
    ['backup'],
    ['restore', '--list'],
    ['export'],
    ['db', 'move', '--to', 'sqlite'],
  ],
]

test('[PROJ-8] nothing connects to the database of a clone before a person trusts it', () =>
  withServer((database, seen) =>
    withClone(
      { '.cleo/config.json': JSON.stringify({ database, project: 'abcd1234' }) },
      async ({ shop, cleo, with: withEnv }) => {
        for (const args of everyday) {
          const ran = await withEnv({ PGPASSWORD: 'hunter3' })(...args, '--json')
          expect([args.join(' '), seen.connections], 'no connection').toEqual([args.join(' '), 0])
          expect(ran.exit, args.join(' ')).not.toBe(0)
          expect(ran.stdout, 'no password').not.toMatch(/hunter/)
        }
        expect(existsSync(join(shop, '.cleo/cleo.db')), 'SQLite does not take its place').toBe(false)
        const refused = answer(await cleo('list', '--json')).error
        expect(refused).toMatchObject({ code: 'database.untrusted', exit: 64, fix: 'cleo trust' })
        const asAgent = answer(await withEnv({ CLAUDECODE: '1' })('list', '--json'))
        expect(asAgent.error).toMatchObject({ code: 'database.untrusted' })
        expect(asAgent.error, 'an agent is not told how to trust').not.toHaveProperty('fix')

        const listed = answer(await cleo('trust', '--json'))
        expect(listed.data?.['items']).toMatchObject([
          { kind: 'setting', name: 'database', what: database.replace(':hunter2', ''), state: 'new' },
        ])
        expect(seen.connections).toBe(0)
        await cleo('trust', '--yes', '--json')
        expect(answer(await cleo('trust', 'status', '--json')).data?.['items']).toMatchObject([
          { name: 'database', state: 'trusted' },
        ])
        expect(answer(await cleo('list', '--json')).error).toMatchObject({ code: 'store.unreachable' })
        expect(seen.connections).toBeGreaterThan(0)
      },
    ),
  ))

test('[PROJ-8] the settings of a clone have no effect, and every command says so once', () =>
  withClone(
    {
      '.cleo/config.json': JSON.stringify({
        gates: { reports: true, required: { implementation: [] } },
        hooks: { 'task.added': [['touch', 'owned']] },
        commands: { test: ['true'] },
        tokens: { env: ['AWS_SECRET_ACCESS_KEY'] },
        skills: { paths: ['more'] },
        dispatch: { words: { release: ['sign-up'] } },
        budget: { total: 90_000 },
      }),
    },
    async ({ shop, cleo, with: withEnv }) => {
      const made = answer(await cleo('init', '--json'))
      expect(made.meta.warnings).toEqual([
        'the settings, commands and skills of this project are not trusted yet; see: cleo trust',
      ])
      const names =
        'hooks.task.added 1, commands.test, skills.paths, tokens.env, gates.required, gates.reports, dispatch.words'
      const line = `settings have no effect until a person trusts them: ${names}`
      const inEpic = ['--parent', 'T001', '--description', 'People type an address.']
      const adds = [
        ['add', 'Accounts', '--type', 'epic'],
        ['add', 'Sign-up form', ...inEpic],
      ]
      for (const args of [...adds, ['list'], ['orchestrate', 'next']])
        expect(answer(await cleo(...args, '--json')).meta.warnings).toEqual([`${line}; see: cleo trust`])
      const refused = answer(await cleo('show', 'T099', '--json'))
      expect(refused).toMatchObject({ success: false, meta: { warnings: [`${line}; see: cleo trust`] } })
      expect(answer(await withEnv({ AI_AGENT: 'x' })('list', '--json')).meta.warnings).toEqual([line])
      expect(answer(await cleo('orchestrate', 'dispatch', 'T002', '--json')).data).toMatchObject({
        protocol: 'implementation',
      })
      expect(readdirSync(shop)).not.toContain('owned')

      await cleo('trust', '--yes', '--json')
      const after = answer(await cleo('add', 'Sign-in form', ...inEpic, '--json'))
      expect(after).toMatchObject({ success: true })
      expect(after.meta).not.toHaveProperty('warnings')
      expect(readdirSync(shop)).toContain('owned')
      expect(answer(await cleo('orchestrate', 'dispatch', 'T002', '--json')).data).toMatchObject({
        protocol: 'release',
      })
    },
  ))

const finding = '$(touch owned)'
const append = ['manifest', 'append', '--task', 'T001', '--status', 'complete', '--file', 'T001-a.md']

/** Configurations by which a clone can try to make CLEO write outside the places that are allowed. */
const places: [name: string, config: object, plant?: (shop: string, home: string) => void][] = [
  ['a start-up file of the shell', { manifest: { path: '../home/.bashrc' } }],
  ['an absolute path', { manifest: { path: '/tmp/cleo-owned.jsonl' } }],
  ['a hook of git', { manifest: { path: '.git/hooks/pre-commit' } }],
  ['a file of git', { manifest: { path: '.git/hooks/x.jsonl' } }],
  ['a file of git, in capitals', { manifest: { path: 'sub/.GIT/hooks/x.jsonl' } }],
  ['the database', { manifest: { path: '.cleo/cleo.db' } }],
  ['a file without the ending of a manifest', { manifest: { path: 'package.json' } }],
  ['the folder of git', { output: { dir: '.git' } }],
  ['the folder of CLEO', { output: { dir: '.cleo/backups' } }],
  ['the project itself', { output: { dir: '.' } }],
  ['a folder above', { output: { dir: '../home' } }],
  ['a home folder that is not replaced', { output: { dir: '~/notes' } }],
  ['a further folder outside', { output: { roots: ['../home'] } }],
  ['a link to elsewhere', {}, (shop, home) => symlinkSync(home, join(shop, 'claudedocs'))],
  ['a link into git', {}, (shop) => symlinkSync('.git', join(shop, 'claudedocs'))],
  ['a link to nowhere', {}, (shop, home) => symlinkSync(join(home, 'new'), join(shop, 'claudedocs'))],
  [
    'a manifest that is a link',
    { manifest: { path: 'm/log.jsonl' } },
    (shop, home) => {
      mkdirSync(join(shop, 'm'))
      symlinkSync(join(home, 'log.jsonl'), join(shop, 'm/log.jsonl'))
    },
  ],
]

test.each(places)('[PROJ-8] the configuration cannot make CLEO write to %s', (_, config, plant) =>
  withClone(
    { '.cleo/config.json': JSON.stringify(config), '.git/hooks/x': '' },
    async ({ shop, home, cleo }) => {
      plant?.(shop, home)
      await cleo('init', '--json')
      await cleo('add', 'A', '--type', 'epic', '--description', 'A', '--json')
      const listing = () =>
        [home, shop, join(shop, '.git'), join(shop, '.git/hooks')].map((at) => readdirSync(at))
      const before = listing()
      for (const args of [
        [...append, '--finding', finding],
        ['output', 'new', 'T001'],
        ['output', 'check', 'T001'],
        ['manifest', 'sync'],
        ['orchestrate', 'spawn', 'T001', '--protocol', 'research'],
      ]) {
        const { error } = answer(await cleo(...args, '--json'))
        expect([args.join(' '), error?.code, error?.exit]).toEqual([args.join(' '), 'path.outside', 8])
      }
      expect(listing(), 'nothing was written').toEqual(before)
      expect(answer(await cleo('show', 'T001', '--json')), 'reading a task does not need them').toMatchObject(
        {
          success: true,
        },
      )
    },
  ),
)

test('[PROJ-8] a manifest and outputs in other folders of the project are fine', () =>
  withClone(
    {
      '.cleo/config.json': JSON.stringify({
        output: { dir: 'notes' },
        manifest: { path: 'notes/all.jsonl' },
      }),
    },
    async ({ shop, cleo }) => {
      await cleo('init', '--json')
      await cleo('add', 'A', '--json')
      put(shop, 'notes/T001-a.md', '# A\n\nIt is slow.\n')
      expect(answer(await cleo(...append, '--finding', finding, '--json'))).toMatchObject({ success: true })
      expect(readFileSync(join(shop, 'notes/all.jsonl'), 'utf8')).toContain(finding)
    },
  ))

test('[PROJ-8] skills.paths stays inside the project, even when trusted', () =>
  withClone({ '.cleo/config.json': JSON.stringify({ skills: { paths: ['../home'] } }) }, async ({ cleo }) => {
    await cleo('init', '--json')
    expect(answer(await cleo('skills', 'list', '--json'))).toMatchObject({ success: true })
    expect(answer(await cleo('trust', '--yes', '--json')).error).toMatchObject({ code: 'path.outside' })
  }))

const tested = { 'package.json': JSON.stringify({ scripts: { test: 'touch owned' } }) }

test('[PROJ-8] [GATE-5] the test script of a clone runs only once a person trusts it', () =>
  withClone({ '.cleo/config.json': '{}\n', ...tested }, async ({ shop, cleo, with: withEnv }) => {
    await cleo('init', '--json')
    await cleo('add', 'E', '--type', 'epic', '--json')
    await cleo('add', 'A', '--description', 'A', '--parent', 'T001', '--json')
    const spawned = answer(await cleo('orchestrate', 'spawn', 'T002', '--json')).data!
    expect(JSON.stringify(spawned['warnings'])).toContain('the command for test is not trusted')
    const verify = ['verify', 'T002', '--gate', 'testsPassed', '--evidence', 'tool:test']
    const refusal = { code: 'evidence.invalid', message: expect.stringContaining('came with the project') }
    expect(answer(await cleo(...verify, '--json')).error).toMatchObject({ ...refusal, fix: 'cleo trust' })
    const agents = [
      () => cleo(...verify, '--as', 'T002.1', '--json'),
      () => withEnv({ CODEX_THREAD_ID: '1' })(...verify, '--as', 'T002.1', '--json'),
    ]
    for (const agent of agents) {
      const { error } = answer(await agent())
      expect(error).toMatchObject({
        ...refusal,
        alternatives: ['A person can answer question Q1: cleo inbox'],
      })
      expect(JSON.stringify(error)).not.toContain('cleo trust')
    }
    expect(readdirSync(shop)).not.toContain('owned')
    await cleo('inbox', 'answer', 'Q1', '--yes', '--json')
    expect(answer(await cleo(...verify, '--as', 'T002.1', '--json'))).toMatchObject({ success: true })
    expect(readdirSync(shop)).toContain('owned')
  }))

test("[PROJ-8] a person's own init trusts the commands it shows; a test added later runs too", () =>
  withClone(tested, async ({ shop, cleo }) => {
    expect((await cleo('init', '--human')).stdout).toContain('  test: npm test → test: touch owned\n')
    await cleo('add', 'A', '--json')
    const verify = (gate: string, tool: string) =>
      cleo('verify', 'T001', '--gate', gate, '--evidence', `tool:${tool}`, '--json')
    expect(answer(await verify('testsPassed', 'test'))).toMatchObject({ success: true })
    put(shop, 'package.json', JSON.stringify({ scripts: { test: 'touch owned', lint: 'true' } }))
    expect(answer(await verify('qaPassed', 'lint'))).toMatchObject({ success: true })
  }))

test('[PROJ-8] init by an agent trusts nothing and says so', async () => {
  const clients: Record<string, string>[] = [
    { CLAUDECODE: '1' },
    { OPENCODE: '1' },
    { CLEO_AGENT_ID: 'worker-1' },
  ]
  for (const env of clients)
    await withClone(tested, async ({ home, cleo, with: withEnv }) => {
      const made = answer(await withEnv(env)('init', '--json'))
      expect(made).toMatchObject({ success: true })
      expect(made.meta.warnings).toEqual([
        'an agent ran init, so nothing here is trusted yet; run cleo trust in your own terminal',
      ])
      expect(made.data).toMatchObject({
        detected: { commands: [{ tool: 'test', what: 'npm test → test: touch owned' }], trusted: false },
        next: ['cleo add "…" --type epic', 'cleo prime', 'cleo help'],
      })
      expect(existsSync(join(home, '.cleo/trust.json'))).toBe(false)
      await cleo('add', 'A', '--json')
      const verify = ['verify', 'T001', '--gate', 'testsPassed', '--evidence', 'tool:test', '--json']
      expect(answer(await cleo(...verify)).error).toMatchObject({ code: 'evidence.invalid' })
      await cleo('trust', '--yes', '--json')
      expect(answer(await cleo(...verify))).toMatchObject({ success: true })
    })
})
