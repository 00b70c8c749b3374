import type { Project } from '../context.ts'

export type GitAnswer = { ok: true; lines: string[] } | { ok: false; why: string }

// Whatever the repository was told to run when asked, it does not run for this question.
const harmless = ['--no-optional-locks', '-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false']

/** Asks git about the project; a folder that is no repository, and a machine without git, are answers too. */
export const askGit = async (
  { host, root }: Pick<Project, 'host' | 'root'>,
  args: readonly string[],
): Promise<GitAnswer> => {
  const ran = await host.processes.run('git', [...harmless, ...args], {
    cwd: root,
    env: { PATH: host.env['PATH'] ?? '', HOME: host.home, LC_ALL: 'C' },
    input: '',
    timeoutMs: 10_000,
    maxBytes: 1024 * 1024,
    keep: 'output',
  })
  if (ran.end === 'not started') return { ok: false, why: `git: ${ran.reason}` }
  if (ran.end !== 'exited' || ran.code !== 0) return { ok: false, why: 'git does not answer here' }
  return { ok: true, lines: ran.tail.split('\n').filter((line) => line !== '') }
}

export const isIgnored = async (project: Pick<Project, 'host' | 'root'>, path: string): Promise<boolean> =>
  (await askGit(project, ['check-ignore', '--quiet', '--no-index', '--', path])).ok
