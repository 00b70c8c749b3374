import type { Host, ProcessResult } from '../host/host.ts'
import { findOutside } from '../host/programs.ts'
import { topOfRepository } from './repository.ts'

/**
 * Runs read-only git commands with limits on time and output. A command that compares files needs `settings` that
 * switch off the filters.
 */
export interface GitRunner {
  program: string
  top: string
  /** Standard output; undefined if the command failed. */
  run(args: readonly string[], more?: GitInput): Promise<string | undefined>
  /**
   * Returns why git itself does not work in this folder; undefined if it works. A command can also fail for another
   * reason, such as a missing ref.
   */
  fault(): string | undefined
}

interface GitInput {
  input?: string
  /** Settings such as `filter.lfs.clean=`. */
  settings?: readonly string[]
}

export type RunGit = GitRunner['run']

const secondsEach = 30
const mostBytes = 64 << 20

// Agents can change the git settings that all worktrees share. These options keep such settings from starting programs
// or hiding files.
export const safeOptions = [
  '--no-optional-locks',
  '--no-pager',
  '--literal-pathspecs',
  ...[
    'core.hooksPath=/dev/null',
    'core.fsmonitor=false',
    'core.untrackedCache=false',
    // CLEO reads only files whose stat data differ from the index. So git must compare ctime too: a program can set
    // mtime back, but not ctime.
    'core.trustctime=true',
    'core.checkStat=default',
    // Do not use git's commit graph file. An agent can edit that file, but cannot edit commits.
    'core.commitGraph=false',
    'log.showRoot=true',
    // With `true`, git would start a program that checks signatures.
    'log.showSignature=false',
    'diff.relative=false',
    'protocol.allow=never',
    // `safeEnvironment` names an empty graft file. Switch off git's warning about graft files, because git would
    // print it before the real error.
    'advice.graftFileDeprecated=false',
  ].flatMap((setting) => ['-c', setting]),
]
export const safeEnvironment = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: '/dev/null',
}
const passed = ['HOME', 'XDG_CONFIG_HOME', 'TMPDIR']

/** Returns undefined if the folder is not in a repository. */
export const gitRunnerAt = (host: Host, folder: string): GitRunner | undefined => {
  const top = topOfRepository(host, folder)
  if (top === undefined) return undefined
  const { fault: inside, ...found } = findOutside(host, 'git', top)
  let fault = inside
  // Switch `core.ignoreCase` off on a file system that distinguishes case. If it were true there, git would
  // overlook files.
  const fixed = host.files.kind(`${top}/.GIT`) === undefined ? ['core.ignoreCase=false'] : []
  // The folders are given as options, because the repository's settings cannot override options.
  const options = [`--git-dir=${top}/.git`, `--work-tree=${top}`, ...safeOptions, ...asOptions(fixed)]
  const env = {
    // The caller's GIT_ variables are left out, because they could point git to another repository.
    ...Object.fromEntries(passed.flatMap((name) => (host.env[name] ? [[name, host.env[name]]] : []))),
    ...found.env,
    ...safeEnvironment,
  }
  const start = (args: readonly string[], { input = '', settings = [] }: GitInput = {}) =>
    host.processes.run(found.program, [...options, ...asOptions(settings), ...args], {
      ...{ cwd: folder, env, input, timeoutMs: secondsEach * 1000, maxBytes: mostBytes },
      ...{ keep: 'output', alone: true, git: true },
    })
  return {
    program: found.program,
    top,
    fault: () => fault,
    async run(args, more) {
      if (fault !== undefined) return undefined
      const ran = await start(args, more)
      if (ran.end === 'exited' && ran.code === 0) return ran.tail
      // A command can fail although git works, for example because a ref does not exist. The command below fails
      // only if git does not work.
      fault ??= faultOf(ran.end === 'exited' ? await start(['rev-parse', '--is-inside-work-tree']) : ran)
      return undefined
    },
  }
}

const asOptions = (settings: readonly string[]): string[] => settings.flatMap((setting) => ['-c', setting])

const faultOf = (ran: ProcessResult): string | undefined => {
  if (ran.end === 'not started') return `it did not start: ${ran.reason}`
  if (ran.end !== 'exited') return 'it did not finish'
  return ran.code === 0 && ran.tail.trim() === 'true' ? undefined : `it exited with ${ran.code}`
}
