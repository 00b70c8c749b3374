import { writeFileSync } from 'node:fs'
import type { TestProject, WithProject } from './project.ts'
import { addTask, commit, repository, send } from './subagent.ts'

export interface Worked {
  task: string
  spawn: string
  /** The worktree of the spawn. */
  folder: string
}

interface Work {
  title?: string
  parent?: string
  depends?: string[]
  protocol?: 'implementation' | 'release'
  tag?: string
  finding?: string[]
}

/** Makes a git repository with a project in it. */
export const inGit =
  (withProject: WithProject) =>
  <T>(work: (project: TestProject) => Promise<T>): Promise<T> =>
    withProject(async (project) => {
      repository(project.root)
      return work(project)
    })

/** Spawns a new task and returns the worktree of its agent. */
export const spawned = async (project: TestProject, { protocol, ...about }: Work = {}): Promise<Worked> => {
  const { title, parent, depends } = about
  const task = await addTask(project, {
    ...(title && { title }),
    ...(parent && { parent }),
    ...(depends && { depends }),
  })
  const { id: spawn } = await send(project, task, { here: false, ...(protocol && { protocol }) })
  const store = await project.store()
  const row = await store.get<{ folder: string }>('SELECT folder FROM worktrees WHERE spawn = ?', spawn)
  return { task, spawn, folder: row!.folder }
}

/** Lets the agent of a spawn commit files and finish its task. */
export const finished = async (
  project: TestProject,
  { task, spawn, folder }: Worked,
  files: Record<string, string>,
  { tag, finding = ['It works.', 'It is small.', 'It is tested.'] }: Work = {},
): Promise<void> => {
  const agent = project.as(spawn).from(folder)
  await agent.must('focus.set', { id: task })
  commit(folder, `Do ${task}`, files)
  const { path } = await agent.must('output.new', { id: task })
  writeFileSync(path, '# Work\n\n## Summary\n\nIt is done.\n\n## References\n\n- src/a.ts:1\n')
  await agent.must('tasks.finish', {
    id: task,
    finding,
    noTests: 'The test plays an agent.',
    ...(tag && { tag }),
  })
}

/** Adds a task whose work is merged into the integration branch. */
export const merged = async (
  project: TestProject,
  files: Record<string, string>,
  about: Work = {},
): Promise<Worked> => {
  const work = await spawned(project, about)
  await finished(project, work, files, about)
  await project.must('orchestrate.receive', { id: work.task })
  return work
}
