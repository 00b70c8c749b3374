import type { Host, ProcessResult } from './host.ts'
import { isInFolders, which } from './programs.ts'
import { topOfRepository } from './repository.ts'

/** Runs read-only git commands with limits. They must not compare files: git would run filters of the repository. */
export interface GitRunner {
  /** Standard output; undefined if the command failed. */
  run(args: readonly string[]): Promise<string | undefined>
  /** Why git itself does not work in this folder; undefined if it works. A failed command alone is not a fault. */
  fault(): string | undefined
}

const secondsEach = 30
const mostBytes = 64 << 20

// Agents can change the settings of the repository that worktrees share. These must not start programs or hide files.
const safeOptions = [
  '--no-optional-locks',
  '--no-pager',
  '--literal-pathspecs',
  ...[
    'core.hooksPath=/dev/null',
    'core.fsmonitor=false',
    'core.untrackedCache=false',
    'protocol.allow=never',
  ].flatMap((setting) => ['-c', setting]),
]
const safeEnvironment = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: '/dev/null',
}
const passed = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR']

/** Undefined if the folder is not in a repository. */
export const gitRunnerAt = (host: Host, folder: string): GitRunner | undefined => {
  const top = topOfRepository(host, folder)
  if (top === undefined) return undefined
  const program = which(host, 'git', folder) ?? 'git'
  let fault = isInFolders(host, program, [top]) ? `${program} is part of the repository` : undefined
  const start = (args: readonly string[]) => runGit(host, program, { top, folder }, args)
  return {
    fault: () => fault,
    async run(args) {
      if (fault !== undefined) return undefined
      const ran = await start(args)
      if (ran.end === 'exited' && ran.code === 0) return ran.tail
      // Many git commands fail if the answer is no. The command below fails only if git does not work.
      fault ??= faultOf(ran.end === 'exited' ? await start(['rev-parse', '--is-inside-work-tree']) : ran)
      return undefined
    },
  }
}

const runGit = (
  host: Host,
  program: string,
  { top, folder }: { top: string; folder: string },
  args: readonly string[],
): Promise<ProcessResult> =>
  // Explicit options override any setting of the repository.
  host.processes.run(program, [`--git-dir=${top}/.git`, `--work-tree=${top}`, ...safeOptions, ...args], {
    cwd: folder,
    // The caller's GIT_ variables are left out, because they could point git to another repository.
    env: {
      ...Object.fromEntries(passed.flatMap((name) => (host.env[name] ? [[name, host.env[name]]] : []))),
      ...safeEnvironment,
    },
    input: '',
    timeoutMs: secondsEach * 1000,
    maxBytes: mostBytes,
    keep: 'output',
    alone: true,
  })

const faultOf = (ran: ProcessResult): string | undefined => {
  if (ran.end === 'not started') return `it did not start: ${ran.reason}`
  if (ran.end !== 'exited') return 'it did not finish'
  return ran.code === 0 && ran.tail.trim() === 'true' ? undefined : `it exited with ${ran.code}`
}
