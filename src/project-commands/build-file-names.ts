/** A folder with one of these files is a Python project. */
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

/** The names of makefiles, in the order in which `make` looks for them. */
export const makefileNames = ['GNUmakefile', 'makefile', 'Makefile'] as const

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

/**
 * Whether a file or folder of this name shows that a project has commands. CLEO loads the code that detects commands
 * only if a project has such a file or folder.
 */
export const isBuildFile = (name: string): boolean =>
  (buildFiles as readonly string[]).includes(name) || isPythonTest(name)

/**
 * Whether this is the name of a Python test or of the folder `tests`. Such a name shows that a project uses Python,
 * even without a build file.
 */
export const isPythonTest = (name: string): boolean =>
  name === 'tests' || (name.startsWith('test') && name.endsWith('.py'))
