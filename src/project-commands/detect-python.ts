import type { Commands } from '../kernel/config-words.ts'
import type { ProjectFolder } from './project-folder.ts'

/** A project without tests gets no test command. */
export const detectPython = (project: ProjectFolder): Commands => {
  const settings = project.read('pyproject.toml') ?? ''
  const run = runnerOf(project)
  const test = testCommand(project)
  return {
    ...(test && { test: run ? [...run, ...test] : [pythonIn(project, test[0]!), ...test.slice(1)] }),
    ...((settings.includes('[tool.ruff') || project.names.includes('ruff.toml')) && {
      lint: [...(run ?? []), 'ruff', 'check', '.'],
    }),
    ...(settings.includes('[tool.mypy') && { typecheck: [...(run ?? []), 'mypy', '.'] }),
  }
}

const runnerOf = ({ names }: ProjectFolder): string[] | undefined => {
  if (names.includes('uv.lock')) return ['uv', 'run']
  if (names.includes('poetry.lock')) return ['poetry', 'run']
  if (names.includes('pdm.lock')) return ['pdm', 'run']
  return names.includes('Pipfile.lock') ? ['pipenv', 'run'] : undefined
}

const pythonIn = ({ isOnPath }: ProjectFolder, word: string): string =>
  word === 'python' && !isOnPath('python') && isOnPath('python3') ? 'python3' : word

const testCommand = (project: ProjectFolder): string[] | undefined => {
  const isManaged = runnerOf(project) !== undefined
  const pytest = isManaged ? ['pytest'] : ['python', '-m', 'pytest']
  if (usesPytest(project)) return pytest
  const hatch = project.read('pyproject.toml') ?? ''
  if (!isManaged && /^\[tool\.hatch\.envs\.[\w-]+\.scripts\]\s[^[]*^test\s*=/m.test(hatch))
    return ['hatch', 'run', 'test']
  if (project.names.includes('manage.py')) return ['python', 'manage.py', 'test']
  const tests = testFiles(project)
  if (tests.length === 0) return undefined
  const usesUnittest = tests.some((path) => /\bunittest\b|\bTestCase\b/.test(project.read(path) ?? ''))
  return usesUnittest ? ['python', '-m', 'unittest', ...discovery(project, tests)] : pytest
}

/** If a project uses pytest, one of these files mentions it. */
const mentions = [
  ...['pyproject.toml', 'setup.cfg', 'setup.py', 'tox.ini', 'Pipfile', 'uv.lock', 'poetry.lock', 'pdm.lock'],
  ...['requirements.txt', 'requirements-dev.txt', 'dev-requirements.txt', 'requirements-test.txt'],
  ...['requirements/dev.txt', 'requirements/test.txt', 'test-requirements.txt'],
]

const usesPytest = ({ names, read, isFile }: ProjectFolder): boolean =>
  names.includes('pytest.ini') ||
  names.includes('.pytest.ini') ||
  ['conftest.py', 'tests/conftest.py', 'test/conftest.py'].some(isFile) ||
  mentions.some((path) => /\bpytest\b/.test(read(path) ?? ''))

/** At most this many test files are read to find out whether they are written for pytest or unittest. */
const mostRead = 20

const testFiles = ({ names, list }: ProjectFolder): string[] => {
  const isTest = (name: string) => /^test.*\.py$|_test\.py$/.test(name)
  const folders = ['tests', 'test'].filter((name) => names.includes(name))
  const own = names.filter(isTest)
  const below = folders.flatMap((folder) =>
    list(folder)
      .filter(isTest)
      .map((name) => `${folder}/${name}`),
  )
  return [...own, ...below].slice(0, mostRead)
}

/**
 * Returns the arguments with which unittest finds the tests. Unittest searches a folder only if the folder is a package
 * or is named in the command.
 */
const discovery = ({ isFile }: ProjectFolder, tests: readonly string[]): string[] => {
  const folder = tests.find((path) => path.includes('/'))?.split('/')[0]
  const isInFolder = tests.every((path) => path.includes('/'))
  return folder !== undefined && isInFolder && !isFile(`${folder}/__init__.py`)
    ? ['discover', '-s', folder]
    : []
}
