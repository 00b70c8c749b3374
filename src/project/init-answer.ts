import type { Style } from '../kernel/style.ts'
import type { DetectedProject } from '../operation/context.ts'
import { readInFull } from '../terminal/read-in-full.ts'

export interface Detected extends DetectedProject {
  git?: { branch?: string; hasCommit: boolean }
  trusted: boolean
  /** Lines for `.gitignore`: files that the tools of the project write and that git does not ignore yet. */
  notIgnored?: string[]
  /** True if there is a commit, but no file is in git. */
  nothingInGit?: true
}

export const nextForPeople = ['cleo quickstart', 'cleo add "…" --type epic', 'cleo setup']
export const nextForAgents = ['cleo add "…" --type epic', 'cleo prime', 'cleo help']
/** Leaves out `cleo setup` if no client was found, because the command would be refused. */
export const nextFor = (next: readonly string[], { clients }: Detected): string[] =>
  next.filter((line) => line !== 'cleo setup' || clients.length > 0)

export const nextAfterRestore = ['cleo list', 'cleo next', 'cleo status']

/** Texts that tell people why to run some of the commands above. */
export const aboutNext: Readonly<Record<string, string>> = {
  'cleo quickstart': 'a first epic in a scratch project',
  'cleo add "…" --type epic': 'plan your own; or --from plan.md',
  'cleo setup': 'let Claude Code or another client lead it',
}

/**
 * What people read about the database of a new project. SQLite is the default, so its text says how to choose
 * PostgreSQL.
 */
export const storeText = {
  sqlite: 'SQLite; for PostgreSQL see cleo db --help',
  postgres: 'PostgreSQL',
}

const tools = ['test', 'lint']

export const drawDetected = (
  { git, commands, trusted, clients, notIgnored = [], nothingInGit }: Detected,
  style: Style,
): string[] => {
  const missing = tools.filter((tool) => !commands.some((command) => command.tool === tool))
  const rows = [
    `git: ${gitText(git)}`,
    ...(notIgnored.length > 0
      ? [
          `not ignored: ${notIgnored.join(', ')}; write it into .gitignore and commit that, or agents may commit it`,
        ]
      : []),
    ...(nothingInGit
      ? ['not in git: your files, so agents do not see them; git add -A && git commit -m Begin']
      : []),
    ...commands.map(({ tool, what }) => `${tool}: ${what}`),
    ...(missing.length > 0
      ? [`${missing.join(', ')}: no command found; set one with cleo config set commands.${missing[0]} "…"`]
      : []),
    `clients: ${clients.length > 0 ? clients.join(', ') : 'none on PATH'}`,
    ...(trusted && commands.length > 0
      ? ['trusted: the commands above, because you made this project; see cleo trust']
      : []),
    ...(git ? ['yours to commit: .cleo/config.json, and later the reports in claudedocs/'] : []),
  ]
  return rows.flatMap((row) => readInFull(row, '  ', style.width))
}

const gitText = (git: Detected['git']): string => {
  if (!git) return `no repository, so agents share this folder; for a branch each: git init && ${commit}`
  const branch = git.branch === undefined ? 'no branch is checked out' : `branch ${git.branch}`
  return git.hasCommit
    ? branch
    : `${branch}, no commit yet, so agents share this folder; for a branch each: ${commit}`
}

const commit = 'git add -A && git commit -m Begin'
