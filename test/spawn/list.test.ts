import { expect, test } from 'vitest'
import { plantOrdinary } from '../support/ordinary-task.ts'
import { onEveryStore } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[SPAWN-6] lists spawns newest first, with the state of each', () =>
    withProject(async (project) => {
      const { must, call } = project
      await plantOrdinary(project)
      await must('tasks.add', { title: 'Other epic', type: 'epic', description: 'x' })
      await must('tasks.add', { title: 'Other task', parent: 'T005', description: 'x' })
      await must('orchestrate.spawn', { id: 'T004', ref: true })
      await must('orchestrate.spawn', { id: 'T004', tier: 0, ref: true })
      await must('orchestrate.spawn', { id: 'T006', ref: true })
      await project.as('T004.2').must('focus.set', { id: 'T004' })
      const states = async (input: object = {}) =>
        (await must('orchestrate.spawn.list', input)).spawns.map(
          ({ spawnId, state }) => `${spawnId} ${state}`,
        )
      expect(await states()).toEqual(['T006.1 waits', 'T004.2 started', 'T004.1 superseded'])
      expect(await states({ task: 'T004' })).toEqual(['T004.2 started', 'T004.1 superseded'])
      expect(await states({ epic: 'T005' })).toEqual(['T006.1 waits'])
      await must('tasks.cancel', { id: 'T006', reason: 'no longer needed' })
      expect(await states({ epic: 'T005' })).toEqual(['T006.1 over'])
      expect(await call('orchestrate.spawn.list', { task: 'T099' })).toMatchObject({ code: 'task.not_found' })
      expect(await call('orchestrate.spawn.list', { epic: 'T004' })).toMatchObject({ code: 'epic.expected' })
    }))

  test('[SPAWN-6] [OUT-4] pages go on where the last one ended', () =>
    withProject(async (project) => {
      await plantOrdinary(project)
      for (const tier of [0, 1, 2]) await project.must('orchestrate.spawn', { id: 'T004', tier, ref: true })
      const first = await project.call('orchestrate.spawn.list', { limit: 2 })
      if (!first.ok) throw new Error(first.message)
      expect(first.value.spawns.map(({ spawnId }) => spawnId)).toEqual(['T004.3', 'T004.2'])
      expect(first.page).toMatchObject({ total: 3, limit: 2 })
      const rest = await project.must('orchestrate.spawn.list', { after: Number(first.page!.next) })
      expect(rest.spawns.map(({ spawnId }) => spawnId)).toEqual(['T004.1'])
    }))
})
