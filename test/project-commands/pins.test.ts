import { expect, test } from 'vitest'
import { nodeHost } from '../../src/host/node-host.ts'
import { decideCommand } from '../../src/project-commands/decide-command.ts'
import { changeSince } from '../../src/project-commands/pin.ts'
import { cpuTime } from '../support/cpu-time.ts'
import { put } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'

type Layout = Record<string, string>

/** Pins a command in a real folder. */
const pinIn = (folder: string, command: string) => {
  const words = command.split(' ')
  const host = { ...nodeHost(), env: {} }
  const { source, files } = decideCommand({ host, root: folder }, folder)(words)
  const what = [command, ...source].join(' → ')
  return { words, what, files, sha256: JSON.stringify([what, files]) }
}

/** Returns the words with which CLEO says, after an edit, that the command has changed. */
const changeBy = (command: string, before: Layout, edit: Layout): Promise<string | undefined> =>
  withTemp(async (folder) => {
    put(folder, before)
    const pin = pinIn(folder, command)
    put(folder, edit)
    return changeSince(pin, pinIn(folder, command))
  })

const scripts = (scripts: Layout, more: object = {}) => JSON.stringify({ scripts, ...more })
const workspace = {
  'package.json': scripts({ test: 'npm test --workspaces' }, { workspaces: ['packages/*'] }),
  'packages/a/package.json': scripts({ test: 'vitest run', dev: 'vite' }),
  'packages/b/package.json': scripts({ dev: 'vite' }),
}
const pnpm = {
  'package.json': scripts({ test: 'turbo run test' }),
  'pnpm-workspace.yaml': 'packages:\n  - packages/**\ncatalog:\n  react: 18\n',
  'turbo.json': '{"tasks":{"test":{"dependsOn":["build"]}}}',
  'packages/a/deep/package.json': scripts({ test: 'vitest run', build: 'tsc' }),
}
const gradle = {
  gradlew: '#!/bin/sh\n',
  'gradle/wrapper/gradle-wrapper.properties': 'a\n',
  'build.gradle': '',
}
const gradleModules = { ...gradle, 'settings.gradle': 'include(":app")\n', 'app/build.gradle.kts': '' }
const maven = { 'pom.xml': '<project><modules><module>core</module></modules></project>', 'core/pom.xml': '' }
const pytest = { 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-q"\n' }
const make = {
  Makefile: 'include mk/*.mk\ntest:\n\t$(MAKE) -C lib check\n',
  'mk/a.mk': '',
  'lib/Makefile': 'check:\n',
}

// Edits with which an agent could keep the command from testing anything.
test.each<[command: string, before: Layout, edit: Layout, named: string]>([
  [
    'make lint',
    { Makefile: 'ifeq (a,a)\n\tinclude mk/a.mk\nendif\nlint:\n\t$(LINT)\n', 'mk/a.mk': 'LINT=./check\n' },
    { 'mk/a.mk': 'SHELL=/bin/true\nLINT=./check\n' },
    'mk/a.mk',
  ],
  ['pytest', pytest, { 'pytest.toml': '[pytest]\naddopts = "--co"\n' }, 'pytest.toml'],
  ['cargo test', { 'Cargo.toml': '[lib]\n' }, { 'Cargo.toml': '[lib]\n"test" = false\n' }, 'Cargo.toml'],
  ['cargo test', { 'Cargo.toml': '' }, { 'Cargo.toml': 'lib = { test = false }\n' }, 'Cargo.toml'],
  [
    'npm test',
    workspace,
    { 'packages/a/package.json': scripts({ test: 'true' }) },
    'packages/a/package.json',
  ],
  [
    'npm test',
    workspace,
    { 'packages/a/package.json': scripts({ test: 'vitest run', pretest: 'rm -r src' }) },
    'packages/a/package.json',
  ],
  ['npm test', workspace, { '.npmrc': 'script-shell=/bin/true\n' }, '.npmrc'],
  ['npm test', workspace, { '.npmrc': 'ignore-scripts=true\n' }, '.npmrc'],
  ['npm test', workspace, { 'mise.toml': '[env]\n_.path = ["./bin"]\n' }, 'mise.toml'],
  [
    'npm test',
    { 'package.json': scripts({ test: 'node tools/run.js' }), 'tools/run.js': 'run()\n' },
    { 'tools/run.js': '' },
    'tools/run.js',
  ],
  [
    'npm test',
    {
      'package.json': scripts({ test: 'cd web && npm test' }),
      'web/package.json': scripts({ test: 'vitest' }),
    },
    { 'web/package.json': scripts({ test: 'true' }) },
    'web/package.json',
  ],
  [
    'npm test',
    {
      ...workspace,
      'nx.json': '{}',
      'package.json': scripts({ test: 'nx run-many -t test' }, { workspaces: ['packages/*'] }),
    },
    { 'packages/a/project.json': '{"targets":{"test":{"command":"true"}}}' },
    'packages/a/project.json',
  ],
  [
    'pnpm test',
    pnpm,
    { 'packages/a/deep/package.json': scripts({ test: 'vitest run', build: 'true' }) },
    'packages/a/deep/package.json',
  ],
  ['pnpm test', pnpm, { 'turbo.json': '{"tasks":{"test":{"cache":true}}}' }, 'turbo.json'],
  [
    'pnpm test',
    pnpm,
    { 'pnpm-workspace.yaml': `${pnpm['pnpm-workspace.yaml']}scriptShell: /bin/true\n` },
    'pnpm-workspace.yaml',
  ],
  ['pnpm test', pnpm, { 'pnpm-workspace.yaml': 'packages: ["other/*"]\n' }, 'packages/a/deep/package.json'],
  [
    'pnpm test',
    pnpm,
    { 'package.json': scripts({ test: 'turbo run test' }, { packageManager: 'pnpm@1.0.0' }) },
    'package.json',
  ],
  [
    'yarn test',
    {
      'package.json': scripts({ test: 'jest' }),
      '.yarnrc.yml': 'yarnPath: .yarn/releases/yarn.cjs\n',
      '.yarn/releases/yarn.cjs': 'run()\n',
    },
    { '.yarn/releases/yarn.cjs': '' },
    '.yarn/releases/yarn.cjs',
  ],
  [
    'bun run test',
    { 'package.json': scripts({ test: 'bun test' }) },
    { 'bunfig.toml': '[test]\npreload = ["./x.ts"]\n' },
    'bunfig.toml',
  ],
  ['deno test', { 'deno.json': '{}' }, { 'deno.json': '{"test":{"exclude":["**"]}}' }, 'deno.json'],
  [
    'cargo test',
    { 'Cargo.toml': '[package]\n' },
    { '.cargo/config.toml': '[alias]\ntest = "check"\n' },
    '.cargo/config.toml',
  ],
  [
    'cargo test',
    { 'Cargo.toml': '[package]\n' },
    { 'rust-toolchain.toml': '[toolchain]\npath = "./fake"\n' },
    'rust-toolchain.toml',
  ],
  [
    'cargo test',
    { 'Cargo.toml': '[package]\n' },
    { 'Cargo.toml': '[package]\nautotests = false\n' },
    'Cargo.toml',
  ],
  [
    'cargo test',
    { 'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n', 'crates/a/Cargo.toml': '[lib]\n' },
    { 'crates/a/Cargo.toml': '[lib]\ntest = false\n' },
    'crates/a/Cargo.toml',
  ],
  ['go test ./...', { 'go.mod': 'module a\n' }, { 'go.mod': 'module a\ntoolchain go1.1\n' }, 'go.mod'],
  ['python -m pytest', pytest, { 'pytest.py': '' }, 'pytest.py'],
  ['python -m pytest', pytest, { 'pytest/__main__.py': '' }, 'pytest/__main__.py'],
  ['python -m pytest', pytest, { 'pluggy.py': '' }, 'pluggy.py'],
  ['python -m pytest', pytest, { 'argparse.py': '' }, 'modules with the name of a standard Python module'],
  ['python3 -m unittest', {}, { 'unittest.py': '' }, 'unittest.py'],
  ['python -m unittest', {}, { 'sitecustomize.py': '' }, 'sitecustomize.py'],
  ['python -m unittest', {}, { 'usercustomize.py': '' }, 'usercustomize.py'],
  ['python -m pytest', pytest, { 'pytest.ini': '[pytest]\naddopts = --collect-only\n' }, 'pytest.ini'],
  [
    'python -m pytest',
    pytest,
    { 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "--co"\n' },
    'pyproject.toml',
  ],
  ['python -m pytest', pytest, { 'setup.cfg': '[tool:pytest]\naddopts = --co\n' }, 'setup.cfg'],
  ['python -m pytest', pytest, { 'tox.ini': '[pytest]\naddopts = --co\n' }, 'tox.ini'],
  [
    'poetry run pytest',
    pytest,
    { 'pyproject.toml': `${pytest['pyproject.toml']}[tool.poetry.scripts]\npytest = "a:b"\n` },
    'pyproject.toml',
  ],
  ['python manage.py test', { 'manage.py': 'run()\n' }, { 'manage.py': '' }, 'manage.py'],
  [
    'tox',
    { 'tox.ini': '[testenv]\ncommands = pytest\n' },
    { 'tox.ini': '[testenv]\ncommands = true\n' },
    'tox.ini',
  ],
  ['bundle exec rspec', {}, { '.rspec': '--dry-run\n' }, '.rspec'],
  ['rake test', { Rakefile: 'task :test\n' }, { Rakefile: '' }, 'Rakefile'],
  ['./gradlew test', gradle, { gradlew: '#!/bin/sh\nexit 0\n' }, 'gradlew'],
  [
    './gradlew test',
    gradle,
    { 'gradle/wrapper/gradle-wrapper.properties': 'b\n' },
    'gradle/wrapper/gradle-wrapper.properties',
  ],
  [
    './gradlew test',
    gradle,
    { 'gradle/wrapper/gradle-wrapper.jar': '\u00ff' },
    'gradle/wrapper/gradle-wrapper.jar',
  ],
  [
    './gradlew test',
    gradle,
    { 'gradle.properties': 'org.gradle.configureondemand=true\n' },
    'gradle.properties',
  ],
  ['./gradlew test', gradle, { 'build.gradle': 'test {\n  enabled = false\n}\n' }, 'build.gradle'],
  [
    './gradlew test',
    gradleModules,
    { 'app/build.gradle.kts': 'tasks.test { ignoreFailures = true }\n' },
    'app/build.gradle.kts',
  ],
  ['mvn -q test', maven, { '.mvn/maven.config': '-DskipTests\n' }, '.mvn/maven.config'],
  ['mvn -q test', maven, { '.mvn/jvm.config': '-Dmaven.test.skip=true\n' }, '.mvn/jvm.config'],
  ['mvn -q test', maven, { '.mvn/extensions.xml': '<extensions/>' }, '.mvn/extensions.xml'],
  ['./mvnw -q test', { ...maven, mvnw: 'run\n' }, { mvnw: '' }, 'mvnw'],
  [
    './mvnw -q test',
    { ...maven, mvnw: 'run\n' },
    { '.mvn/wrapper/maven-wrapper.properties': 'x' },
    '.mvn/wrapper/maven-wrapper.properties',
  ],
  [
    'mvn -q test',
    maven,
    { 'pom.xml': maven['pom.xml'].replace('<modules>', '\n<skipTests>true</skipTests>\n<modules>') },
    'pom.xml',
  ],
  ['mvn -q test', maven, { 'core/pom.xml': '<testFailureIgnore>true</testFailureIgnore>' }, 'core/pom.xml'],
  [
    'mix test',
    { 'mix.exs': 'def project do\n' },
    { 'mix.exs': 'def aliases do\n[test: "cmd true"]\n' },
    'mix.exs',
  ],
  ['make test', make, { 'mk/a.mk': 'SHELL = /bin/true\n' }, 'mk/a.mk'],
  ['make test', make, { 'mk/z.mk': 'SHELL = /bin/true\n' }, 'mk/*.mk'],
  ['make test', make, { 'lib/Makefile': 'check:\n\ttrue\n' }, 'lib/Makefile'],
  ['make test', make, { 'lib/GNUmakefile': 'check:\n\ttrue\n' }, 'lib/GNUmakefile'],
  ['make test', { Makefile: 'test:\n\tpython3 -m unittest\n' }, { 'unittest.py': '' }, 'unittest.py'],
  ['just test', { justfile: 'test:\n  cargo test\n' }, { justfile: 'test:\n  true\n' }, 'justfile'],
])('[GATE-5] %s: an edit of what decides it is noticed (%#)', async (command, before, edit, named) => {
  const change = await changeBy(command, before, edit)
  expect(change, `${Object.keys(edit)} went unnoticed`).toBeDefined()
  expect(change).toContain(named)
})

// Edits that agents make in ordinary work.
test.each<[command: string, before: Layout, edit: Layout]>([
  [
    'npm test',
    workspace,
    { 'packages/a/package.json': scripts({ test: 'vitest run', dev: 'vite --open', start: 'x' }) },
  ],
  ['npm test', workspace, { 'packages/c/package.json': scripts({ test: 'vitest run' }) }],
  ['npm test', workspace, { 'packages/b/package.json': scripts({ test: 'vitest run' }) }],
  [
    'npm test',
    workspace,
    {
      'package.json': JSON.stringify({ ...JSON.parse(workspace['package.json']), dependencies: { a: '1' } }),
    },
  ],
  [
    'npm test',
    workspace,
    { 'vitest.config.ts': 'export default {}\n', 'tsconfig.json': '{}', 'test/a.test.ts': '' },
  ],
  ['npm test', { 'package.json': scripts({ test: 'node test.js' }), 'test.js': '1\n' }, { 'test.js': '2\n' }],
  [
    'npm test',
    { 'package.json': scripts({ test: 'node test/all.js' }), 'test/all.js': '' },
    { 'test/all.js': '2\n' },
  ],
  ['pnpm test', pnpm, { 'pnpm-workspace.yaml': pnpm['pnpm-workspace.yaml'].replace('18', '19') }],
  [
    'cargo test',
    { 'Cargo.toml': '[dependencies]\n' },
    { 'Cargo.toml': '[dependencies]\nserde = "1"\n', 'build.rs': '' },
  ],
  [
    'go test ./...',
    { 'go.mod': 'module a\n' },
    { 'go.mod': 'module a\nrequire b v1.0.0\n', 'a_test.go': '' },
  ],
  [
    'python -m pytest',
    pytest,
    {
      'pyproject.toml': `${pytest['pyproject.toml']}markers = [\n  "slow: takes long",\n]\n[project]\ndependencies = ["a"]\n`,
    },
  ],
  [
    'python -m pytest',
    pytest,
    { 'conftest.py': 'x\n', 'tests/test_a.py': '', 'app/__init__.py': '', 'main.py': '' },
  ],
  [
    './gradlew test',
    gradleModules,
    { 'app/build.gradle.kts': 'dependencies {\n testImplementation("a:b:1")\n}\n' },
  ],
  [
    './gradlew test',
    gradleModules,
    { 'settings.gradle': 'include(":app")\ninclude(":lib")\n', 'lib/build.gradle': '' },
  ],
  [
    'mvn -q test',
    maven,
    { 'pom.xml': maven['pom.xml'].replace('<modules>', '\n<dependency>a</dependency>\n<modules>') },
  ],
  [
    'mix test',
    { 'mix.exs': 'defp deps do\n' },
    { 'mix.exs': 'defp deps do\n{:mox, "~> 1.0", only: :test}\n' },
  ],
  [
    'make test',
    { Makefile: 'test:\n\tsh test/run.sh\n', 'test/run.sh': '' },
    { 'test/run.sh': 'x\n', 'src/a.c': '' },
  ],
  ['make test', { Makefile: 'test:\n\tsh -n form.sh\n', 'form.sh': '' }, { 'form.sh': 'x\n' }],
  ['make test', { Makefile: 'test:\n\tnode src/cli.js\n', 'src/cli.js': '' }, { 'src/cli.js': 'x\n' }],
])('[GATE-5] %s: ordinary work is no change (%#)', async (command, before, edit) => {
  expect(await changeBy(command, before, edit)).toBeUndefined()
})

test('[GATE-5] a workspace of 1,000 packages is pinned in a moment and in little space', () =>
  withTemp(async (folder) => {
    const packages = Array.from({ length: 1000 }, (_, i) => [
      `packages/p${i}/package.json`,
      scripts({ test: 'vitest run', build: 'tsc' }),
    ])
    put(folder, { ...workspace, ...Object.fromEntries(packages) })
    const spent = cpuTime(() => {
      const { files } = pinIn(folder, 'npm test')
      expect(Object.keys(files).filter((path) => path.startsWith('packages/'))).toHaveLength(1001)
      expect(JSON.stringify(files).length).toBeLessThan(100_000)
    })
    expect(spent).toBeLessThan(3000)
  }))

test('[GATE-5] patterns that lead nowhere or everywhere are read up to a limit', () =>
  withTemp(async (folder) => {
    const patterns = ['**', '../**', '/etc/*', '*'.repeat(40), '**/**/**/**', '!packages/a']
    put(folder, { ...workspace, 'package.json': scripts({ test: 'x' }, { workspaces: patterns }) })
    const spent = cpuTime(() => {
      const { files } = pinIn(folder, 'npm test')
      expect(Object.keys(files).join()).not.toContain('/etc')
    })
    expect(spent).toBeLessThan(3000)
  }))
