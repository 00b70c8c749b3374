import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'
import { plantTwoEpics } from '../support/two-epics.ts'

onEveryStore((withProject) => {
  test('[PROJ-7] the log lists changes newest first, and filters by task, actor, operation and session', () =>
    withProject(async (project) => {
      await plantTwoEpics(project)
      const { session } = await project.must('orchestrate.start', { epic: 'T001' })
      await project.as('grace', session).must('tasks.block', { id: 'T003', reason: 'no access' })
      const log = async (filter: object) => (await project.must('admin.log', filter)).entries
      const [newest] = await log({})
      expect(newest).toMatchObject({ operation: 'tasks.block', actor: 'grace', taskId: 'T003', session })
      expect((await log({ task: 'T003' })).map(({ operation }) => operation)).toEqual([
        'tasks.block',
        'tasks.add',
      ])
      expect(await log({ actor: 'grace' })).toEqual([newest])
      expect(await log({ in: session })).toEqual([newest])
      expect(await log({ operation: 'orchestrate.start' })).toMatchObject([{ after: { session } }])
      expect(await log({ actor: 'eve' })).toEqual([])
    }))

  test('[PROJ-7] the log is read page by page, without a gap or a repeat', () =>
    withProject(async (project) => {
      await plantTwoEpics(project)
      const read: number[] = []
      let after: number | undefined
      for (;;) {
        const answer = await project.call('admin.log', { limit: 4, ...(after && { after }) })
        if (!answer.ok) throw new Error(answer.message)
        read.push(...answer.value.entries.map(({ seq }) => seq))
        if (!answer.page?.next) break
        after = Number(answer.page.next)
      }
      expect(read).toEqual([...new Set(read)].sort((a, b) => b - a))
      expect(read).toHaveLength((await project.must('admin.log', { limit: 100 })).entries.length)
    }))

  test('[PROJ-7] the log refuses a limit and a task that are not valid', () =>
    withProject(async (project) => {
      expect(await project.call('admin.log', { limit: 0 })).toMatchObject({ code: 'input.invalid' })
      expect(await project.call('admin.log', { task: 'nine' })).toMatchObject({ code: 'input.invalid' })
    }))
})
