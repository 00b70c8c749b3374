import type { Commands, Tool } from '../kernel/config-words.ts'
import { type buildFiles, isPythonTest, makefileNames, pythonFiles } from './build-file-names.ts'
import { packageScripts } from './build-files.ts'
import { detectPython } from './detect-python.ts'
import { makefilesIn } from './makefiles.ts'
import type { ProjectFolder } from './project-folder.ts'
import { workspacePackages } from './workspace-packages.ts'

type BuildFile = (typeof buildFiles)[number]

/**
 * Returns the commands that the build files define. For each tool, takes the command from the first file that has
 * one. Files of a language's own tools come before a Makefile, because a Makefile often only calls these tools.
 */
export const detectCommands = (project: ProjectFolder): Commands => {
  const found: Commands = {}
  for (const [files, detect] of detectors)
    if (files.some((name) => project.names.includes(name) && project.isFile(name)))
      Object.assign(found, { ...detect(project), ...found })
  // If there is no test command yet but there are Python tests, detect Python commands too. A Python project can
  // have tests but no build file.
  return found.test || !project.names.some(isPythonTest) ? found : { ...detectPython(project), ...found }
}

type Detect = (project: ProjectFolder) => Commands

const always =
  (commands: Commands): Detect =>
  () =>
    commands

const fromPackage: Detect = (project) => {
  const content = project.read('package.json') ?? ''
  const scripts = packageScripts(content)
  const manager = managerOf(project, content)
  const commands: Commands = {}
  let inPackages: Set<string> | undefined
  for (const [tool, candidates] of Object.entries(scriptNames)) {
    const script = candidates.find((name) => scripts.has(name))
    if (script === undefined) {
      inPackages ??= packageScriptNames(project)
      const shared = candidates.find((name) => inPackages!.has(name))
      if (shared !== undefined) commands[tool as Tool] = inEveryPackage(project, manager, shared)
    } else if (!isPlaceholder(scripts.get(script)!))
      commands[tool as Tool] =
        tool === 'test' && manager !== 'bun' ? [manager, script] : [manager, 'run', script]
  }
  return commands
}

type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun'

const managerOf = ({ names }: ProjectFolder, content: string): Manager => {
  if (names.includes('pnpm-lock.yaml') || names.includes('pnpm-workspace.yaml')) return 'pnpm'
  if (names.includes('yarn.lock')) return 'yarn'
  if (names.some((name) => name.startsWith('bun.lock'))) return 'bun'
  if (names.includes('package-lock.json')) return 'npm'
  const named = /"packageManager"\s*:\s*"(npm|pnpm|yarn|bun)@/.exec(content)?.[1]
  return (named as Manager | undefined) ?? 'npm'
}

/** Used if the root of the workspace has no script for a tool. */
const packageScriptNames = (project: ProjectFolder): Set<string> =>
  new Set(
    workspacePackages(project).flatMap(({ scripts }) =>
      [...scripts].flatMap(([name, script]) => (isPlaceholder(script) ? [] : [name])),
    ),
  )

const inEveryPackage = ({ names }: ProjectFolder, manager: Manager, script: string): string[] => {
  if (manager === 'pnpm') return ['pnpm', '-r', 'run', script]
  if (manager === 'bun') return ['bun', 'run', '--filter', '*', script]
  if (manager === 'npm') return ['npm', 'run', script, '--workspaces', '--if-present']
  return names.includes('.yarnrc.yml')
    ? ['yarn', 'workspaces', 'foreach', '--all', 'run', script]
    : ['yarn', 'workspaces', 'run', script]
}

const scriptNames: Record<Tool, readonly string[]> = {
  test: ['test'],
  lint: ['lint', 'check'],
  build: ['build'],
  typecheck: ['typecheck', 'type-check', 'check-types', 'tsc'],
  audit: ['audit'],
}

/** Whether this is the test script that `npm init` writes if there are no tests. */
const isPlaceholder = (script: string): boolean => script.includes('no test specified')

const fromMakefile: Detect = (project) => {
  const { targets } = makefilesIn(project)
  const commands: Commands = {}
  for (const tool of ['test', 'lint', 'build', 'typecheck', 'audit'] as const)
    if (targets.has(tool)) commands[tool] = ['make', tool]
  if (!commands.test && targets.has('check')) commands.test = ['make', 'check']
  return commands
}

const fromGradle: Detect = ({ names }) => {
  const program = names.includes('gradlew') ? './gradlew' : 'gradle'
  return { test: [program, 'test'], build: [program, 'assemble'] }
}

const fromMaven: Detect = ({ names }) => {
  const program = names.includes('mvnw') ? './mvnw' : 'mvn'
  return { test: [program, '-q', 'test'], build: [program, '-q', 'package', '-DskipTests'] }
}

const detectors: readonly (readonly [readonly BuildFile[], Detect])[] = [
  [['package.json'], fromPackage],
  [
    ['deno.json'],
    always({ test: ['deno', 'test'], lint: ['deno', 'lint'], typecheck: ['deno', 'check', '.'] }),
  ],
  [
    ['Cargo.toml'],
    always({
      test: ['cargo', 'test'],
      lint: ['cargo', 'clippy', '--', '-D', 'warnings'],
      build: ['cargo', 'build'],
      typecheck: ['cargo', 'check'],
    }),
  ],
  [
    ['go.mod'],
    always({
      test: ['go', 'test', './...'],
      lint: ['go', 'vet', './...'],
      build: ['go', 'build', './...'],
    }),
  ],
  [pythonFiles, detectPython],
  [['mix.exs'], always({ test: ['mix', 'test'], build: ['mix', 'compile'] })],
  [['pom.xml'], fromMaven],
  [['build.gradle', 'build.gradle.kts'], fromGradle],
  [makefileNames, fromMakefile],
]
