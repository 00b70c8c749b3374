import type { Host, Ran } from './host.ts'
import { topOfRepository } from './repository.ts'
import { isOwn, which } from './which.ts'

/** Asks git. Every question is bounded, changes nothing, compares no files and starts no program of the repository. */
export interface Asker {
  /** What it wrote; undefined where it had no answer. */
  ask(args: readonly string[]): Promise<string | undefined>
  /** Why nothing git says can be relied on; undefined as long as it has answered. That is not the same as no git. */
  fault(): string | undefined
}

const secondsEach = 30
const mostBytes = 64 << 20

// A worktree is no boundary: what an agent writes into the shared repository must not run here, nor hide anything.
const careful = [
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
const silenced = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: '/dev/null',
}
const passed = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR']

/** Undefined where the folder is in no repository. */
export const askerAt = (host: Host, folder: string): Asker | undefined => {
  const top = topOfRepository(host, folder)
  if (top === undefined) return undefined
  const program = which(host, 'git', folder) ?? 'git'
  let fault = isOwn(host, program, [top]) ? `${program} is part of what it is asked about` : undefined
  const run = (args: readonly string[]) => runGit(host, program, { top, folder }, args)
  return {
    fault: () => fault,
    async ask(args) {
      if (fault !== undefined) return undefined
      const ran = await run(args)
      if (ran.end === 'exited' && ran.code === 0) return ran.tail
      // Many a question has no for an answer. This one has not.
      fault ??= silence(ran.end === 'exited' ? await run(['rev-parse', '--is-inside-work-tree']) : ran)
      return undefined
    },
  }
}

const runGit = (
  host: Host,
  program: string,
  { top, folder }: { top: string; folder: string },
  args: readonly string[],
): Promise<Ran> =>
  // Told where the repository is and what belongs to it, git goes by no setting that says otherwise.
  host.processes.run(program, [`--git-dir=${top}/.git`, `--work-tree=${top}`, ...careful, ...args], {
    cwd: folder,
    // None of the caller's GIT_ variables: they could point git elsewhere.
    env: {
      ...Object.fromEntries(passed.flatMap((name) => (host.env[name] ? [[name, host.env[name]]] : []))),
      ...silenced,
    },
    input: '',
    timeoutMs: secondsEach * 1000,
    maxBytes: mostBytes,
    keep: 'output',
    alone: true,
  })

const silence = (ran: Ran): string | undefined => {
  if (ran.end === 'not started') return `it could not be started, ${ran.reason}`
  if (ran.end !== 'exited') return 'it did not come to an end'
  return ran.code === 0 && ran.tail.trim() === 'true' ? undefined : `it ended with ${ran.code}`
}
