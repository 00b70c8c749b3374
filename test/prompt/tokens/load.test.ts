import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeHost } from '../../../src/host/node-host.ts'
import { sha256 } from '../../../src/host/sha256.ts'
import type { Config } from '../../../src/kernel/config.ts'
import { configItems } from '../../../src/project/settings.ts'
import { record } from '../../../src/project/trust-records.ts'
import { fill } from '../../../src/prompt/tokens/fill.ts'
import type { Source } from '../../../src/prompt/tokens/source.ts'
import { loadNeeds, loadReference } from '../../../src/spawn/load-tokens.ts'
import { withTemp } from '../../support/temp.ts'
import { fence, template } from '../../support/token-source.ts'

const inProject = <T>(files: Record<string, string>, work: (root: string) => Promise<T>): Promise<T> =>
  withTemp((root) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return work(root)
  })

/** Resolves a source. By default, all programs of the configuration are trusted. */
const resolve = (root: string, source: Source, config: Config = {}, trusted = config) =>
  withTemp(async (home) => {
    const host = { ...nodeHost(), home, env: { PATH: process.env['PATH'], SECRET: 'SECRET' } }
    const project = {
      host,
      root,
      config,
      written: trusted,
      actor: { id: 'ada', agent: false },
      dryRun: false,
    }
    await record(project, configItems({ host, root, written: trusted }))
    const loaded = await loadNeeds(project, source)
    return fill(source, loaded, (name) => (name === 'TASK_ID' ? { text: 'T012' } : undefined), fence)
  })

test('[TOK-1] [TOK-10] files and globs come in, each named with its hash', () =>
  inProject({ 'docs/b.md': 'B {{TASK_ID}}', 'docs/a.md': 'A', 'note.txt': 'N' }, async (root) => {
    const { text, resolved, files } = await resolve(root, template('@note.txt\n@docs/*.md\n@note.txt'))
    expect(text).toBe('<note.txt: N>\n<docs/a.md: A>\n<docs/b.md: B {{TASK_ID}}>\n<note.txt: N>')
    expect(resolved).toBe(3)
    expect(files).toEqual([
      { path: 'note.txt', sha256: sha256('N') },
      { path: 'docs/a.md', sha256: sha256('A') },
      { path: 'docs/b.md', sha256: sha256('B {{TASK_ID}}') },
    ])
  }))

test('[TOK-6] a template includes those of its own folder, and takes anything else as data', () =>
  inProject(
    {
      'own/part.md': '{{TASK_ID}} @more.md',
      'own/more.md': 'more @docs/a.md',
      'own/data.json': '{{TASK_ID}}',
      'docs/a.md': '{{TASK_ID}}',
      'more.md': 'of the project',
    },
    async (root) => {
      const folder = join(root, 'own')
      const { text, files } = await resolve(root, template('@part.md @data.json', { folder }))
      expect(text).toBe('T012 more <docs/a.md: {{TASK_ID}}> <own/data.json: {{TASK_ID}}>')
      expect(files.map(({ path }) => path)).toEqual([
        'own/part.md',
        'own/more.md',
        'docs/a.md',
        'own/data.json',
      ])

      const untrusted = await resolve(root, template('@part.md', { folder, trusted: false }))
      expect(untrusted.text).toContain('T012 more [docs/a.md is left out')
      expect(untrusted.unresolved).toMatchObject([
        { kind: 'file', token: '@docs/a.md', where: 'own/more.md' },
      ])
      expect(await resolve(root, template('@docs/a.md', { folder, kind: 'skill' }))).toMatchObject({
        ...{ text: '@docs/a.md', resolved: 0, unresolved: [] },
      })
    },
  ))

test('[TOK-6] templates that include each other in a ring are loaded once and named', () =>
  inProject({ 'own/a.md': '@b.md', 'own/b.md': '@a.md' }, async (root) => {
    const { unresolved } = await resolve(root, template('@a.md', { folder: join(root, 'own') }))
    expect(unresolved).toMatchObject([
      { kind: 'include', why: 'it includes itself: own/a.md → own/b.md → own/a.md' },
    ])
  }))

test('[TOK-7] what may not come in is left out with its reason', () =>
  inProject({ 'docs/a.md': 'A', '.env': 'SECRET', 'docs/server.pem': 'SECRET' }, async (root) => {
    symlinkSync('/etc/passwd', join(root, 'docs/link.md'))
    const refused = [
      '@.env',
      '@../x.md',
      '@/etc/x.md',
      '@docs/link.md',
      '@none.md',
      '@none/*.md',
      '@docs/**/*.md',
    ]
    const { text, unresolved } = await resolve(root, template(`${refused.join('\n')}\n@docs/*`))
    expect(text).not.toContain('SECRET')
    expect(unresolved.map(({ kind, token, why }) => `${kind} ${token}: ${why}`)).toEqual([
      'file @.env: .env has the name of a secret file',
      'file @../x.md: ../x.md points outside its folder',
      'file @/etc/x.md: /etc/x.md is an absolute path',
      'file @docs/link.md: docs/link.md is a link',
      'file @none.md: none.md does not exist',
      'file @none/*.md: none/*.md does not exist',
      'file @docs/**/*.md: docs/**/*.md contains **, but only * is supported',
      'file @docs/*: docs/server.pem has the name of a secret file',
    ])
  }))

test.each([
  ...['.netrc.md', '_netrc.txt', '.pypirc.txt', '.git-credentials.bak', '.npmrc~', '.my.cnf.old'],
  ...['server.key.txt', 'server.pem.bak', 'server.PEM~', 'server.pem copy.txt', 'store.p12.md'],
  ...['local.env.local', 'app.env-prod.txt', '.credentials.json', 'prod.secrets.yaml'],
])('[TOK-7] %s is a secret still', (name) =>
  inProject({ [name]: 'SECRET' }, async (root) => {
    const project = { host: nodeHost(), root }
    const reference = await loadReference(project, template(''), name, { bytes: 1000 })
    expect(reference).toEqual({ pieces: [], left: [{ path: name, why: 'has the name of a secret file' }] })
  }),
)

test('[TOK-7] words that are in the names of secrets make none', () => {
  const names = ['app.environment.md', 'env.md', 'key.md', 'keynote.md', '.gitignore', 'the.keys.md']
  return inProject(Object.fromEntries(names.map((name) => [name, 'fine'])), async (root) => {
    const { files, unresolved } = await resolve(root, template(names.map((name) => `@${name}`).join(' ')))
    expect(unresolved).toEqual([])
    expect(files.map(({ path }) => path)).toEqual(names)
  })
})

test('[TOK-7] a glob brings in 200 files and 1 MiB at most', () => {
  const named = (count: number, text: string, folder: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/${i}.md`, text]))
  const files = {
    ...named(201, '', 'many'),
    ...named(5, 'x'.repeat(250 * 1024), 'large'),
    ...named(200, '', 'fine'),
  }
  return inProject(files, async (root) => {
    const { unresolved, files } = await resolve(root, template('@many/*.md @large/*.md @fine/*.md'))
    expect(unresolved.map(({ why }) => why)).toEqual([
      'many/*.md matches 201 files, more than 200',
      'large/*.md is more than 1024 KiB in all',
    ])
    expect(files).toHaveLength(200)
  })
})

const commands = (...names: string[]): Config => ({ tokens: { commands: names } })

const long = 'ü'.repeat(8192)

test('[TOK-8] a command runs in the project, without a shell, and only its output comes in', () =>
  inProject({ 'long.md': long }, async (root) => {
    const run = async (line: string, config = commands('echo', 'ls', 'sh', 'env', 'pwd', 'cat')) =>
      (await resolve(root, template(`!\`${line}\``), config)).text
    expect(await run('echo {{x}} $(id) *')).toBe('<echo {{x}} $(id) *: {{x}} $(id) *>')
    expect(await run('ls')).toBe('<ls: long.md>')
    expect(await run('pwd')).toBe(`<pwd: ${root}>`)
    expect(await run(`sh -c 'echo out; echo err >&2'`)).toBe('<sh -c echo out; echo err >&2: out>')
    expect(await run('env')).not.toContain('SECRET')
    expect(await run('cat long.md')).toBe(`<cat long.md: ${long}>`)
  }))

test.each<[line: string, why: string, trusted?: boolean]>([
  ['echo hi', 'the template is not trusted', false],
  ['touch made', 'touch is not in tokens.commands'],
  ['/bin/echo hi', '/bin/echo is not in tokens.commands'],
  ['sh -c "exit 3"', 'it failed with exit 3'],
  ['sh -c "kill -9 $$"', 'it failed with exit 1'],
  ['echo {{TASK_ID}}', 'tokens are not filled in inside a command'],
  ['echo "open', 'it is not a program with arguments'],
  ['nothing-of-the-kind', 'it did not start: there is no such program'],
  ['yes', 'it wrote more than 16 KiB'],
  ['head -c 16385 /dev/zero', 'it wrote more than 16 KiB'],
  ['head -c 1 /dev/zero', 'it wrote something that is not text'],
  ['sh -c "sleep 60 & sleep 60"', 'it took longer than 5 s'],
])('[TOK-8] %s comes to nothing', (line, why, trusted = true) =>
  inProject({}, async (root) => {
    const config = commands('echo', 'sh', 'yes', 'sleep', 'head', 'nothing-of-the-kind')
    const { text, resolved, unresolved } = await resolve(root, template(`!\`${line}\``, { trusted }), config)
    expect(text).toBe(`!\`${line}\``)
    expect(resolved).toBe(0)
    expect(unresolved).toMatchObject([{ kind: 'command', token: `!\`${line}\``, why }])
  }),
)

test('[TOK-8] [TOK-9] a program that came into the configuration after the yes does not run', () =>
  inProject({}, async (root) => {
    const source = template('!`echo hi` !`touch made`')
    const { text, unresolved } = await resolve(root, source, commands('echo', 'touch'), commands('echo'))
    expect(text).toBe('<echo hi: hi> !`touch made`')
    expect(unresolved).toMatchObject([{ why: 'touch is not trusted; see: cleo trust' }])
    expect(readdirSync(root)).toEqual([])
  }))

test('[TOK-8] no more than 16 commands run', () =>
  inProject({}, async (root) => {
    const lines = Array.from({ length: 18 }, (_, i) => `!\`echo ${i}\``).join(' ')
    const { resolved, unresolved } = await resolve(root, template(lines), commands('echo'))
    expect(resolved).toBe(16)
    expect(unresolved.map(({ why }) => why)).toEqual(['more than 16 commands', 'more than 16 commands'])
  }))
