import type { TestProject } from './project.ts'

/** Adds the epic T001, starts its lifecycle, and adds a research task and an implementation task. */
export const addEpic = async ({ must }: TestProject, stage?: 'testing' | 'release'): Promise<void> => {
  await must('tasks.add', { title: 'Accounts', type: 'epic' })
  await must('lifecycle.start', { id: 'T001', ...(stage && { at: stage }) })
  await must('tasks.add', { title: 'Compare hashing', parent: 'T001', stage: 'research' })
  await must('tasks.add', { title: 'Sign-up form', parent: 'T001' })
}
