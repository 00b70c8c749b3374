import { programName } from './command-source.ts'
import { matchingFiles } from './glob.ts'
import type { ProjectFolder } from './project-folder.ts'

/** Programs whose first argument names the file that they run. */
export const interpreters: readonly string[] = [
  ...['sh', 'bash', 'zsh', 'dash', 'node', 'tsx', 'ts-node', 'python', 'python3', 'ruby', 'perl', 'php'],
]

/**
 * Words that can stand before another command: `env CI=1 ./check`, `npx tsx run.ts`, `timeout 60 ./check`, `if
 * ./check; then`.
 */
const prefixes = [
  ...[
    'env',
    'exec',
    'time',
    'command',
    'nice',
    'cross-env',
    'npx',
    'bunx',
    'dotenv',
    'run',
    'nohup',
    'stdbuf',
  ],
  ...[
    'timeout',
    'gtimeout',
    'xargs',
    'sudo',
    'c8',
    'nyc',
    'if',
    'elif',
    'then',
    'else',
    'while',
    'until',
    'do',
    '!',
  ],
]
const runners = ['uv', 'poetry', 'pdm', 'pipenv', 'hatch', 'bundle', 'deno', 'bun', 'corepack']
const shells = ['sh', 'bash', 'zsh', 'dash']

/** Returns the programs that a shell text starts, each with its arguments: `a && ./b c` starts `a` and `./b c`. */
export const startedPrograms = (text: string): string[][] => segments(text).flatMap(programIn)

const segments = (text: string): string[][] =>
  text.split(/&&|\|\||[;|&\n(){}`]/).map((each) =>
    each
      .trim()
      .replace(/^[@+-]+/, '')
      .split(/\s+/)
      .map((word) => word.replaceAll(/^["']+|["']+$/g, ''))
      .filter((word) => word !== ''),
  )

/** Drops all words before the program: prefixes with their options and durations, variables, and `sh -c`. */
const programIn = (words: readonly string[]): string[][] => {
  const isShellWithText = (word: string, next = '') =>
    shells.includes(programName(word)) && /^-\w*c$/.test(next)
  const first = words.findIndex(
    (word, i) =>
      !prefixes.includes(word.startsWith('/') ? programName(word) : word) &&
      !/^[A-Za-z_]\w*=/.test(word) &&
      !((word.startsWith('-') || /^\d+(?:\.\d+)?[smhd]?$/.test(word)) && i > 0) &&
      !isShellWithText(word, words[i + 1]) &&
      !(runners.includes(programName(word)) && ['run', 'exec'].includes(words[i + 1] ?? '')),
  )
  return first < 0 ? [] : [words.slice(first)]
}

type Scripts = Pick<ProjectFolder, 'isFile' | 'isFolder' | 'read' | 'list'>

const mostScripts = 50

/**
 * Returns the programs and scripts inside the project that these lines start. If a line starts a shell script, also
 * returns what the script starts. Leaves out tests and the project's source code, because agents are spawned to change
 * them.
 */
export const projectPrograms = (lines: readonly string[], project: Scripts): string[] => {
  const found = new Set<string>()
  const open = lines.map((text) => ({ text, from: '' }))
  for (let next = open.shift(); next && found.size < mostScripts; next = open.shift())
    for (const path of filesNamed(next.text, next.from, project)) {
      if (found.has(path) || isWork(path)) continue
      found.add(path)
      if (isShellScript(project, path))
        open.push({
          text: withoutComments(project.read(path)!),
          from: path.slice(0, path.lastIndexOf('/') + 1),
        })
    }
  return [...found]
}

/**
 * Commands and options that only read, move or test the script whose name follows them. Such a script is left out,
 * because it does not decide what the command does.
 */
const readers: readonly string[] = [
  ...[
    'shellcheck',
    'shfmt',
    'bats',
    'eslint',
    'prettier',
    'biome',
    'ruff',
    'black',
    'flake8',
    'pylint',
    'mypy',
  ],
  ...[
    'cat',
    'chmod',
    'cp',
    'mv',
    'rm',
    'ls',
    'grep',
    'sed',
    'awk',
    'git',
    'test',
    '[',
    '[[',
    'diff',
    'wc',
    'head',
  ],
  ...[
    'tail',
    'tar',
    'echo',
    'printf',
    'touch',
    'mkdir',
    'pytest',
    'vitest',
    'jest',
    'mocha',
    '-n',
    '--check',
  ],
]

/** `from` is the folder of the script that contains the text. */
const filesNamed = (text: string, from: string, project: Scripts): string[] => {
  let at = ''
  const resolve = (word: string) => resolved(word, [at, '', from], project)
  return segments(withFolders(text, from)).flatMap((words) => {
    const cd = words.indexOf('cd')
    const folder = cd < 0 ? undefined : words[cd + 1]
    if (folder !== undefined) at = joined(at, plainPath(folder))
    const started = programIn(words).flatMap((each) => programFiles(each, resolve))
    if (words.some((word) => readers.includes(programName(word)))) return started
    // Other words can name scripts too. For example, another program starts the script, or a loop runs a list of
    // scripts. So return every script that a word names.
    return [...started, ...words.flatMap(resolve).filter((path) => isScript(project, path))]
  })
}

/** Replaces expressions such as `$(dirname "$0")` with the folder of the script. */
const withFolders = (text: string, from: string): string =>
  text
    .replaceAll(
      /["']?\$\(\s*dirname\s+(?:--\s+)?["']?\$(?:0|\{?BASH_SOURCE(?:\[0\])?\}?)["']?\s*\)["']?/g,
      from || '.',
    )
    .replaceAll(/\$\{(?:0|BASH_SOURCE(?:\[0\])?)%\/\*\}/g, from || '.')
    .replaceAll(/\$[({](\w+)[)}]\//g, '$$$1/')

/**
 * Returns a path without `./` and without a leading variable. Such a variable usually stands for the folder of the
 * project or of the script.
 */
const plainPath = (word: string): string =>
  word
    .replaceAll(/["']/g, '')
    .replace(/^\$+\w+\//, '')
    .replaceAll(/\/{2,}/g, '/')
    .replace(/^(?:\.\/)+/, '')

const joined = (at: string, path: string): string => {
  const parts: string[] = []
  for (const part of `${at}/${path}`.split('/'))
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  return parts.join('/')
}

const mostMatches = 100

/** Searches the folders in order, and stops at the first folder that has such a file. */
const resolved = (word: string, folders: readonly string[], project: Scripts): string[] => {
  const path = plainPath(word)
  if (path === '' || path.startsWith('/') || path.startsWith('-')) return []
  for (const folder of new Set(folders)) {
    const whole = joined(folder, path)
    if (whole === '') continue
    if (whole.includes('*')) {
      const matches = matchingFiles(project, whole).slice(0, mostMatches)
      if (matches.length > 0) return matches
    } else if (project.isFile(whole)) return [whole]
  }
  return []
}

const isScript = (project: Scripts, path: string): boolean =>
  /\.(?:sh|bash|zsh)$/.test(path) || project.read(path)?.startsWith('#!') === true

const isShellScript = (project: Scripts, path: string): boolean => {
  const line = project.read(path)?.split('\n', 1)[0] ?? ''
  return /\.(?:sh|bash|zsh)$/.test(path) ? project.isFile(path) : /^#!.*\b(?:sh|bash|zsh|dash)\b/.test(line)
}

const withoutComments = (text: string): string => text.replaceAll(/^\s*#.*$/gm, '').replaceAll('\\\n', ' ')

/** Options with which an interpreter loads a file before the script. */
const loads = ['-r', '--require', '--import', '--loader', '--experimental-loader']
const withValue = [...loads, '-C', '--conditions', '-W', '-X', '-I', '--tsconfig', '--env-file']

const programFiles = (
  [program = '', ...args]: readonly string[],
  resolve: (word: string) => string[],
): string[] => {
  if (program === '.' || program === 'source') return resolve(args[0] ?? '')
  const own = program.includes('/') ? resolve(program) : []
  return interpreters.includes(programName(program)) ? [...own, ...mainFiles(args, resolve)] : own
}

const mainFiles = (args: readonly string[], resolve: (word: string) => string[]): string[] => {
  const module = args[args.indexOf('-m') + 1]
  if (args.includes('-m') && module !== undefined) {
    const path = module.replaceAll('.', '/')
    return [...resolve(`${path}.py`), ...resolve(`${path}/__main__.py`)]
  }
  const loaded = args.flatMap((word, i) => {
    const [option = '', value = args[i + 1] ?? ''] = word.split('=')
    return loads.includes(option) && /^\.{0,2}\//.test(value) ? moduleFile(value, resolve) : []
  })
  const at = args.findIndex((word, i) => !word.startsWith('-') && !withValue.includes(args[i - 1] ?? ''))
  const options = args.slice(0, at < 0 ? undefined : at)
  // Leave out the script of a syntax check, because the script does not run. Also leave out the arguments of a test
  // runner, because they are tests.
  return at < 0 || options.some((word) => ['-n', '-l', '-c', '--check', '--test'].includes(word))
    ? loaded
    : [...loaded, ...moduleFile(args[at]!, resolve)]
}

/** Returns the file that Node would load. Node adds a missing extension, and for a folder loads its index file. */
const moduleFile = (word: string, resolve: (word: string) => string[]): string[] => {
  const path = word.replace(/\/+$/, '')
  for (const ending of ['', '.js', '.cjs', '.mjs', '.ts']) {
    const found = resolve(path + ending)
    if (found.length > 0) return found
  }
  return [...resolve(`${path}/package.json`), ...resolve(`${path}/index.js`)]
}

const testFolders = ['test', 'tests', '__tests__', 'spec', 'specs', 'e2e']
const codeFolders = ['src', 'lib', 'app', 'source']

/** Whether a path is in a folder for source code or tests, or its file name is the name of a test. */
const isWork = (path: string): boolean => {
  const parts = path.split('/')
  const name = parts.pop()!
  return (
    parts.some((part) => testFolders.includes(part) || codeFolders.includes(part)) ||
    /^(?:tests?|spec)\.\w+$|[._](?:test|spec)\.\w+$|^test_\w+\.py$/.test(name)
  )
}
