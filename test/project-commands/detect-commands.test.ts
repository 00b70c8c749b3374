import { chmodSync } from 'node:fs'
import { expect, test } from 'vitest'
import { buildFiles } from '../../src/project-commands/build-file-names.ts'
import { detectCommands } from '../../src/project-commands/detect-commands.ts'
import { inLayout } from '../support/layout.ts'
import fc from '../support/properties.ts'

const scripts = (scripts: Record<string, unknown>, more: object = {}) => JSON.stringify({ scripts, ...more })

/** Detects the commands of a folder. A program `python` is on PATH. */
const detect = (files: Record<string, string>) =>
  inLayout(
    { ...files, 'on-path/python': '' },
    (project, folder) => {
      chmodSync(`${folder}/on-path/python`, 0o755)
      return detectCommands(project)
    },
    'on-path',
  )

const unittest = 'import unittest\nclass A(unittest.TestCase):\n  pass\n'
const packages = { 'packages/a/package.json': scripts({ test: 'vitest run', lint: 'eslint .' }) }

test.each([
  [
    'npm',
    { 'package.json': scripts({ test: 'vitest', lint: 'x' }) },
    { test: 'npm test', lint: 'npm run lint' },
  ],
  ['pnpm', { 'package.json': scripts({ test: 'x' }), 'pnpm-lock.yaml': '' }, { test: 'pnpm test' }],
  ['yarn', { 'package.json': scripts({ build: 'x' }), 'yarn.lock': '' }, { build: 'yarn run build' }],
  ['bun', { 'package.json': scripts({ test: 'x' }), 'bun.lock': '' }, { test: 'bun run test' }],
  [
    'a project that names its package manager',
    { 'package.json': scripts({ test: 'x' }, { packageManager: 'pnpm@9.1.0' }) },
    { test: 'pnpm test' },
  ],
  [
    'a pnpm workspace without scripts in its root',
    { 'package.json': '{}', 'pnpm-workspace.yaml': 'packages:\n  - "packages/*"\n', ...packages },
    { test: 'pnpm -r run test', lint: 'pnpm -r run lint' },
  ],
  [
    'an npm workspace without scripts in its root',
    { 'package.json': JSON.stringify({ workspaces: ['packages/*'] }), ...packages },
    {
      test: 'npm run test --workspaces --if-present',
      lint: 'npm run lint --workspaces --if-present',
    },
  ],
  [
    'a yarn workspace without scripts in its root',
    {
      'package.json': JSON.stringify({ workspaces: { packages: ['packages/a'] } }),
      'yarn.lock': '',
      '.yarnrc.yml': '',
      ...packages,
    },
    {
      test: 'yarn workspaces foreach --all run test',
      lint: 'yarn workspaces foreach --all run lint',
    },
  ],
  [
    'a bun workspace without scripts in its root',
    { 'package.json': JSON.stringify({ workspaces: ['packages/*'] }), 'bun.lockb': '', ...packages },
    { test: 'bun run --filter * test', lint: 'bun run --filter * lint' },
  ],
  ['no tests yet', { 'package.json': scripts({ test: 'echo "Error: no test specified" && exit 1' }) }, {}],
  ['broken', { 'package.json': '{' }, {}],
  ['strange', { 'package.json': scripts({ test: 7 }) }, {}],
  [
    'Rust',
    { 'Cargo.toml': '' },
    {
      test: 'cargo test',
      lint: 'cargo clippy -- -D warnings',
      build: 'cargo build',
      typecheck: 'cargo check',
    },
  ],
  ['Go', { 'go.mod': '' }, { test: 'go test ./...', lint: 'go vet ./...', build: 'go build ./...' }],
  [
    'make',
    { Makefile: 'test: build\n\t./t\nbuild:\nlint := x\n' },
    { test: 'make test', build: 'make build' },
  ],
  [
    'make with two targets in one rule',
    { Makefile: 'test lint: build\n' },
    { test: 'make test', lint: 'make lint' },
  ],
  ['make check', { Makefile: 'check:\n' }, { test: 'make check' }],
  [
    'make with included rules',
    { makefile: 'include mk/*.mk\n', 'mk/a.mk': 'test:\n\ttrue\n' },
    { test: 'make test' },
  ],
  [
    'gradle',
    { 'build.gradle.kts': '', gradlew: '' },
    { test: './gradlew test', build: './gradlew assemble' },
  ],
  [
    'Maven with its wrapper',
    { 'pom.xml': '', mvnw: '' },
    { test: './mvnw -q test', build: './mvnw -q package -DskipTests' },
  ],
  [
    'both',
    { 'go.mod': '', Makefile: 'test:\naudit:\n' },
    { test: 'go test ./...', lint: 'go vet ./...', build: 'go build ./...', audit: 'make audit' },
  ],
  ['nothing', { README: '' }, {}],
])('[SPAWN-3] commands of %s', async (_, files, expected) => {
  const found = Object.entries(await detect(files)).map(([tool, words]) => [tool, words.join(' ')])
  expect(Object.fromEntries(found)).toEqual(expected)
})

test.each([
  ['unittest', { 'test_a.py': unittest }, 'python -m unittest'],
  ['unittest with pyproject.toml', { 'pyproject.toml': '', 'test_a.py': unittest }, 'python -m unittest'],
  ['a folder of unittest', { 'tests/test_a.py': unittest }, 'python -m unittest discover -s tests'],
  [
    'a package of unittest',
    { 'setup.py': '', 'tests/__init__.py': '', 'tests/test_a.py': unittest },
    'python -m unittest',
  ],
  ['pytest in pyproject.toml', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, 'python -m pytest'],
  [
    'pytest as a requirement',
    { 'requirements.txt': 'pytest==8\n', 'tests/test_a.py': unittest },
    'python -m pytest',
  ],
  ['conftest.py', { 'conftest.py': '', 'test_a.py': 'def test_a(): pass\n' }, 'python -m pytest'],
  ['tests that only pytest runs', { 'test_a.py': 'def test_a():\n  pass\n' }, 'python -m pytest'],
  ['uv', { 'pyproject.toml': 'dev = ["pytest"]\n', 'uv.lock': '' }, 'uv run pytest'],
  ['poetry', { 'pyproject.toml': '[tool.poetry]\npytest = "8"\n', 'poetry.lock': '' }, 'poetry run pytest'],
  [
    'uv with unittest',
    { 'uv.lock': '', 'pyproject.toml': '', 'test_a.py': unittest },
    'uv run python -m unittest',
  ],
  [
    'hatch',
    { 'pyproject.toml': '[tool.hatch.envs.default.scripts]\ntest = "python -m unittest"\n' },
    'hatch run test',
  ],
  ['Django', { 'manage.py': '' }, 'python manage.py test'],
  ['Python without tests', { 'pyproject.toml': '[project]\nname = "a"\n', 'a.py': '' }, undefined],
])('[GATE-5] the test command of %s', async (_, files, expected) => {
  expect((await detect(files)).test?.join(' ')).toBe(expected)
})

test('[GATE-5] lint and types of a Python project; python3 where there is no python', async () => {
  const files = { 'pyproject.toml': '[tool.ruff]\n[tool.mypy]\n', 'test_a.py': unittest }
  expect(await detect(files)).toEqual({
    test: ['python', '-m', 'unittest'],
    lint: ['ruff', 'check', '.'],
    typecheck: ['mypy', '.'],
  })
  const found = await inLayout(
    { ...files, 'on-path/python3': '' },
    (project) => detectCommands(project),
    'on-path',
  )
  expect(found.test).toEqual(['python3', '-m', 'unittest'])
})

test('[SPAWN-3] any content of a build file can be read', () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(...buildFiles), fc.string(), async (name, text) => {
      for (const words of Object.values(await detect({ [name]: text })))
        expect(words.length).toBeGreaterThan(0)
    }),
  ))
