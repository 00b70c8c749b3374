/** Files that make a folder a Python project. */
export const pythonFiles = [
  'pyproject.toml',
  'pytest.ini',
  'setup.cfg',
  'setup.py',
  'tox.ini',
  'requirements.txt',
  'requirements-dev.txt',
  'dev-requirements.txt',
  'Pipfile',
  'manage.py',
  'conftest.py',
] as const

/** The names that make looks for, in this order. */
export const makefileNames = ['GNUmakefile', 'makefile', 'Makefile'] as const

/** The files that define how a project is tested and built. */
export const buildFiles = [
  'package.json',
  'deno.json',
  'Cargo.toml',
  'go.mod',
  ...pythonFiles,
  'mix.exs',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  ...makefileNames,
] as const

/** Whether a project with such a file may have commands. If it has none of them, nothing else is loaded. */
export const isBuildFile = (name: string): boolean =>
  (buildFiles as readonly string[]).includes(name) || isPythonTest(name)

/** A Python project may have no build file, only tests. */
export const isPythonTest = (name: string): boolean =>
  name === 'tests' || (name.startsWith('test') && name.endsWith('.py'))
