import type { Commands, Tool } from '../kernel/config-words.ts'
import { packageScripts, readMakefile } from './build-files.ts'

/** The files that define how a project is tested and built. */
export const buildFiles = [
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
type BuildFile = (typeof buildFiles)[number]

/**
 * Returns the commands that the build files define. For each tool, the first file with a command wins. The tools of a
 * language come before a Makefile, which often only wraps them.
 */
export const detectCommands = (
  text: (file: BuildFile) => string | undefined,
  names: readonly string[],
): Commands => {
  const found: Commands = {}
  for (const file of buildFiles) {
    const content = text(file)
    if (content !== undefined) Object.assign(found, { ...readers[file](content, names), ...found })
  }
  return found
}

type Reader = (content: string, names: readonly string[]) => Commands

const alwaysCommands =
  (commands: Commands): Reader =>
  () =>
    commands

const fromPackageScripts: Reader = (content, names) => {
  const scripts = packageScripts(content)
  const manager = names.includes('pnpm-lock.yaml')
    ? 'pnpm'
    : names.includes('yarn.lock')
      ? 'yarn'
      : names.some((name) => name.startsWith('bun.lock'))
        ? 'bun'
        : 'npm'
  const commands: Commands = {}
  for (const [tool, candidates] of Object.entries(scriptNames)) {
    const script = candidates.find((name) => scripts.has(name))
    if (script && !isPlaceholder(scripts.get(script)!))
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

/** `npm init` writes this script if there are no tests. */
const isPlaceholder = (script: string): boolean => script.includes('no test specified')

const fromPython: Reader = (content) => ({
  test: ['python', '-m', 'pytest'],
  ...(content.includes('[tool.ruff') && { lint: ['ruff', 'check', '.'] }),
  ...(content.includes('[tool.mypy') && { typecheck: ['mypy', '.'] }),
})

const fromMakefile: Reader = (content) => {
  const { targets } = readMakefile(content)
  const commands: Commands = {}
  for (const tool of ['test', 'lint', 'build', 'typecheck', 'audit'] as const)
    if (targets.has(tool)) commands[tool] = ['make', tool]
  if (!commands.test && targets.has('check')) commands.test = ['make', 'check']
  return commands
}

const fromGradle: Reader = (_, names) => {
  const program = names.includes('gradlew') ? './gradlew' : 'gradle'
  return { test: [program, 'test'], build: [program, 'assemble'] }
}

const readers: Record<BuildFile, Reader> = {
  'package.json': fromPackageScripts,
  'deno.json': alwaysCommands({
    test: ['deno', 'test'],
    lint: ['deno', 'lint'],
    typecheck: ['deno', 'check', '.'],
  }),
  'Cargo.toml': alwaysCommands({
    test: ['cargo', 'test'],
    lint: ['cargo', 'clippy', '--', '-D', 'warnings'],
    build: ['cargo', 'build'],
    typecheck: ['cargo', 'check'],
  }),
  'go.mod': alwaysCommands({
    test: ['go', 'test', './...'],
    lint: ['go', 'vet', './...'],
    build: ['go', 'build', './...'],
  }),
  'pyproject.toml': fromPython,
  'pytest.ini': fromPython,
  'mix.exs': alwaysCommands({ test: ['mix', 'test'], build: ['mix', 'compile'] }),
  'pom.xml': alwaysCommands({ test: ['mvn', '-q', 'test'], build: ['mvn', '-q', 'package', '-DskipTests'] }),
  'build.gradle': fromGradle,
  'build.gradle.kts': fromGradle,
  Makefile: fromMakefile,
}
