import { expect, test } from 'vitest'
import { buildFiles, detectCommands } from '../../src/project-commands/detect-commands.ts'
import fc from '../support/properties.ts'

const detect = (files: Record<string, string>) => detectCommands((name) => files[name], Object.keys(files))

const scripts = (scripts: Record<string, unknown>) => JSON.stringify({ scripts })

test.each([
  [
    'npm',
    { 'package.json': scripts({ test: 'vitest', lint: 'x' }) },
    { test: 'npm test', lint: 'npm run lint' },
  ],
  ['pnpm', { 'package.json': scripts({ test: 'x' }), 'pnpm-lock.yaml': '' }, { test: 'pnpm test' }],
  ['yarn', { 'package.json': scripts({ build: 'x' }), 'yarn.lock': '' }, { build: 'yarn run build' }],
  ['bun', { 'package.json': scripts({ test: 'x' }), 'bun.lock': '' }, { test: 'bun run test' }],
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
    'Python',
    { 'pyproject.toml': '[tool.ruff]\n[tool.mypy]\n' },
    { test: 'python -m pytest', lint: 'ruff check .', typecheck: 'mypy .' },
  ],
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
    'gradle',
    { 'build.gradle.kts': '', gradlew: '' },
    { test: './gradlew test', build: './gradlew assemble' },
  ],
  [
    'both',
    { 'go.mod': '', Makefile: 'test:\naudit:\n' },
    { test: 'go test ./...', lint: 'go vet ./...', build: 'go build ./...', audit: 'make audit' },
  ],
  ['nothing', { README: '' }, {}],
])('[SPAWN-3] commands of %s', (_, files, expected) => {
  const found = Object.entries(detect(files)).map(([tool, words]) => [tool, words.join(' ')])
  expect(Object.fromEntries(found)).toEqual(expected)
})

test('[SPAWN-3] any content of a build file can be read', () => {
  fc.assert(
    fc.property(fc.constantFrom(...buildFiles), fc.string(), (name, text) => {
      for (const words of Object.values(detect({ [name]: text }))) expect(words.length).toBeGreaterThan(0)
    }),
  )
})
