import { expect, test } from 'vitest'
import { drawBoard } from '../../src/overview/draw-board.ts'
import { styleFor } from '../../src/terminal/terminal.ts'
import { onEveryStore } from '../support/project.ts'
import { plantTwoEpics } from '../support/two-epics.ts'

onEveryStore((withProject) => {
  test('[OPS-1] board puts each task into the column of its state, with who works on it', () =>
    withProject(async (project) => {
      await plantTwoEpics(project)
      await project.must('orchestrate.spawn', { id: 'T002' })
      await project.as('T002.1').must('focus.set', { id: 'T002' })
      await project.must('orchestrate.spawn', { id: 'T011' })
      await project.must('tasks.block', { id: 'T003', reason: 'no access' })
      await project.must('focus.set', { id: 'T004' })
      const board = await project.must('tasks.board', { epic: 'T001' })
      expect(board).toMatchObject({
        epic: 'T001',
        active: {
          tasks: [
            { id: 'T004', by: 'ada' },
            { id: 'T002', by: 'T002.1' },
          ],
        },
        blocked: { tasks: [{ id: 'T003', why: 'no access' }] },
        done: { tasks: [] },
      })
      expect(board.ready.tasks.map(({ id }) => id)).not.toContain('T002')
      expect((await project.must('tasks.board', {})).active.tasks.map(({ id }) => id)).toEqual([
        'T004',
        'T002',
        'T011',
      ])
    }))

  test('[OUT-4] board shows at most the limit of each column, and counts the rest', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Epic', type: 'epic' })
      for (let i = 0; i < 6; i++) await project.must('tasks.add', { title: `Task ${i}`, parent: 'T001' })
      for (const id of ['T005', 'T002']) await project.must('tasks.complete', { id })
      const { ready, done } = await project.must('tasks.board', { limit: 1 })
      expect(ready).toMatchObject({ tasks: [{ id: 'T003' }], more: 3 })
      expect(done).toMatchObject({ tasks: [{ id: 'T002' }], more: 1 })
      const all = await project.must('tasks.board', { epic: 'T001' })
      expect(all.done.tasks.map(({ id }) => id)).toEqual(['T002', 'T005'])
      await project.must('tasks.reopen', { id: 'T002', reason: 'not yet' })
      expect((await project.must('tasks.board', {})).done.tasks.map(({ id }) => id)).toEqual(['T005'])
    }))

  test('[OUT-4] board says that there may be more ready tasks than it counted', () =>
    withProject(async (project) => {
      const inPipe = styleFor({}, { isTerminal: false, width: undefined })
      const batch = Array.from({ length: 102 }, (_, n) => ({ title: `Task ${n}` }))
      await project.must('tasks.add', { batch })
      const counted = await project.must('tasks.board', { limit: 3 })
      expect(counted.ready).toMatchObject({ more: 99 })
      expect(counted.ready).not.toHaveProperty('atLeast')
      expect(drawBoard(counted, inPipe)).toContain('ready  +99   more')
      const { ready, ...others } = await project.must('tasks.board', { limit: 2 })
      expect(ready).toMatchObject({ more: 100, atLeast: true })
      expect(drawBoard({ ready, ...others }, inPipe)).toContain('ready  +100  or more')
      const drawn = drawBoard(
        { ready, ...others },
        styleFor({ NO_COLOR: '1' }, { isTerminal: true, width: 80 }),
      )
      expect(drawn).toContain('+100 or more')
    }))

  test('[SESS-4] board says how long a spawn has been quiet', () =>
    withProject(async (project) => {
      await plantTwoEpics(project)
      await project.must('orchestrate.spawn', { id: 'T002' })
      await project.as('T002.1').must('focus.set', { id: 'T002' })
      const first = await project.must('tasks.board', {})
      expect(first.active.tasks[0]).not.toHaveProperty('quietFor')
      await project.pass(2 * 3600_000)
      expect((await project.must('tasks.board', {})).active.tasks[0]!.quietFor).toBeGreaterThanOrEqual(119)
    }))

  test('[OPS-1] board refuses a task that is no epic', () =>
    withProject(async (project) => {
      await plantTwoEpics(project)
      expect(await project.call('tasks.board', { epic: 'T002' })).toMatchObject({ code: 'epic.expected' })
      expect(await project.call('tasks.board', { epic: 'T999' })).toMatchObject({ code: 'task.not_found' })
    }))
})
