import type { TestProject } from './project.ts'

/**
 * Exports as an actor without claims. A command of an owner renews the owner's claims, and that would change the
 * export.
 */
export const exported = async (project: TestProject): Promise<string> => {
  const answer = await project.as('eve').must('admin.export', {})
  if (!('document' in answer)) throw new Error('nothing was printed')
  return answer.document
}

/** Returns the tables whose rows an export must contain: all but `project`, because a copy gets its own project id. */
export const tablesOf = async (project: TestProject) => {
  const store = await project.store()
  return store.all<{ name: string }>(
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'project' ORDER BY name",
  )
}

/** Adds an epic with two tasks. One is done, and an agent works on the other. */
export const plant = async ({ must, as }: TestProject): Promise<void> => {
  await must('tasks.add', { title: 'Accounts', type: 'epic' })
  await must('tasks.add', { title: 'Hashing', parent: 'T001', labels: ['research'], files: ['src/a.ts'] })
  await must('tasks.add', {
    title: 'Form, see T002',
    parent: 'T001',
    depends: ['T002'],
    description: '- [ ] stores a hash',
    acceptance: ['rejects a bad e-mail'],
  })
  await must('tasks.complete', { id: 'T002' })
  const { id } = await must('session.start', { name: 'first pass', epic: 'T001' })
  await as('agent', id).must('focus.set', { id: 'T003' })
  await as('agent', id).must('tasks.note', { id: 'T003', text: 'half way' })
  await as('ada', id).must('session.end', { id, note: 'go on with T003' })
}
