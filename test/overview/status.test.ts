import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'
import { plantTwoEpics } from '../support/two-epics.ts'

onEveryStore((withProject) => {
  test('[ORCH-1] status returns counts, active, out and blocked tasks, and the next one', () =>
    withProject(async (project) => {
      await plantTwoEpics(project)
      await project.must('orchestrate.spawn', { id: 'T002' })
      await project.must('orchestrate.spawn', { id: 'T004' })
      await project.must('orchestrate.spawn', { id: 'T011' })
      await project.as('T002.1').must('focus.set', { id: 'T002' })
      await project.must('tasks.block', { id: 'T003', reason: 'no access' })
      expect(await project.must('orchestrate.status', { epic: 'T001' })).toMatchObject({
        epic: 'T001',
        counts: { pending: 6, active: 1, blocked: 1 },
        active: [{ id: 'T002', owner: 'T002.1' }],
        out: [{ spawnId: 'T002.1' }, { spawnId: 'T004.1' }],
        blocked: [{ id: 'T003', why: 'no access' }],
        next: 'T005',
      })
      expect(await project.must('orchestrate.status', {})).toMatchObject({
        out: [{ spawnId: 'T002.1' }, { spawnId: 'T004.1' }, { spawnId: 'T011.1' }],
      })
      const { session } = await project.must('orchestrate.start', { epic: 'T010' })
      const scoped = await project.as('ada', session).must('orchestrate.status', {})
      expect(scoped).toMatchObject({ epic: 'T010', out: [{ spawnId: 'T011.1' }], next: null })
    }))
})
