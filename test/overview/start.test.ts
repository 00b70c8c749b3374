import { expect, test } from 'vitest'
import { loadTokenizer } from '../../src/prompt/budget/measure.ts'
import { onEveryStore } from '../support/project.ts'
import { plantTwoEpics } from '../support/two-epics.ts'

const tokens = await loadTokenizer()

onEveryStore((withProject) => {
  test('[ORCH-1] start opens one session per actor and epic, and returns the state of the epic', () =>
    withProject(async (project) => {
      await plantTwoEpics(project)
      await project.must('tasks.block', { id: 'T003', reason: 'no access' })
      const first = await project.must('orchestrate.start', { epic: 'T001' })
      expect(first).toMatchObject({ epic: 'T001', title: 'Accounts', counts: { pending: 7, blocked: 1 } })
      expect(first.ready.map(({ id }) => id)).toEqual(['T002', 'T004', 'T005', 'T006', 'T007'])
      expect(first.blocked).toEqual([{ id: 'T003', why: 'no access' }])
      expect(first.note).toContain(`--session ${first.session}`)
      expect(first.note).toContain('CLEO_SESSION_ID')
      expect(first.then).toBe(`cleo next --session ${first.session}`)
      expect(tokens(JSON.stringify(first))).toBeLessThan(600)

      const again = await project.must('orchestrate.start', { epic: 'T001' })
      expect(again).toEqual({ ...first, noChange: true })
      const other = await project.as('grace').must('orchestrate.start', { epic: 'T001' })
      expect(other.session).not.toBe(first.session)
      const second = await project.must('orchestrate.start', { epic: 'T010' })
      expect(second.session).not.toBe(first.session)

      await project.must('session.end', { id: first.session })
      const next = await project.must('orchestrate.start', { epic: 'T001' })
      expect(next.session).not.toBe(first.session)
    }))

  test('[ORCH-1] start refuses a task that is not an epic', () =>
    withProject(async (project) => {
      await plantTwoEpics(project)
      const start = (epic: string) => project.call('orchestrate.start', { epic })
      expect(await start('T002')).toMatchObject({ code: 'epic.expected', exit: 6 })
      expect(await start('T099')).toMatchObject({ code: 'task.not_found', exit: 4 })
    }))

  test('[ORCH-1] [OUT-4] start stays under 800 tokens with the longest titles', () =>
    withProject(async (project) => {
      const title = '"\\𒐫漢ﷺ'.repeat(40).slice(0, 200).toWellFormed()
      await project.must('tasks.add', { title, type: 'epic' })
      for (let i = 0; i < 12; i++)
        await project.must('tasks.add', { title, parent: 'T001', description: title })
      for (const id of ['T002', 'T003', 'T004', 'T005', 'T006', 'T007'])
        await project.must('tasks.block', { id, reason: title.repeat(4) })
      const answer = await project.must('orchestrate.start', { epic: 'T001' })
      expect(tokens(JSON.stringify(answer))).toBeLessThan(750)
    }))
})
