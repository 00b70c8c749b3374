import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Answer } from '../../src/index.ts'
import type { TaskRow } from '../../src/store/rows.ts'
import * as worktrees from '../../src/worktrees/sql.ts'
import { configure } from './configure.ts'
import type { TestProject, WithProject } from './project.ts'
import { addTask, commit, git, put, repository, type Sent } from './subagent.ts'

/** A spawn with its worktree. */
export interface Placed extends Sent {
  folder: string
  branch: string
}

/** Makes a project in a repository whose tests fail if a file of `src` contains the word BROKEN. */
export const inRepository = (
  withProject: WithProject,
  work: (project: TestProject) => Promise<void>,
  { config = {}, files = {}, test = 'sh check.sh' }: RepositoryOptions = {},
): Promise<void> =>
  withProject(async (made) => {
    const { PATH = '' } = process.env
    const project = (await configure(made, config)).afresh({ PATH })
    repository(project.root)
    commit(project.root, 'Check', {
      Makefile: `.PHONY: test lint\ntest:\n\t@${test}\nlint:\n\t@echo "ok"\n`,
      'check.sh': checkScript,
      ...files,
    })
    await work(project)
  })

interface RepositoryOptions {
  config?: object
  files?: Record<string, string>
  /** The command that runs the tests. */
  test?: string
}

/** Fails if a file contains BROKEN, or if two of the files `src/pair-*.txt` differ. */
const checkScript = `set -e
if grep -rqs BROKEN src; then echo "1 failed: a file is broken"; exit 1; fi
for f in src/pair-*.txt; do
  [ -e "$f" ] || continue
  for g in src/pair-*.txt; do cmp -s "$f" "$g" || { echo "1 failed: the pair differs"; exit 1; }; done
done
echo "1 passed"
`

/** Adds tasks with these titles below the epic T001. Returns their ids. */
export const addTasks = async (project: TestProject, ...titles: string[]): Promise<string[]> => {
  const ids: string[] = []
  for (const title of titles) ids.push(await addTask(project, { title }))
  return ids
}

/** Spawns a task, which must get a worktree with a branch. */
export const place = async (project: TestProject, task: string, wishes: object = {}): Promise<Placed> => {
  const { spawnId: id } = (await project.must('orchestrate.spawn', {
    id: task,
    ref: true,
    ...wishes,
  })) as { spawnId: string }
  const row = await rowOf(project, id)
  if (!row?.branch) throw new Error(`${id} has no worktree with a branch`)
  return { id, task, folder: row.folder, branch: row.branch, as: project.from(row.folder).as(id) }
}

export const rowOf = async (project: TestProject, spawn: string) =>
  worktrees.worktree(await project.store(), spawn)

export const taskRow = async (project: TestProject, id: string): Promise<TaskRow> =>
  (await (await project.store()).get<TaskRow>('SELECT * FROM tasks WHERE id = ?', id))!

const text = '# Work\n\n## Summary\n\nIt is done.\n\n## References\n\n- Makefile:1\n'

/** Sets focus, commits the files and writes the output file. */
export const work = async (
  { as, task, folder }: Placed,
  files: Record<string, string>,
  message = 'Build it',
): Promise<string> => {
  const { output } = (await as.must('focus.set', { id: task })) as { output: string }
  writeFileSync(output, text)
  if (Object.keys(files).length > 0) commit(folder, message, files)
  return output
}

export const finish = (
  { as, task }: Pick<Placed, 'as' | 'task'>,
  more: object = {},
): Promise<Answer<'tasks.finish'>> =>
  as.call('tasks.finish', {
    id: task,
    finding: ['It is built.', 'It is tested.', 'It is small.'],
    noTests: 'The test plays an agent that writes none.',
    ...more,
  })

/** Spawns a task and finishes it with these files. */
export const build = async (
  project: TestProject,
  task: string,
  files: Record<string, string>,
  wishes: object = {},
): Promise<Placed> => {
  const placed = await place(project, task, wishes)
  await work(placed, files)
  const finished = await finish(placed)
  if (!finished.ok) throw new Error(JSON.stringify(finished))
  return placed
}

export const receive = (project: TestProject, id: string, more: object = {}) =>
  project.call('orchestrate.receive', { id, ...more })

export const receiveAll = async (project: TestProject) =>
  (await project.must('orchestrate.receive', { all: true })) as unknown as {
    received: {
      taskId: string
      outcome: string
      exit?: number
      why?: string
      then?: string
      merge?: object
    }[]
  }

/** Returns the text of a file on a branch; undefined if the branch does not have it. */
export const onBranch = (root: string, branch: string, path: string): string | undefined => {
  try {
    return git(root, 'show', `${branch}:${path}`)
  } catch {
    return undefined
  }
}

export const branches = (root: string): string[] =>
  git(root, 'for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n').sort()

/** Returns the names in the folder of the worktrees, and how many worktrees git knows besides the checkout. */
export const leftovers = (project: TestProject, folder: string): { folders: string[]; known: number } => ({
  folders: existsSync(dirname(folder))
    ? readdirSync(dirname(folder)).filter((name) => !name.endsWith('.lock'))
    : [],
  known: git(project.root, 'worktree', 'list', '--porcelain').split('\n\n').length - 1,
})

export const isSound = (root: string): void => {
  execFileSync('git', ['fsck', '--strict', '--no-dangling'], { cwd: root, stdio: 'pipe' })
}

export const manifestOf = (root: string): { id: string; file: string; spawnId: string }[] =>
  readFileSync(`${root}/claudedocs/agent-outputs/MANIFEST.jsonl`, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

export { commit, git, put }
