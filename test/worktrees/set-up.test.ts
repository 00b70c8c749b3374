import { chmodSync, existsSync, mkdirSync, readFileSync, readlinkSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Progress } from '../../src/kernel/progress.ts'
import { builtOrSource, data, run } from '../support/cleo.ts'
import type { TestProject } from '../support/project.ts'
import { commit, git, put } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'
import { setUp, trust, withWorktree } from '../support/worktree.ts'

const config = (project: TestProject, worktrees: object) =>
  put(project.root, { '.cleo/config.json': JSON.stringify({ worktrees }) })

const read = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8')

/** A project whose only dependency is in the repository, so that npm needs no network. */
const npmProject = {
  'package.json': JSON.stringify({ name: 'shop', version: '1.0.0', dependencies: { dep: 'file:dep' } }),
  'package-lock.json': JSON.stringify({
    ...{ name: 'shop', version: '1.0.0', lockfileVersion: 3, requires: true },
    packages: {
      '': { name: 'shop', version: '1.0.0', dependencies: { dep: 'file:dep' } },
      dep: { version: '1.0.0' },
      'node_modules/dep': { resolved: 'dep', link: true },
    },
  }),
  'dep/package.json': JSON.stringify({ name: 'dep', version: '1.0.0', main: 'index.js' }),
  'dep/index.js': 'module.exports = 42\n',
}

describe('commands that prepare a new worktree', () => {
  test('[TREE-3] the lock file decides: npm installs, so that the worktree can run its checks', () =>
    withWorktree({ files: npmProject }, async (project, folder) => {
      await trust(project)
      const progress: Progress[] = []
      const done = await setUp(project, folder, progress)
      expect(done).toMatchObject({
        ok: true,
        value: {
          ran: ['npm ci --prefer-offline --no-audit --no-fund'],
          logs: ['.cleo/test-runs/T001.1-set-up-1.log'],
        },
        warnings: [],
      })
      expect(read(folder, 'node_modules/dep/index.js')).toContain('42')
      expect(existsSync(join(project.root, 'node_modules'))).toBe(false)
      expect(read(project.root, '.cleo/test-runs/T001.1-set-up-1.log')).toMatch(
        /^\$ npm ci[^\n]*\n.*from package-lock\.json\n[\s\S]*exited with 0\n$/,
      )
      expect(progress.map(({ what }) => what)).toContain('npm ci --prefer-offline --no-audit --no-fund')
    }))

  test('[TREE-3] [TOK-9] commands of the settings run in order, with the variables of the worktree and without those of git', () =>
    withWorktree({ files: { 'a.sh': 'env > env.txt\necho a > order\n' } }, async (project, folder) => {
      await project.must('admin.config.set', {
        key: 'worktrees.setup',
        value: '["sh a.sh", ["sh", "-c", "echo b >> order; git config core.hooksPath > hooks || true"]]',
      })
      expect(await setUp(project, folder)).toMatchObject({ ok: true, warnings: [] })
      expect(read(folder, 'order')).toBe('a\nb\n')
      expect(read(folder, 'hooks')).toBe('/dev/null\n')
      const lines = read(folder, 'env.txt').split('\n')
      expect(lines).toEqual(
        expect.arrayContaining([
          'CLEO_SLOT=3',
          'CLEO_PORT_BASE=20040',
          'COMPOSE_PROJECT_NAME=shop-t001-1',
          'HUSKY=0',
          'CI=true',
        ]),
      )
      expect(lines.filter((line) => /^GIT_(?:DIR|WORK_TREE|INDEX_FILE)=/.test(line))).toEqual([])
    }))

  test('[TREE-3] a failed command refuses, with its exit, last lines and log, and stops the others', () =>
    withWorktree({ files: {} }, async (project, folder) => {
      await project.must('admin.config.set', {
        key: 'worktrees.setup',
        value: '[["sh", "-c", "echo no such package; exit 7"], ["touch", "later"]]',
      })
      const refused = await setUp(project, folder)
      expect(refused).toMatchObject({ ok: false, code: 'worktree.setup', exit: 63 })
      expect(!refused.ok && refused.message).toMatch(
        /The worktree of T001\.1 could not be set up: sh -c echo no such package; exit 7 exited with 7:\nno such package\nlog: \.cleo\/test-runs\/T001\.1-set-up-1\.log/,
      )
      expect(existsSync(join(folder, 'later'))).toBe(false)
      await project.must('admin.config.set', { key: 'worktrees.setup', value: 'no-such-program' })
      expect(await setUp(project, folder)).toMatchObject({
        exit: 63,
        message: expect.stringContaining('no-such-program could not be started'),
      })
    }))

  test('[TREE-3] a change of the settings of git that all worktrees share is reported', () =>
    withWorktree({ files: {} }, async (project, folder) => {
      await project.must('admin.config.set', { key: 'worktrees.setup', value: 'git config core.editor ed' })
      expect(await setUp(project, folder)).toMatchObject({
        ok: true,
        warnings: ['the set-up of T001.1 changed .git/config, which all worktrees share'],
      })
    }))

  test('[TREE-3] a list of another tool comes before lock files, with the paths that its script expects', () =>
    withWorktree(
      {
        files: {
          ...npmProject,
          '.cursor/worktrees.json': JSON.stringify({
            'setup-worktree': ['cd dep', 'echo "$ROOT_WORKTREE_PATH" > ../main.txt', 'pwd > ../pwd.txt'],
          }),
        },
      },
      async (project, folder) => {
        await trust(project)
        expect(await setUp(project, folder)).toMatchObject({
          value: { ran: ['the script in .cursor/worktrees.json'] },
        })
        expect(read(folder, 'main.txt')).toBe(`${project.root}\n`)
        expect(read(folder, 'pwd.txt')).toBe(`${folder}/dep\n`)
        expect(existsSync(join(folder, 'node_modules'))).toBe(false)
      },
    ))
})

describe('[PROJ-8] [TOK-9] the set-up of a clone does nothing before a person trusts it', () => {
  const items = async (project: TestProject) =>
    (await project.afresh().must('admin.trust.status', {})).items
      .filter(({ kind, name }) => kind === 'worktree' || name.startsWith('worktrees.'))
      .map(({ kind, name, what, state }) => `${state} ${kind} ${name}: ${what}`)

  test('detected set-up and copies: one warning that names cleo trust', () =>
    withWorktree(
      { files: { ...npmProject, '.worktreeinclude': '# secrets\n.env*\n' }, ignored: { '.env': 'A=1\n' } },
      async (project, folder) => {
        const done = await setUp(project, folder)
        expect(existsSync(join(folder, 'node_modules')), 'nothing of the clone runs').toBe(false)
        expect(done).toMatchObject({
          value: { ran: [], logs: [] },
          warnings: [
            'the worktree was made without these untrusted parts: set-up from package-lock.json, copies from .worktreeinclude; a person can trust them: cleo trust',
          ],
        })
        expect(existsSync(join(folder, '.env'))).toBe(false)
        expect(await items(project)).toEqual([
          'new worktree set-up 1: npm ci --prefer-offline --no-audit --no-fund; from package-lock.json',
          'new worktree copy .worktreeinclude: .env*; from .worktreeinclude',
        ])
      },
    ))

  test('init by a person shows the detected set-up and trusts it', () =>
    withTemp((cwd) => {
      put(cwd, npmProject)
      const setUp = 'npm ci --prefer-offline --no-audit --no-fund; from package-lock.json'
      expect(data(run(builtOrSource, ['init'], { cwd }))).toMatchObject({
        detected: { commands: [{ tool: 'set-up 1', what: setUp }], trusted: true },
      })
      expect(data(run(builtOrSource, ['trust', 'status'], { cwd }))).toMatchObject({
        items: [{ kind: 'worktree', name: 'set-up 1', what: setUp, state: 'trusted' }],
      })
    }))

  test('settings that came with the clone', () =>
    withWorktree({ files: npmProject, ignored: { '.env': 'A=1\n' } }, async (project, folder) => {
      config(project, { by: 'none', setup: ['touch made'], copy: ['.env'] })
      const done = await setUp(project, folder)
      expect(done).toMatchObject({
        value: { ran: [] },
        warnings: [expect.stringContaining('worktrees.setup')],
      })
      expect(existsSync(join(folder, 'made')) || existsSync(join(folder, '.env'))).toBe(false)
      expect(await items(project)).toEqual([
        'new setting worktrees.by: none',
        'new setting worktrees.setup: touch made',
        'new setting worktrees.copy: .env',
        'new worktree set-up 1: touch made; from worktrees.setup',
      ])
      await trust(project)
      expect(await setUp(project, folder)).toMatchObject({ value: { ran: ['touch made'] }, warnings: [] })
      expect(read(folder, '.env')).toBe('A=1\n')
      config(project, { setup: ['touch other'], copy: ['.env.more'] })
      expect(await setUp(project, folder)).toMatchObject({ value: { ran: [] } })
      config(project, {})
      expect(
        await setUp(project, folder),
        'removed: what was detected does not take its place',
      ).toMatchObject({
        value: { ran: [] },
        warnings: [expect.stringContaining('worktrees.setup')],
      })
    }))

  test.each([
    [
      'a script that npm runs',
      'package.json',
      npmProject['package.json'].replace(
        '"dependencies"',
        '"scripts":{"postinstall":"touch evil"},"dependencies"',
      ),
    ],
    ['settings of npm', '.npmrc', 'script-shell=./evil.sh\n'],
  ])('a change after the trust is untrusted again: %s', (_, path, text) =>
    withWorktree({ files: npmProject }, async (project, folder) => {
      await trust(project)
      commit(folder, 'Change', { [path]: text })
      expect(await setUp(project, folder)).toMatchObject({
        value: { ran: [] },
        warnings: [expect.stringContaining('set-up from package-lock.json')],
      })
      expect(existsSync(join(folder, 'evil'))).toBe(false)
      commit(folder, 'Back', { [path]: path === '.npmrc' ? '' : npmProject['package.json'] })
      git(folder, 'rm', '-q', '--ignore-unmatch', '.npmrc')
      expect(await setUp(project, folder)).toMatchObject({
        value: { ran: [expect.stringContaining('npm ci')] },
      })
    }),
  )

  test('a program of the project that PATH finds needs trust too', () =>
    withWorktree({ files: { 'bin/seed': '#!/bin/sh\ntouch evil\n' } }, async (project, folder) => {
      await project.must('admin.config.set', { key: 'worktrees.setup', value: 'seed' })
      chmodSync(join(folder, 'bin/seed'), 0o755)
      const found = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}` }
      expect(await setUp(project, folder, undefined, found)).toMatchObject({ value: { ran: [] } })
      expect(existsSync(join(folder, 'evil'))).toBe(false)
    }))

  test('a script that the settings name is trusted with them, and a change of it is not', () =>
    withWorktree({ files: { 'seed.sh': 'touch seeded\n' } }, async (project, folder) => {
      await project.must('admin.config.set', { key: 'worktrees.setup', value: 'sh seed.sh' })
      put(folder, { 'seed.sh': 'touch evil\n' })
      expect(await setUp(project, folder)).toMatchObject({ value: { ran: [] } })
      expect(existsSync(join(folder, 'evil'))).toBe(false)
      put(folder, { 'seed.sh': 'touch seeded\n' })
      expect(await setUp(project, folder)).toMatchObject({ value: { ran: ['sh seed.sh'] } })
    }))
})

describe('files that a new worktree gets a copy of', () => {
  test('[TREE-3] ignored files and folders, with permissions and links; what is there stays', () =>
    withWorktree(
      {
        files: { 'tracked.txt': 'committed\n' },
        ignored: {
          '.env.test': 'A=1\n',
          '.venv/bin/run': '#!/bin/sh\necho ran\n',
          '.venv/pyvenv.cfg': '',
          'cache/.git/x': 'x',
          'tracked.txt': 'edited\n',
        },
      },
      async (project, folder) => {
        const { root } = project
        chmodSync(join(root, '.venv/bin/run'), 0o755)
        chmodSync(join(root, '.env.test'), 0o600)
        symlinkSync('run', join(root, '.venv/bin/also'))
        symlinkSync('/bin/sh', join(root, '.venv/bin/sh'))
        symlinkSync(join(root, '.venv/bin/run'), join(root, '.venv/bin/absolute'))
        symlinkSync('/etc', join(root, 'cache/etc'))
        const value = '.env.test,.venv,cache,tracked.txt,missing'
        await project.must('admin.config.set', { key: 'worktrees.copy', value })
        const done = await setUp(project, folder)
        expect(done).toMatchObject({
          ok: true,
          warnings: [
            expect.stringMatching(/^\.venv contains absolute paths/),
            expect.stringMatching(/^files of cache that were not copied .*: 1, such as cache\/etc/),
            'missing was not copied into the worktree: it does not exist',
          ],
        })
        expect(statSync(join(folder, '.venv/bin/run')).mode & 0o777).toBe(0o755)
        expect(statSync(join(folder, '.env.test')).mode & 0o777).toBe(0o600)
        expect(readlinkSync(join(folder, '.venv/bin/also'))).toBe('run')
        expect(readlinkSync(join(folder, '.venv/bin/sh'))).toBe('/bin/sh')
        expect(readlinkSync(join(folder, '.venv/bin/absolute'))).toBe(join(folder, '.venv/bin/run'))
        expect(existsSync(join(folder, 'cache/.git')) || existsSync(join(folder, 'cache/etc'))).toBe(false)
        expect(read(folder, 'tracked.txt')).toBe('committed\n')
      },
    ))

  test.each([
    '../outside.txt',
    '/etc/hostname',
    'way/out.txt',
    '.git/config',
    '.cleo/config.json',
    'x/../.git',
    '~/x',
  ])('[TREE-3] [PROJ-8] a path that leads out is refused, and nothing is copied: %s', (path) =>
    withWorktree({ files: {}, ignored: { '.env': 'A=1\n' } }, async (project, folder) => {
      symlinkSync('/etc', join(project.root, 'way'))
      config(project, { copy: ['.env', path] })
      await trust(project)
      expect(await setUp(project, folder)).toMatchObject({ ok: false, code: 'path.outside', exit: 8 })
      expect(existsSync(join(folder, '.env'))).toBe(false)
    }),
  )

  test('[TREE-3] a link in the worktree does not lead the copy out of it', () =>
    withWorktree({ files: {}, ignored: { 'cache/a': 'a' } }, async (project, folder) => {
      const outside = join(project.root, 'trees', 'outside')
      mkdirSync(outside)
      symlinkSync(outside, join(folder, 'cache'))
      config(project, { copy: ['cache'] })
      await trust(project)
      expect(await setUp(project, folder)).toMatchObject({ code: 'path.outside', exit: 8 })
      expect(existsSync(join(outside, 'a'))).toBe(false)
    }))

  test('[TREE-3] .worktreeinclude and preservePatterns name ignored files in the syntax of git', () =>
    withWorktree(
      {
        files: {
          '.worktreeinclude': '# local settings\n.env*\n!.env.secret\ncache/\nsrc/*\n',
          '.emdash.json': JSON.stringify({ preservePatterns: ['.venv/keep.txt'] }),
          'src/a.ts': 'a\n',
        },
        ignored: {
          '.env.local': 'l',
          'app/.env': 'e',
          '.env.secret': 's',
          'cache/deep/c': 'c',
          '.venv/keep.txt': 'k',
          '.venv/other': 'o',
          'src/new.ts': 'not ignored',
        },
      },
      async (project, folder) => {
        await trust(project)
        expect(await setUp(project, folder)).toMatchObject({ ok: true, warnings: [] })
        const is = (path: string) => existsSync(join(folder, path))
        expect(
          ['.env.local', 'app/.env', 'cache/deep/c', '.venv/keep.txt'].filter((path) => !is(path)),
        ).toEqual([])
        expect(['.env.secret', '.venv/other', 'src/new.ts'].filter(is)).toEqual([])
      },
    ))
})
