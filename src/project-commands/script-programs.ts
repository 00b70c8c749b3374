import { programName } from './command-source.ts'
import type { ProjectFolder } from './project-folder.ts'

/** Programs that run the file named by their first argument. */
export const interpreters: readonly string[] = [
  ...['sh', 'bash', 'zsh', 'dash', 'node', 'tsx', 'ts-node', 'python', 'python3', 'ruby', 'perl', 'php'],
]

/** Words that start another command: `env CI=1 ./check`, `npx tsx run.ts`. */
const prefixes = ['env', 'exec', 'time', 'command', 'nice', 'cross-env', 'npx', 'bunx', 'dotenv', 'run']
const runners = ['uv', 'poetry', 'pdm', 'pipenv', 'hatch', 'bundle', 'deno', 'bun', 'corepack']

/** Returns the words with which text that a shell runs starts programs: `a && ./b c` starts `a` and `./b`. */
export const startedPrograms = (text: string): string[][] =>
  text.split(/&&|\|\||[;|&\n(){}`]/).flatMap((each) => {
    const words = each
      .trim()
      .replace(/^[@+-]+/, '')
      .split(/\s+/)
      .map((word) => word.replaceAll(/^["']|["']$/g, ''))
      .filter((word) => word !== '')
    const first = words.findIndex(
      (word, i) =>
        !prefixes.includes(word) &&
        !/^[A-Za-z_]\w*=/.test(word) &&
        !(word.startsWith('-') && i > 0) &&
        !(runners.includes(programName(word)) && ['run', 'exec'].includes(words[i + 1] ?? '')),
    )
    return first < 0 ? [] : [words.slice(first)]
  })

/**
 * Returns the programs inside the project that these lines start. Tests and the project's own code are left out,
 * because agents are spawned to write them.
 */
export const projectPrograms = (lines: readonly string[], project: Pick<ProjectFolder, 'isFile'>): string[] =>
  [
    ...new Set(
      lines
        .flatMap(startedPrograms)
        .flatMap(programFiles)
        .map((path) => path.replace(/^(?:\.\/)+/, '')),
    ),
  ].filter((path) => !path.startsWith('/') && !isWork(path) && project.isFile(path))

const programFiles = ([program = '', ...args]: string[]): string[] => {
  if (program.includes('/')) return [program]
  if (!interpreters.includes(programName(program))) return []
  const module = args[args.indexOf('-m') + 1]
  if (args.includes('-m') && module !== undefined) {
    const path = module.replaceAll('.', '/')
    return [`${path}.py`, `${path}/__main__.py`]
  }
  const at = args.findIndex((word) => !word.startsWith('-'))
  // A check of the syntax does not run the file.
  return at < 0 || args.slice(0, at).some((word) => ['-n', '-l', '-c', '--check'].includes(word))
    ? []
    : [args[at]!]
}

const testFolders = ['test', 'tests', '__tests__', 'spec', 'specs', 'e2e']
const codeFolders = ['src', 'lib', 'app', 'source']

/** Whether a path is that of a test, by the names that test programs look for, or in a folder for the code itself. */
const isWork = (path: string): boolean => {
  const parts = path.split('/')
  const name = parts.pop()!
  return (
    parts.some((part) => testFolders.includes(part) || codeFolders.includes(part)) ||
    /^(?:tests?|spec)\.\w+$|[._](?:test|spec)\.\w+$|^test_\w+\.py$/.test(name)
  )
}
