import type { TestProject } from './project.ts'

/** Epic T001 with the tasks T002 to T009, and epic T010 with T011. */
export const plantTwoEpics = async (project: TestProject): Promise<void> => {
  await project.must('tasks.add', { title: 'Accounts', type: 'epic' })
  for (let i = 0; i < 8; i++)
    await project.must('tasks.add', { title: `Part ${i}`, parent: 'T001', description: 'Do it.' })
  await project.must('tasks.add', { title: 'Invoices', type: 'epic' })
  await project.must('tasks.add', { title: 'Layout', parent: 'T010', description: 'Do it.' })
}
