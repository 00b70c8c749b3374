import { expect, test } from 'vitest'
import { plantOrdinary } from '../support/ordinary-task.ts'
import { onSqlite, type TestProject } from '../support/project.ts'

const spawnTwice = async (project: TestProject): Promise<void> => {
  await plantOrdinary(project)
  await project.must('orchestrate.spawn', { id: 'T004', ref: true })
  await project.must('tasks.update', { id: 'T004', addAcceptance: ['sends one mail'] })
  await project.must('orchestrate.spawn', { id: 'T004', ref: true })
}

onSqlite((withProject) => {
  test('[SPAWN-6] a task compares its last two spawns, section by section', () =>
    withProject(async (project) => {
      await spawnTwice(project)
      const byTask = await project.must('orchestrate.spawn.diff', { from: 'T004' })
      expect(byTask).toMatchObject({ from: 'T004.1', to: 'T004.2', same: false })
      expect(byTask.changes.map(({ section }) => section)).toEqual([
        '### Task Identity',
        '### Manifest Entry',
      ])
      expect(byTask.changes[0]).toEqual({
        section: '### Task Identity',
        removed: [],
        added: ['4. sends one mail'],
      })
      expect(await project.must('orchestrate.spawn.diff', { from: 'T004.1' })).toEqual(byTask)
      expect(await project.must('orchestrate.spawn.diff', { from: 'T004.1', to: 'T004.2' })).toEqual(byTask)
    }))

  test('[SPAWN-6] in the other direction what was added is removed', () =>
    withProject(async (project) => {
      await spawnTwice(project)
      const { changes } = await project.must('orchestrate.spawn.diff', { from: 'T004.2', to: 'T004.1' })
      expect(changes[0]).toMatchObject({ removed: ['4. sends one mail'], added: [] })
    }))

  test('[SPAWN-6] refuses a single spawn, an unknown spawn and a task that was never spawned', () =>
    withProject(async (project) => {
      await plantOrdinary(project)
      const diff = (input: { from: string; to?: string }) => project.call('orchestrate.spawn.diff', input)
      expect(await diff({ from: 'T004' })).toMatchObject({ code: 'spawn.none' })
      await project.must('orchestrate.spawn', { id: 'T004', ref: true })
      expect(await diff({ from: 'T004' })).toMatchObject({ code: 'spawn.single' })
      expect(await diff({ from: 'T004.1', to: 'T004.1' })).toMatchObject({ code: 'spawn.single' })
      expect(await diff({ from: 'T004.7' })).toMatchObject({ code: 'spawn.not_found' })
      expect(await diff({ from: 'T004.1', to: 'T004.7' })).toMatchObject({ code: 'spawn.not_found' })
    }))
})
