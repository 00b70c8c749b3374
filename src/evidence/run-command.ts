import type { ProcessResult } from '../host/host.ts'
import { childEnvironment } from '../host/programs.ts'
import { isBelow } from '../kernel/path.ts'
import type { Project } from '../operation/context.ts'
import { reporting } from '../operation/progress.ts'

export const defaultSeconds = 600

export const secondsAllowed = ({ config }: Pick<Project, 'config'>): number =>
  config.gates?.timeout ?? defaultSeconds

/** Where tools that are installed outside the home folder find their programs and caches, as in many containers. */
const toolVariables = [
  ...['RUSTUP_HOME', 'CARGO_HOME', 'GOROOT', 'GOPATH', 'GOCACHE', 'GOMODCACHE'],
  ...['JAVA_HOME', 'GRADLE_USER_HOME', 'ANDROID_HOME', 'DOTNET_ROOT', 'PYENV_ROOT', 'GEM_HOME', 'RBENV_ROOT'],
  ...[
    'NVM_DIR',
    'VOLTA_HOME',
    'PNPM_HOME',
    'ASDF_DATA_DIR',
    'MISE_DATA_DIR',
    'XDG_CACHE_HOME',
    'XDG_DATA_HOME',
  ],
]

const fixedVariables = {
  // Keeps the program from prompting and from watching files.
  CI: 'true',
  // Python then compiles the committed source: a compiled file in the folder could contain something else.
  PYTHONPYCACHEPREFIX: '/dev/null',
  PYTHONDONTWRITEBYTECODE: '1',
}

/**
 * Runs a command of the project. It gets no terminal, no input and few variables: none that changes what the command
 * does, and none that leads into the project, where an agent may have put another tool.
 */
export const runCommand = (
  project: Pick<Project, 'host' | 'config' | 'root' | 'progress'>,
  folder: string,
  words: readonly string[],
  maxBytes: number,
): Promise<ProcessResult> => {
  const { host, root } = project
  const [program, ...args] = words as [string, ...string[]]
  const isOutside = (path: string) =>
    [path, host.files.realPath(path)].every((each) => ![root, folder].some((at) => isBelow(at, `${each}/`)))
  const outside = toolVariables.flatMap((name) => {
    const value = host.env[name]
    return value?.startsWith('/') && isOutside(value) ? [[name, value]] : []
  })
  const report = reporting(project, words.join(' '))
  report?.()
  return host.processes.run(program, args, {
    cwd: folder,
    env: { ...childEnvironment(host.env), ...Object.fromEntries(outside), ...fixedVariables },
    input: '',
    timeoutMs: secondsAllowed(project) * 1000,
    maxBytes,
    ...(report && { heard: (text) => void report({ line: lastLine(text) }) }),
  })
}

const lastLine = (text: string): string => {
  const lines = text.trimEnd().split(/[\n\r]+/)
  return lines.at(-1)!.trim()
}
