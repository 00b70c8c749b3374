import { isBelow, resolvePath } from '../kernel/path.ts'
import type { Host } from './host.ts'
import { stateFolder } from './user-folders.ts'

/** Relative paths start from `cwd`. Returns undefined if the program is not found. */
export const which = ({ env, files }: Host, program: string, cwd: string): string | undefined => {
  if (program.includes('/')) return resolvePath(cwd, program)
  for (const folder of env['PATH']?.split(':') ?? []) {
    const path = `${resolvePath(cwd, folder || '.')}/${program}`
    if (files.kind(path) === 'file') return path
  }
  return undefined
}

/**
 * Whether a program is in one of the folders, or is a link to a file there. Agents could have written the programs in
 * these folders. `path` can also be a folder of PATH instead of a program.
 */
export const isInFolders = ({ files }: Host, path: string, folders: readonly string[]): boolean => {
  const isInside = (place: string) => folders.some((folder) => place === folder || isBelow(folder, place))
  if (isInside(path)) return true
  // If this user may not enter the program's folder, the user cannot start the program. So follow no links there.
  if (files.kind(path) === 'denied') return false
  return isInside(files.realPath(path))
}

/**
 * Finds a program on PATH. The program will run in `folder`, which can be part of a cloned repository. `fault` is set
 * if the program must not be started, because its file is in `folder` or in the state folder, where agents have their
 * worktrees. `env` has a PATH without these two folders, because the program may start other programs.
 */
export const findOutside = (host: Host, name: string, folder: string): OutsideProgram => {
  const known = outside.get(host) ?? new Map<string, OutsideProgram>()
  outside.set(host, known)
  const keyFor = (place: string) =>
    [name, place, host.env['PATH'], host.env['XDG_STATE_HOME'], host.home].join('\0')
  const key = keyFor(folder)
  const before = known.get(key)
  if (before) return before
  // Every task has a worktree in the state folder. A search gives the same result in all of them, because CLEO refuses
  // programs in the state folder, and `isInState` requires absolute paths in PATH. So keep one result for all of them.
  const general = isInState(host, folder) ? keyFor('') : key
  const found = known.get(general) ?? findAnew(host, name, folder)
  if (found.program !== name && found.fault === undefined)
    for (const each of [key, general]) known.set(each, found)
  return found
}

const isInState = (host: Host, folder: string): boolean => {
  const state = stateFolder(host)
  if (state === undefined || !isBelow(host.files.realPath(state), folder)) return false
  return host.env['PATH']?.split(':').every((path) => path.startsWith('/')) === true
}

interface OutsideProgram {
  program: string
  env: Record<string, string>
  fault?: string
}

// The results of `findOutside` that have no fault. They are kept, because a run starts git about thirty times for a
// task, and each search looks at every folder on PATH. A result stays valid, because the program is in a folder
// that agents cannot change.
const outside = new WeakMap<Host, Map<string, OutsideProgram>>()

const findAnew = (host: Host, name: string, folder: string): OutsideProgram => {
  const program = which(host, name, folder) ?? name
  const state = stateFolder(host)
  const written = state === undefined ? [folder] : [folder, host.files.realPath(state)]
  const isInside = (path: string) => isInFolders(host, resolvePath(folder, path || '.'), written)
  const folders = host.env['PATH']?.split(':').filter((each) => !isInside(each))
  return {
    program,
    env: folders ? { PATH: folders.join(':') } : {},
    ...(program.includes('/') && isInside(program) && { fault: `${program} is part of the repository` }),
  }
}

const passedVariables = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SHELL']

export const childEnvironment = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(passedVariables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
