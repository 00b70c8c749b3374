import type { Host, ProcessResult } from '../host/host.ts'
import { childEnvironment } from '../host/programs.ts'
import { stateFolder, userFolder } from '../host/user-folders.ts'
import { isBelow } from '../kernel/path.ts'
import type { Project } from '../operation/context.ts'
import { reporting } from '../operation/progress.ts'

export const defaultSeconds = 600

export const secondsAllowed = ({ config }: Pick<Project, 'config'>): number =>
  config.gates?.timeout ?? defaultSeconds

/**
 * Variables that tell tools where their programs and caches are. Tools need these variables if they are installed
 * outside the home folder, as in many containers.
 */
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
  // Keeps the program from asking questions and from watching files.
  CI: 'true',
  // Makes Python compile the source itself, because a compiled file in the folder could contain other code.
  PYTHONPYCACHEPREFIX: '/dev/null',
  PYTHONDONTWRITEBYTECODE: '1',
}

/**
 * Runs a command of the project without terminal and input. Of the caller's variables, the command gets only a few
 * that do not change what the command does. Leaves out a variable with a path into the project, because an agent
 * could have put another program at that path.
 */
export const runCommand = (
  project: Pick<Project, 'host' | 'config' | 'root' | 'progress' | 'sandbox'>,
  folder: string,
  words: readonly string[],
  maxBytes: number,
  { variables = {}, exclusive, what = words.join(' ') }: RunsWith = {},
): Promise<ProcessResult> => {
  const { host, root } = project
  // Leave out a folder that this user may not enter. No tool can use the folder, and CLEO cannot resolve the links
  // in its path.
  const isOutside = (path: string) =>
    host.files.kind(path) !== 'denied' &&
    [path, host.files.realPath(path)].every((each) => ![root, folder].some((at) => isBelow(at, `${each}/`)))
  const outside = toolVariables.flatMap((name) => {
    const value = host.env[name]
    return value?.startsWith('/') && isOutside(value) ? [[name, value]] : []
  })
  const run = async () => {
    const report = reporting(project, what)
    report?.()
    const started = project.sandbox
      ? (await import('./sandbox.ts')).sandboxed(host, { root, folder }, words)
      : words
    const [program, ...args] = started as [string, ...string[]]
    return host.processes.run(program, args, {
      cwd: folder,
      env: { ...childEnvironment(host.env), ...Object.fromEntries(outside), ...fixedVariables, ...variables },
      input: '',
      timeoutMs: secondsAllowed(project) * 1000,
      maxBytes,
      ...(report && { heard: (text) => void report({ line: lastLine(text) }) }),
    })
  }
  return exclusive ? oneAtATime(project, `${what} in ${folder}`, run) : run()
}

export interface RunsWith {
  /** Environment variables to add, such as those of a worktree. */
  variables?: Readonly<Record<string, string>>
  exclusive?: boolean
  /** The name of the command in progress messages; by default the command's words. */
  what?: string
}

/**
 * Calls `run` as soon as no other exclusive command of this user runs in any project. The wait always ends, because
 * every command has a time limit and the system releases the lock of a process that dies.
 */
const oneAtATime = async <T>(
  project: Pick<Project, 'host' | 'progress'>,
  what: string,
  run: () => Promise<T>,
): Promise<T> => {
  const { files } = project.host
  const folder = sharedFolder(project.host)
  const note = `${folder}/exclusive.txt`
  const report = reporting(project, what)
  files.makeFolder(folder, 0o700)
  const { withFileLock } = await import('../store/sqlite/file-lock.ts')
  return withFileLock(
    `${folder}/exclusive.lock`,
    () => {
      // Other processes show this text while they wait. The text does not decide who runs; the lock does.
      files.replace(note, `${what}\n`, 0o600)
      return run()
    },
    { heard: () => report?.({ line: `waits for an exclusive command: ${files.read(note)?.trim() ?? ''}` }) },
  )
}

/** Returns the folder that all projects of a user on this machine share. */
export const sharedFolder = (host: Host): string => stateFolder(host) ?? userFolder(host)

const lastLine = (text: string): string => {
  const lines = text.trimEnd().split(/[\n\r]+/)
  return lines.at(-1)!.trim()
}
