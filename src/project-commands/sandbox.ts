import type { Host } from '../host/host.ts'
import { which } from '../host/programs.ts'
import { isBelow } from '../kernel/path.ts'

/**
 * Returns the command that runs a program under bubblewrap: without network, in a separate process namespace and with
 * an empty `/tmp`. The program can change files in the repository or worktree of `folder`, except `.git` and `.cleo`.
 * The rest of the disk is read-only.
 */
export const sandboxed = (
  { files }: Pick<Host, 'files'>,
  { root, folder }: { root: string; folder: string },
  words: readonly string[],
): string[] => {
  const top = topOf(files, folder)
  const kept = [`${top}/.git`, `${root}/.cleo`].filter(
    (path) => isBelow(top, path) && files.kind(path) !== undefined,
  )
  return [
    ...['bwrap', '--die-with-parent', '--unshare-net', '--unshare-pid', '--unshare-ipc'],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
    // Mount the project again, because it may be below `/tmp` or `/dev/shm`, which the options above have emptied.
    ...['--ro-bind', root, root, '--bind', top, top],
    ...kept.flatMap((path) => ['--ro-bind', path, path]),
    ...['--setenv', 'TMPDIR', '/tmp', '--setenv', 'XDG_CACHE_HOME', '/tmp/cache'],
    ...['--chdir', folder, '--', ...words],
  ]
}

/** Returns the closest folder, from this one upwards, that contains `.git`. If there is none, returns `folder`. */
const topOf = (files: Host['files'], folder: string): string => {
  for (let at = folder; at !== ''; at = at.slice(0, at.lastIndexOf('/')))
    if (files.kind(`${at}/.git`) !== undefined) return at
  return folder
}

/** Returns why bubblewrap cannot be used here; undefined if it can. To find out, starts a program under it. */
export const sandboxProblem = async (host: Host, root: string): Promise<string | undefined> => {
  if (which(host, 'bwrap', host.cwd) === undefined)
    return 'bubblewrap is not installed (there is no bwrap on PATH)'
  const [program, ...args] = sandboxed(host, { root, folder: root }, ['true']) as [string, ...string[]]
  const ran = await host.processes.run(program, args, {
    cwd: root,
    env: { PATH: host.env['PATH'] ?? '' },
    input: '',
    timeoutMs: 10_000,
    maxBytes: 4096,
  })
  if (ran.end === 'exited' && ran.code === 0) return undefined
  const said = ran.end === 'not started' ? ran.reason : ran.tail.trim().split('\n').at(-1)
  return `bubblewrap does not work here${said ? `: ${said}` : ''}`
}
