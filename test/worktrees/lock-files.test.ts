import { describe, expect, test } from 'vitest'
import { nodeHost } from '../../src/host/node-host.ts'
import { projectFolder } from '../../src/project-commands/project-folder.ts'
import { lockFileCommands } from '../../src/worktrees/lock-files.ts'
import { otherToolCommands, otherToolPatterns } from '../../src/worktrees/other-tools.ts'
import { put } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'

const inFolder = <T>(files: Record<string, string>, work: (project: ReturnType<typeof projectFolder>) => T) =>
  withTemp((folder) => {
    put(folder, files)
    return work(projectFolder(nodeHost(), folder))
  })

const noPackages = JSON.stringify({ lockfileVersion: 3, packages: { '': { name: 'shop' } } })
const packages = JSON.stringify({ lockfileVersion: 3, packages: { '': {}, 'node_modules/a': {} } })
const pythonPackage = '[[package]]\nname = "a"\n'

describe('[TREE-3] set-up from lock files', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['npm', { 'package-lock.json': packages }, ['npm ci --prefer-offline --no-audit --no-fund']],
    ['npm without packages', { 'package-lock.json': noPackages }, []],
    ['npm, not JSON', { 'package-lock.json': '{' }, ['npm ci --prefer-offline --no-audit --no-fund']],
    [
      'pnpm before npm',
      { 'pnpm-lock.yaml': 'packages:\n\n  a@1.0.0:\n', 'package-lock.json': packages },
      ['pnpm install --frozen-lockfile --prefer-offline'],
    ],
    ['pnpm without packages', { 'pnpm-lock.yaml': "lockfileVersion: '9.0'\n" }, []],
    [
      'yarn 1',
      { 'yarn.lock': 'a@^1:\n  version "1.0.0"\n  resolved "https://x"\n' },
      ['yarn install --frozen-lockfile --prefer-offline --non-interactive'],
    ],
    [
      'yarn 4',
      { 'yarn.lock': '"a@npm:1":\n  version: 1\n  resolution: "a@npm:1"\n', '.yarnrc.yml': '' },
      ['yarn install --immutable'],
    ],
    ['bun', { 'bun.lock': '{ "packages": { "a": ["a@1"] } }' }, ['bun install --frozen-lockfile']],
    ['bun without packages', { 'bun.lock': '{ "packages": {} }' }, []],
    ['uv', { 'uv.lock': pythonPackage.repeat(2) }, ['uv sync --frozen']],
    ['uv with the project alone', { 'uv.lock': pythonPackage }, []],
    ['poetry', { 'poetry.lock': pythonPackage }, ['poetry install --no-interaction']],
    ['cargo', { 'Cargo.lock': '[[package]]\nname = "a"\nsource = "x"\n' }, ['cargo fetch --locked']],
    ['cargo without packages', { 'Cargo.lock': '[[package]]\nname = "shop"\n' }, []],
    ['go', { 'go.sum': 'a v1 h1:x\n' }, ['go mod download']],
    [
      'two languages',
      { 'package-lock.json': packages, 'go.sum': 'a v1 h1:x\n' },
      ['npm ci --prefer-offline --no-audit --no-fund', 'go mod download'],
    ],
    ['nothing', { 'README.md': '' }, []],
  ])('%s', (_, files, commands) =>
    inFolder(files, (project) =>
      expect(lockFileCommands(project).map(({ words }) => words.join(' '))).toEqual(commands),
    ),
  )
})

describe('[TREE-3] set-up from the files of other tools', () => {
  const codex = '.codex/environments/environment.toml'
  test.each<[string, Record<string, string>, string | undefined]>([
    [
      'Codex',
      { [codex]: "version = 1\n[setup]\nscript = '''\nnpm ci\nmake seed\n'''\n[[actions]]\n" },
      'npm ci\nmake seed',
    ],
    ['Codex, basic string', { [codex]: '[setup]\nscript = "echo \\"a\\"\\nmake"\n' }, 'echo "a"\nmake'],
    ['Codex, several lines', { [codex]: '[setup]\nscript = """\na \\\n  b\nc"""\n' }, 'a b\nc'],
    ['Codex, empty', { [codex]: '[setup]\nscript = ""\n' }, undefined],
    ['Codex, of another section', { [codex]: "[setup]\n[other]\nscript = 'x'\n" }, undefined],
    [
      'Cursor, lines',
      { '.cursor/worktrees.json': '{"setup-worktree": ["cd app", "npm ci"]}' },
      'cd app\nnpm ci',
    ],
    [
      'Cursor, for Unix',
      { '.cursor/worktrees.json': '{"setup-worktree": ["a"], "setup-worktree-unix": "set up.sh"}' },
      "sh '.cursor/set up.sh'",
    ],
    ['Conductor', { 'conductor.json': '{"scripts": {"setup": "npm ci", "run": "npm start"}}' }, 'npm ci'],
    [
      'Superset',
      { '.superset/config.json': '{"setup": ["./a.sh", "./b.sh"], "teardown": ["./c.sh"]}' },
      './a.sh\n./b.sh',
    ],
    ['emdash', { '.emdash.json': '{"scripts": {"setup": "npm ci"}}' }, 'npm ci'],
    ['not JSON', { 'conductor.json': 'scripts', '.emdash.json': '[]' }, undefined],
    [
      'other shapes',
      { 'conductor.json': '{"scripts": ["npm ci"]}', '.superset/config.json': '{"setup": 3}' },
      undefined,
    ],
  ])('%s', (_, files, script) =>
    inFolder(files, (project) => {
      const found = otherToolCommands(project, '/main', '/tree')
      expect(found.map(({ words }) => words)).toEqual(script ? [['sh', '-c', `set -e\n${script}`]] : [])
    }),
  )

  test('variables name the main checkout and the worktree', () =>
    inFolder({ 'conductor.json': '{"scripts": {"setup": "x"}}' }, (project) =>
      expect(otherToolCommands(project, '/main', '/tree')[0]!.variables).toEqual({
        CONDUCTOR_ROOT_PATH: '/main',
        CONDUCTOR_WORKSPACE_PATH: '/tree',
      }),
    ))

  test('patterns are without comments and empty lines', () =>
    inFolder(
      { '.worktreeinclude': '# a\n\n .env \n!.env.x\n', '.emdash.json': '{"preservePatterns": ["a", 1]}' },
      (project) =>
        expect(otherToolPatterns(project)).toEqual([
          { source: '.worktreeinclude', patterns: ['.env', '!.env.x'] },
          { source: '.emdash.json', patterns: ['a'] },
        ]),
    ))
})
