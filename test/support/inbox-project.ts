import type { TestProject } from './project.ts'

export const inboxIds = async ({ must }: TestProject): Promise<string[]> =>
  (await must('inbox.list', {})).items.map(({ id }) => id)

/** Opens the consensus C1 and makes it contested: in both rounds, one vote accepts and one rejects. */
export const contest = async (project: TestProject, task = 'T001'): Promise<void> => {
  const { must } = project
  await must('consensus.open', { id: task, question: 'Which queue?', option: ['table', 'server'] })
  const vote = { id: 'C1', option: 'table', confidence: 0.5, rationale: 'r', evidence: ['e'] }
  const split = async () => {
    await project.as('bob').must('consensus.vote', { ...vote, accept: true })
    await project.as('cyd').must('consensus.vote', { ...vote, reject: true })
  }
  await split()
  await must('consensus.open', { id: 'C1', again: true })
  await split()
}

/** Adds a contested consensus, four blocked tasks and four questions, in turn. */
export const fillInbox = async (project: TestProject): Promise<void> => {
  for (let n = 1; n <= 4; n++) await project.must('tasks.add', { title: `Task ${n}` })
  await contest(project)
  const agent = project.afresh({ CLAUDECODE: '1' })
  for (let n = 1; n <= 4; n++) {
    await project.must('tasks.block', { id: `T00${n}`, reason: 'x' })
    await agent.call('admin.restore', { file: `${n}.db` })
  }
}
