import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { configure } from './configure.ts'
import { type TestProject, type WithProject, withProject } from './project.ts'
import { addTask, commit, git, repository, type Sent, send } from './subagent.ts'

/** Makes a repository with T002 spawned and worked on: one commit of one file. */
export const withWork = (
  withProject: WithProject,
  work: (sent: Sent, project: TestProject) => Promise<void>,
): Promise<void> =>
  withProject(async (project) => {
    repository(project.root)
    await addTask(project, { acceptance: ['checks addresses', 'stores a hash'] })
    const sent = await send(project, 'T002')
    commit(project.root, 'Build the form\n\nTask: T002', { 'src/form.ts': 'export const form = 1\n' })
    await work(sent, project)
  })

/** Does what `withWork` does, but the spawn works in its own worktree. */
export const withWorktree = (
  work: (sent: Sent & { tree: string }, project: TestProject) => Promise<void>,
  {
    task = {},
    config = {},
    files = {},
  }: { task?: object; config?: object; files?: Record<string, string> } = {},
): Promise<void> =>
  withProject(async (made) => {
    const project = await configure(made, config)
    repository(project.root)
    if (Object.keys(files).length > 0) commit(project.root, 'More', files)
    await addTask(project, { acceptance: ['checks addresses', 'stores a hash'], ...task })
    const tree = join(project.root, '.home', 'tree')
    git(project.root, 'worktree', 'add', '-q', '-b', 'work', tree)
    const sent = await send(project, 'T002', { worktree: tree })
    commit(tree, 'Build the form', { 'src/form.ts': 'export const form = 1\n' })
    await work({ ...sent, as: project.from(tree).as(sent.id), tree }, project)
  })

export const gate = (project: TestProject, name: string, evidence: string) =>
  project.call('verify.gate', { id: 'T002', gate: name, evidence })

export const criterion = (project: TestProject, n: number, evidence: string) =>
  project.call('verify.criterion', { id: 'T002', criterion: n, evidence })

export const gateOf = async (project: TestProject, name: string) =>
  (await project.must('verify.view', { id: 'T002' })).gates.find((each) => each.gate === name)

/** Runs all commands of a fix except the last, which repeats the command that was refused. Returns the last one. */
export const commitAsTold = (folder: string, answer: unknown): string => {
  const parts = (answer as { fix: string }).fix.split(' && ')
  const author = '-c user.name=agent -c user.email=agent@example.invalid'
  const commands = parts.slice(0, -1).map((part) => part.replace(/^git /, `git ${author} `))
  execFileSync('sh', ['-c', commands.join(' && ')], { cwd: folder })
  return parts.at(-1)!
}

/** Returns the message of a refusal and of all its problems. */
export const problemsIn = (answer: unknown): string => {
  const { message, problems = [] } = answer as { message: string; problems?: { message: string }[] }
  return [message, ...problems.map((problem) => problem.message)].join('\n')
}

/** Matches a refusal of evidence whose message has these words in this order. */
export const refused = (...words: string[]) => ({
  ok: false,
  code: 'evidence.invalid',
  exit: 41,
  message: expect.stringMatching(
    new RegExp(words.map((word) => word.replace(/[.[\]()/<>|$+*?^{}\\]/g, '\\$&')).join('[^]*')),
  ),
})
