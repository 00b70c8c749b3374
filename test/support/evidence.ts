import { expect } from 'vitest'
import type { TestProject, WithProject } from './project.ts'
import { addTask, commit, repository, type Sent, send } from './subagent.ts'

/** A repository with T002 spawned and worked on: one commit, one file. */
export const withWork = (
  withProject: WithProject,
  work: (sent: Sent, project: TestProject) => Promise<void>,
): Promise<void> =>
  withProject(async (project) => {
    repository(project.root)
    await addTask(project, { acceptance: ['checks addresses', 'stores a hash'] })
    const sent = await send(project, 'T002')
    commit(project.root, 'Build the form', { 'src/form.ts': 'export const form = 1\n' })
    await work(sent, project)
  })

export const gate = (project: TestProject, name: string, evidence: string) =>
  project.call('verify.gate', { id: 'T002', gate: name, evidence })

export const criterion = (project: TestProject, n: number, evidence: string) =>
  project.call('verify.criterion', { id: 'T002', criterion: n, evidence })

export const gateOf = async (project: TestProject, name: string) =>
  (await project.must('verify.view', { id: 'T002' })).gates.find((each) => each.gate === name)

/** The refusal of evidence whose message has these words in this order. */
export const refused = (...words: string[]) => ({
  ok: false,
  code: 'evidence.invalid',
  exit: 41,
  message: expect.stringMatching(
    new RegExp(words.map((word) => word.replace(/[.[\]()/<>|$+*?^{}\\]/g, '\\$&')).join('[^]*')),
  ),
})
