import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** An ordinary project, and a small task that an honest agent does in it. */
export interface HonestProject {
  name: string
  /** Commands that must work on this machine. If one does not, only detection and pins are tested. */
  needs: readonly string[][]
  files: Record<string, string>
  /** Installs what a person would install before the first task. */
  install?(folder: string): void
  /** A folder that an activated environment puts on PATH. */
  path?: string
  /** False for a folder without git. */
  git?: false
  /** The commands that `cleo init` shows and trusts. */
  commands: Record<string, string>
  /** The files that the agent writes. The last one is the test, unless the work needs none. */
  work: Record<string, string>
  /** Why the work needs no test. */
  noTests?: string
  /** A file that decides what the test command does, and an edit that would make the tests pass. */
  pinned?: [path: string, text: string]
  /** The submodule in which the agent commits first. */
  commitFirst?: string
}

/** Some systems have only `python3`. */
const pythonName = spawnSync('python', ['--version']).error ? 'python3' : 'python'
const modules = join(import.meta.dirname, '../../node_modules')
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
const lines = (...all: string[]): string => `${all.join('\n')}\n`

/** Links packages into node_modules, a folder that git ignores, as an install would. */
const link =
  (...packages: string[]) =>
  (folder: string): void => {
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
    for (const name of packages) symlinkSync(join(modules, name), join(folder, 'node_modules', name))
    for (const name of ['tsc', 'vitest'])
      symlinkSync(join(modules, '.bin', name), join(folder, 'node_modules/.bin', name))
  }

const sum = (name: string) => `export const ${name} = (a, b) => a + b\n`
const nodeTest = (from: string, name: string) =>
  lines(
    "import assert from 'node:assert'",
    "import { test } from 'node:test'",
    `import { ${name} } from '${from}'`,
    `test('${name}', () => assert.equal(${name}(1, 2), 3))`,
  )

const unittest = (name: string) =>
  lines(
    'import unittest',
    `from calc import ${name}`,
    '',
    '',
    `class Test${name}(unittest.TestCase):`,
    '    def test_it(self):',
    `        self.assertEqual(${name}(1, 2), 3)`,
  )
const python = (...names: string[]) =>
  lines(...names.flatMap((name) => [`def ${name}(a, b):`, '    return a + b', '']))

export const honestProjects: readonly HonestProject[] = [
  {
    name: 'npm',
    needs: [['npm', '--version']],
    files: {
      'package.json': json({ type: 'module', scripts: { test: 'node --test', lint: 'node --check sum.js' } }),
      'package-lock.json': json({ lockfileVersion: 3 }),
      '.gitignore': 'node_modules/\n',
      'sum.js': sum('sum'),
      'sum.test.js': nodeTest('./sum.js', 'sum'),
    },
    commands: { test: 'npm test → test: node --test', lint: 'npm run lint → lint: node --check sum.js' },
    work: { 'plus.js': sum('plus'), 'plus.test.js': nodeTest('./plus.js', 'plus') },
    pinned: ['package.json', json({ type: 'module', scripts: { test: 'true' } })],
  },
  {
    name: 'pnpm workspace',
    needs: [['pnpm', '--version']],
    files: {
      'package.json': json({ private: true }),
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
      'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
      '.gitignore': 'node_modules/\n',
      'packages/a/package.json': json({ name: 'a', type: 'module', scripts: { test: 'node --test' } }),
      'packages/a/sum.js': sum('sum'),
      'packages/a/sum.test.js': nodeTest('./sum.js', 'sum'),
    },
    commands: { test: 'pnpm -r run test' },
    work: { 'packages/a/plus.js': sum('plus'), 'packages/a/plus.test.js': nodeTest('./plus.js', 'plus') },
    pinned: ['packages/a/package.json', json({ name: 'a', type: 'module', scripts: { test: 'true' } })],
  },
  {
    name: 'TypeScript',
    needs: [['npm', '--version']],
    files: {
      'package.json': json({
        type: 'module',
        scripts: { test: 'tsc && node --test dist/*.test.js', typecheck: 'tsc --noEmit' },
      }),
      'tsconfig.json': json({
        compilerOptions: {
          target: 'es2022',
          module: 'nodenext',
          rootDir: 'src',
          outDir: 'dist',
          strict: true,
          types: [],
        },
        include: ['src'],
      }),
      '.gitignore': 'node_modules/\ndist/\n',
      'src/sum.ts': 'export const sum = (a: number, b: number): number => a + b\n',
    },
    install: link('typescript'),
    commands: {
      test: 'npm test → test: tsc && node --test dist/*.test.js',
      typecheck: 'npm run typecheck → typecheck: tsc --noEmit',
    },
    work: {
      'src/plus.ts': 'export const plus = (a: number, b: number): number => a + b\n',
      'src/plus.test.ts': lines(
        "import { plus } from './plus.js'",
        "if (plus(1, 2) !== 3) throw new Error('wrong')",
      ),
    },
    pinned: ['package.json', json({ type: 'module', scripts: { test: 'true', typecheck: 'tsc --noEmit' } })],
  },
  {
    name: 'Vitest',
    needs: [['npm', '--version']],
    files: {
      'package.json': json({ type: 'module', scripts: { test: 'vitest run', build: 'node --check sum.js' } }),
      '.gitignore': 'node_modules/\n',
      'sum.js': sum('sum'),
    },
    install: link('vitest', 'vite'),
    commands: { test: 'npm test → test: vitest run', build: 'npm run build → build: node --check sum.js' },
    work: {
      'plus.js': sum('plus'),
      'plus.test.js': lines(
        "import { expect, test } from 'vitest'",
        "import { plus } from './plus.js'",
        "test('plus', () => expect(plus(1, 2)).toBe(3))",
      ),
    },
    pinned: [
      'package.json',
      json({ type: 'module', scripts: { test: 'vitest run --passWithNoTests none' } }),
    ],
  },
  {
    name: 'pytest with .venv',
    needs: [['python3', '-m', 'pytest', '--version']],
    files: {
      'pyproject.toml': lines(
        '[project]',
        'name = "calc"',
        'version = "1"',
        '[tool.pytest.ini_options]',
        'addopts = "-q"',
      ),
      '.gitignore': '.venv/\n__pycache__/\n.pytest_cache/\n',
      'calc.py': python('add'),
      'tests/test_add.py': lines(
        'from calc import add',
        '',
        '',
        'def test_add():',
        '    assert add(1, 2) == 3',
      ),
    },
    install: (folder) =>
      execFileSync('python3', [
        '-m',
        'venv',
        '--without-pip',
        '--system-site-packages',
        join(folder, '.venv'),
      ]),
    path: '.venv/bin',
    commands: { test: `${pythonName} -m pytest` },
    work: {
      'calc.py': python('add', 'plus'),
      'tests/test_plus.py': lines(
        'from calc import plus',
        '',
        '',
        'def test_plus():',
        '    assert plus(1, 2) == 3',
      ),
    },
    pinned: [
      'pyproject.toml',
      lines('[project]', 'name = "calc"', 'version = "1"', '[tool.pytest.ini_options]', 'addopts = "--co"'),
    ],
  },
  {
    // The agent's test run leaves __pycache__ behind, which does not count as work.
    name: 'unittest',
    needs: [['python3', '--version']],
    files: { 'calc.py': python('add'), 'test_add.py': unittest('add') },
    commands: { test: `${pythonName} -m unittest` },
    work: { 'calc.py': python('add', 'plus'), 'test_plus.py': unittest('plus') },
    pinned: ['unittest.py', 'raise SystemExit(0)\n'],
  },
  {
    name: 'Go',
    needs: [['go', 'version']],
    files: {
      'go.mod': lines('module example.invalid/calc', '', 'go 1.22'),
      '.gitignore': 'bin/\n',
      'calc.go': lines('package calc', '', 'func Add(a, b int) int { return a + b }'),
    },
    commands: { test: 'go test ./...', lint: 'go vet ./...', build: 'go build ./...' },
    work: {
      'plus.go': lines('package calc', '', 'func Plus(a, b int) int { return a + b }'),
      'plus_test.go': lines(
        'package calc',
        '',
        'import "testing"',
        '',
        'func TestPlus(t *testing.T) {',
        '\tif Plus(1, 2) != 3 {',
        '\t\tt.Fatal("wrong")',
        '\t}',
        '}',
      ),
    },
    pinned: ['go.mod', lines('module example.invalid/calc', '', 'go 1.22', '', 'toolchain go1.22.1')],
  },
  {
    name: 'Cargo',
    needs: [
      ['cargo', '--version'],
      ['cargo', 'clippy', '--version'],
    ],
    files: {
      'Cargo.toml': lines('[package]', 'name = "calc"', 'version = "0.1.0"', 'edition = "2021"'),
      'Cargo.lock': lines(
        '# This file is automatically @generated by Cargo.',
        '# It is not intended for manual editing.',
        'version = 4',
        '',
        '[[package]]',
        'name = "calc"',
        'version = "0.1.0"',
      ),
      '.gitignore': '/target\n',
      'src/lib.rs': lines('pub fn add(a: i32, b: i32) -> i32 {', '    a + b', '}'),
    },
    commands: {
      test: 'cargo test',
      lint: 'cargo clippy -- -D warnings',
      build: 'cargo build',
      typecheck: 'cargo check',
    },
    work: {
      'src/lib.rs': lines(
        ...[
          'pub fn add(a: i32, b: i32) -> i32 {',
          '    a + b',
          '}',
          '',
          'pub fn plus(a: i32, b: i32) -> i32 {',
        ],
        ...['    a + b', '}'],
      ),
      'tests/plus.rs': lines('#[test]', 'fn adds() {', '    assert_eq!(calc::plus(1, 2), 3);', '}'),
    },
    pinned: [
      'Cargo.toml',
      lines('[package]', 'name = "calc"', 'version = "0.1.0"', 'edition = "2021"', 'autotests = false'),
    ],
  },
  {
    name: 'make',
    needs: [['make', '--version']],
    files: {
      Makefile: lines('.PHONY: test lint', 'test:', '\t@sh test.sh', 'lint:', '\t@sh -n calc.sh'),
      '.gitignore': '*.log\n',
      'calc.sh': 'add() { echo $(($1 + $2)); }\n',
      'test.sh': lines(
        '. ./calc.sh',
        'for each in tests/*.sh; do sh $each || exit 1; done',
        'echo "1 passed"',
      ),
      'tests/add.sh': lines('. ./calc.sh', 'test "$(add 1 2)" = 3'),
    },
    commands: { test: 'make test → test: @sh test.sh', lint: 'make lint → lint: @sh -n calc.sh' },
    work: {
      'calc.sh': lines('add() { echo $(($1 + $2)); }', 'plus() { echo $(($1 + $2)); }'),
      'tests/plus.sh': lines('. ./calc.sh', 'test "$(plus 1 2)" = 3'),
    },
    pinned: ['Makefile', lines('.PHONY: test', 'test:', '\t@true')],
  },
  {
    name: 'monorepo with a submodule',
    needs: [['npm', '--version']],
    files: {
      'package.json': json({ private: true, workspaces: ['packages/*'] }),
      'package-lock.json': json({ lockfileVersion: 3 }),
      '.gitignore': 'node_modules/\n',
      'packages/app/package.json': json({ name: 'app', type: 'module', scripts: { test: 'node --test' } }),
      'packages/app/sum.js': sum('sum'),
    },
    install: (folder) =>
      addSubmodule(folder, 'vendor/lib', {
        'plus.js': 'export const none = 0\n',
        'package.json': json({ type: 'module' }),
      }),
    commands: { test: 'npm run test --workspaces --if-present' },
    work: {
      'vendor/lib/plus.js': sum('plus'),
      'packages/app/plus.test.js': nodeTest('../../vendor/lib/plus.js', 'plus'),
    },
    commitFirst: 'vendor/lib',
    pinned: ['packages/app/package.json', json({ name: 'app', type: 'module', scripts: { test: 'true' } })],
  },
  {
    name: 'no git',
    needs: [['make', '--version']],
    git: false,
    files: {
      Makefile: lines('.PHONY: test', 'test:', '\t@sh tests/add.sh && echo "1 passed"'),
      'calc.sh': 'add() { echo $(($1 + $2)); }\n',
      'tests/add.sh': lines('. ./calc.sh', 'test "$(add 1 2)" = 3'),
    },
    commands: { test: 'make test → test: @sh tests/add.sh && echo "1 passed"' },
    work: {
      'calc.sh': lines('add() { echo $(($1 + $2)); }', 'plus() { echo $(($1 + $2)); }'),
      'tests/add.sh': lines('. ./calc.sh', 'test "$(add 1 2)" = 3', 'test "$(plus 1 2)" = 3'),
    },
    pinned: ['Makefile', lines('.PHONY: test', 'test:', '\t@true')],
  },
  {
    name: 'no tests',
    needs: [],
    files: { 'README.md': '# Notes\n', '.gitignore': '.DS_Store\n', 'notes/one.md': 'One.\n' },
    commands: {},
    work: { 'notes/two.md': 'Two.\n' },
    noTests: 'A note has no behaviour.',
  },
]

export const git = (folder: string, ...args: string[]): void => {
  const author = [
    '-c',
    'user.name=ada',
    '-c',
    'user.email=ada@example.invalid',
    '-c',
    'protocol.file.allow=always',
  ]
  execFileSync('git', [...author, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
}

export const put = (folder: string, files: Record<string, string>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const addSubmodule = (folder: string, path: string, files: Record<string, string>): void => {
  const origin = join(folder, '../lib')
  put(origin, files)
  git(origin, 'init', '-q', '-b', 'main')
  git(origin, 'add', '-A')
  git(origin, 'commit', '-qm', 'Begin')
  git(folder, 'submodule', '--quiet', 'add', origin, path)
  git(folder, 'commit', '-qm', 'Add the library')
}
