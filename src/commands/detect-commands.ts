import type { Commands, Tool } from '../kernel/config-words.ts'

/** The files that tell how a project is tested and built; which of them are there decides what is read. */
export const tellingFiles = [
  'package.json',
  'deno.json',
  'Cargo.toml',
  'go.mod',
  'pyproject.toml',
  'pytest.ini',
  'mix.exs',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'Makefile',
] as const
type Telling = (typeof tellingFiles)[number]

/**
 * The project's own commands, from its build files. The first file that knows a command gives it: the language's own
 * tools before a Makefile, which often only wraps them.
 */
export const detectCommands = (
  text: (file: Telling) => string | undefined,
  names: readonly string[],
): Commands => {
  const found: Commands = {}
  for (const file of tellingFiles) {
    const content = text(file)
    if (content !== undefined) Object.assign(found, { ...readers[file](content, names), ...found })
  }
  return found
}

type Reader = (content: string, names: readonly string[]) => Commands

const fixed =
  (commands: Commands): Reader =>
  () =>
    commands

const packageScripts: Reader = (content, names) => {
  const scripts = scriptsOf(content)
  const manager = names.includes('pnpm-lock.yaml')
    ? 'pnpm'
    : names.includes('yarn.lock')
      ? 'yarn'
      : names.some((name) => name.startsWith('bun.lock'))
        ? 'bun'
        : 'npm'
  const commands: Commands = {}
  for (const [tool, candidates] of Object.entries(scriptNames)) {
    const script = candidates.find((name) => Object.hasOwn(scripts, name))
    if (script && !isPlaceholder(scripts[script]))
      commands[tool as Tool] =
        tool === 'test' && manager !== 'bun' ? [manager, script] : [manager, 'run', script]
  }
  return commands
}

const scriptNames: Record<Tool, readonly string[]> = {
  test: ['test'],
  lint: ['lint', 'check'],
  build: ['build'],
  typecheck: ['typecheck', 'type-check', 'check-types', 'tsc'],
  audit: ['audit'],
}

const scriptsOf = (content: string): Record<string, unknown> => {
  try {
    const { scripts } = JSON.parse(content) as { scripts?: unknown }
    return typeof scripts === 'object' && scripts !== null ? (scripts as Record<string, unknown>) : {}
  } catch {
    // A build file that cannot be read knows no commands; the project's own tools will say why.
    return {}
  }
}

/** What `npm init` writes where there are no tests. */
const isPlaceholder = (script: unknown): boolean =>
  typeof script !== 'string' || script.includes('no test specified')

const python: Reader = (content) => ({
  test: ['python', '-m', 'pytest'],
  ...(content.includes('[tool.ruff') && { lint: ['ruff', 'check', '.'] }),
  ...(content.includes('[tool.mypy') && { typecheck: ['mypy', '.'] }),
})

const makefile: Reader = (content) => {
  const targets = new Set(content.split('\n').flatMap((line) => /^([\w-]+)\s*:(?!=)/.exec(line)?.[1] ?? []))
  const commands: Commands = {}
  for (const tool of ['test', 'lint', 'build', 'typecheck', 'audit'] as const)
    if (targets.has(tool)) commands[tool] = ['make', tool]
  if (!commands.test && targets.has('check')) commands.test = ['make', 'check']
  return commands
}

const gradle: Reader = (_, names) => {
  const program = names.includes('gradlew') ? './gradlew' : 'gradle'
  return { test: [program, 'test'], build: [program, 'assemble'] }
}

const readers: Record<Telling, Reader> = {
  'package.json': packageScripts,
  'deno.json': fixed({ test: ['deno', 'test'], lint: ['deno', 'lint'], typecheck: ['deno', 'check', '.'] }),
  'Cargo.toml': fixed({
    test: ['cargo', 'test'],
    lint: ['cargo', 'clippy', '--', '-D', 'warnings'],
    build: ['cargo', 'build'],
    typecheck: ['cargo', 'check'],
  }),
  'go.mod': fixed({
    test: ['go', 'test', './...'],
    lint: ['go', 'vet', './...'],
    build: ['go', 'build', './...'],
  }),
  'pyproject.toml': python,
  'pytest.ini': python,
  'mix.exs': fixed({ test: ['mix', 'test'], build: ['mix', 'compile'] }),
  'pom.xml': fixed({ test: ['mvn', '-q', 'test'], build: ['mvn', '-q', 'package', '-DskipTests'] }),
  'build.gradle': gradle,
  'build.gradle.kts': gradle,
  Makefile: makefile,
}
