import type { TestProject } from './project.ts'

/**
 * Adds epic T001 with the tasks T002 to T009, and epic T010 with T011. Each task declares its own file, so that all can
 * run side by side in the one folder of a project without git.
 */
export const plantTwoEpics = async (project: TestProject): Promise<void> => {
  await project.must('tasks.add', { title: 'Accounts', type: 'epic' })
  for (let i = 0; i < 8; i++)
    await project.must('tasks.add', {
      title: `Part ${i}`,
      parent: 'T001',
      description: 'Do it.',
      files: [`src/part-${i}.ts`],
    })
  await project.must('tasks.add', { title: 'Invoices', type: 'epic' })
  const layout = { title: 'Layout', parent: 'T010', description: 'Do it.', files: ['src/layout.ts'] }
  await project.must('tasks.add', layout)
}
