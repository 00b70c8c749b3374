import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'
import { addTask, send } from '../support/subagent.ts'

onEveryStore((withProject) => {
  test('[TASK-1] show returns every field of a task', () =>
    withProject(async (project) => {
      const fields = {
        title: 'Sign-up form',
        description: 'Build it.',
        files: ['src/a.ts'],
        labels: ['ui'],
        priority: 'high' as const,
        size: 'small' as const,
      }
      await addTask(project, { ...fields, acceptance: ['rejects a bad e-mail'] })
      expect(await project.must('tasks.show', { id: 'T002' })).toMatchObject({
        ...fields,
        id: 'T002',
        parent: 'T001',
        status: 'pending',
        acceptance: [expect.anything()],
      })
      expect(await project.must('tasks.show', { id: 'T002' })).not.toHaveProperty('gates')
    }))

  test('[GATE-2] show lists the required gates once a task was spawned', () =>
    withProject(async (project) => {
      await addTask(project, { files: ['src/a.ts'] })
      await send(project, 'T002')
      const { gates } = await project.must('tasks.show', { id: 'T002' })
      expect(JSON.stringify(gates)).toMatch(/implemented.*testsPassed.*qaPassed/)
    }))

  test('[TASK-1] show refuses an unknown id and an id that is not one', () =>
    withProject(async (project) => {
      expect(await project.call('tasks.show', { id: 'T099' })).toMatchObject({
        code: 'task.not_found',
        exit: 4,
      })
      expect(await project.call('tasks.show', { id: 'nine' })).toMatchObject({ code: 'input.invalid' })
    }))
})
