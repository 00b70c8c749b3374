import { type TestProject, withProject } from './project.ts'
import { addTask, append, commit, repository, type Sent, send } from './subagent.ts'

export const code = { 'src/form.ts': 'export const form = 1\n', 'test/form.test.ts': 'check(1)\n' }

/** Gives evidence for every gate of an implementation. */
export const prove = async ({ as, task }: Sent, files = 'src/form.ts'): Promise<void> => {
  const gate = (name: string, evidence: string) => as.must('verify.gate', { id: task, gate: name, evidence })
  await gate('implemented', `commit:HEAD;files:${files}`)
  await gate('testsPassed', 'tool:test')
  await gate('qaPassed', 'tool:lint')
}

/** Plays an agent that sets focus, commits and submits its entry. */
export const build = async (
  project: TestProject,
  message: string,
  { files = code, text, entry = {} }: { files?: Record<string, string>; text?: string; entry?: object } = {},
): Promise<Sent> => {
  const sent = await send(project, await addTask(project))
  await sent.as.must('focus.set', { id: sent.task })
  commit(project.root, message, files)
  await append(sent, { ...(text !== undefined && { text }), entry: { noTests: undefined, ...entry } })
  return sent
}

export const inRepository = <T>(work: (project: TestProject) => Promise<T>): Promise<T> =>
  withProject(async (project) => {
    repository(project.root)
    return work(project)
  })
