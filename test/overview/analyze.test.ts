import { expect, test } from 'vitest'
import { onEveryStore, type TestProject } from '../support/project.ts'

/** In epic T001, T004 depends on T002, T005 on T004, and T006 on T008 of epic T007. T003 depends on nothing. */
const plant = async ({ must }: TestProject): Promise<void> => {
  await must('tasks.add', {
    batch: [
      { key: 'e', title: 'Accounts', type: 'epic' },
      { key: 'a', title: 'Hashing', parent: 'e' },
      { key: 'b', title: 'Mail', parent: 'e' },
      { key: 'c', title: 'Table', parent: 'e', depends: ['a'] },
      { key: 'd', title: 'Form', parent: 'e', depends: ['c'] },
      { key: 'f', title: 'Receipt', parent: 'e', depends: ['h'] },
      { key: 'g', title: 'Invoices', type: 'epic' },
      { key: 'h', title: 'Layout', parent: 'g' },
    ],
  })
}

onEveryStore((withProject) => {
  test('[ORCH-2] analyze returns waves, critical path, outside blockers and counts', () =>
    withProject(async (project) => {
      await plant(project)
      expect(await project.must('orchestrate.analyze', { epic: 'T001' })).toEqual({
        epic: 'T001',
        waves: [['T002', 'T003'], ['T004'], ['T005']],
        criticalPath: ['T002', 'T004', 'T005'],
        blockedOutside: [{ id: 'T006', on: ['T008'] }],
        counts: { pending: 5, active: 0, blocked: 0, done: 0, cancelled: 0 },
      })
    }))

  test('[ORCH-2] done and cancelled tasks count as satisfied and are in no wave', () =>
    withProject(async (project) => {
      await plant(project)
      await project.must('tasks.complete', { id: 'T002' })
      await project.must('tasks.cancel', { id: 'T008', reason: 'not needed' })
      expect(await project.must('orchestrate.analyze', { epic: 'T001' })).toMatchObject({
        waves: [['T003', 'T004', 'T006'], ['T005']],
        criticalPath: ['T004', 'T005'],
        blockedOutside: [],
        counts: { pending: 4, done: 1 },
      })
    }))

  test('[ORCH-2] a dependency of the epic blocks all of its tasks', () =>
    withProject(async (project) => {
      await plant(project)
      await project.must('tasks.update', { id: 'T001', depends: ['T008'] })
      const { waves, blockedOutside } = await project.must('orchestrate.analyze', { epic: 'T001' })
      expect(waves).toEqual([])
      expect(blockedOutside.map(({ id }) => id)).toEqual(['T002', 'T003', 'T004', 'T005', 'T006'])
    }))

  test('[ORCH-2] analyze draws the graph as text, Mermaid or dot, and refuses an unknown task', () =>
    withProject(async (project) => {
      await plant(project)
      const drawing = async (graph: 'text' | 'mermaid' | 'dot') =>
        (await project.must('orchestrate.analyze', { epic: 'T001', graph })).drawing
      expect(await drawing('mermaid')).toMatch(/^(graph|flowchart) /)
      expect(await drawing('dot')).toMatch(/^digraph /)
      expect(await drawing('text')).toContain('T004')
      expect(await project.call('orchestrate.analyze', { epic: 'T099' })).toMatchObject({
        code: 'task.not_found',
        exit: 4,
      })
    }))
})
