import { join } from 'node:path'
import { nodeHost } from '../../src/host/node-host.ts'
import type { Progress } from '../../src/kernel/progress.ts'
import type { Project } from '../../src/operation/context.ts'
import { connect } from '../../src/perform/connection.ts'
import { setUpWorktree } from '../../src/worktrees/set-up.ts'
import { type TestProject, withProject } from './project.ts'
import { commit, git, put } from './subagent.ts'

/** Files of a project by path. */
type FilesOf = Record<string, string>

/** Returns the project as a new process sees it, with configuration and trust read again. */
export const opened = async (
  { root }: TestProject,
  progress?: Progress[],
  env: Record<string, string> = {},
): Promise<Project> => {
  const host = {
    ...nodeHost(),
    cwd: root,
    home: join(root, '.home'),
    user: 'ada',
    env: { PATH: process.env['PATH'], HOME: join(root, '.home'), GIT_DIR: join(root, 'elsewhere'), ...env },
  }
  return {
    ...(await connect({ host, named: root, wait: 'retry' }).project()),
    host,
    actor: { id: 'ada', agent: false },
    dryRun: false,
    ...(progress && { progress: (now: Progress) => void progress.push(now) }),
    runHooks: () => Promise.resolve([]),
    detectNewProject: () => Promise.resolve({ commands: [], clients: [] }),
  }
}

/**
 * Makes a repository with `files` in its first commit and `ignored` beside them, and a linked worktree of the
 * repository.
 */
export const withWorktree = (
  { files, ignored = {} }: { files: FilesOf; ignored?: FilesOf },
  work: (project: TestProject, folder: string) => Promise<void>,
): Promise<void> =>
  withProject(async (project) => {
    const { root } = project
    git(root, 'init', '-q', '-b', 'main')
    const lines = ['.home/', 'trees/', '.env*', '.venv/', 'cache/', 'node_modules/']
    put(root, { '.gitignore': `${lines.join('\n')}\n`, ...files })
    commit(root, 'Begin')
    put(root, ignored)
    const folder = join(root, 'trees', 'T001.1')
    git(root, 'worktree', 'add', '-q', '--detach', folder)
    await work(project, folder)
  })

export const setUp = async (
  project: TestProject,
  folder: string,
  progress?: Progress[],
  env?: Record<string, string>,
) =>
  setUpWorktree(await opened(project, progress, env), {
    spawn: 'T001.1',
    folder,
    slot: 3,
    portBase: 20_040,
    composeProject: 'shop-t001-1',
  })

export const trust = (project: TestProject) => project.afresh().must('admin.trust', { yes: true })
