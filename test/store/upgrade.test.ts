import { expect, test } from 'vitest'
import type { Store } from '../../src/store/port.ts'
import { onEveryStore, type TestProject } from '../support/project.ts'
import { addTask, handIn, lineOf, send } from '../support/subagent.ts'

const returnsOf = (store: Store) =>
  store.all(
    'SELECT seq, task, spawn, at, actor, returned, need, breach, entry, made FROM returns ORDER BY seq',
  )
const backOf = (store: Store) => store.all('SELECT id, back_at FROM spawns ORDER BY seq')

/** Three tasks with spawns that were received, refused, reopened and respawned, and one that is still out. */
const makeHistory = async (project: TestProject): Promise<void> => {
  for (let i = 0; i < 4; i++) await addTask(project, { labels: ['research'] })
  await send(project, 'T002')
  await project.must('orchestrate.receive', { id: 'T002', message: 'need skill: ct-test-runner' })
  await project.must('orchestrate.respawn', { id: 'T002' })
  await handIn(await send(project, 'T003'))
  await project.must('orchestrate.receive', { id: 'T003', message: lineOf('Research'), followUps: true })
  await project.must('tasks.reopen', { id: 'T003', reason: 'one is missing' })
  await send(project, 'T004')
  await project.call('orchestrate.receive', { id: 'T004', message: 'all done, "trust" me' })
  await send(project, 'T005')
  await project.must('tasks.cancel', { id: 'T005', reason: 'later' })
  await project.must('tasks.reopen', { id: 'T005', reason: 'now' })
}

/** Takes the store back to schema 3, as if an older CLEO had written it. */
const downgrade = async (store: Store): Promise<void> => {
  await store.run('DROP TABLE returns')
  await store.run('ALTER TABLE spawns DROP COLUMN back_at')
  await store.run(
    store.dialect.name === 'sqlite'
      ? 'PRAGMA user_version = 3'
      : 'DELETE FROM schema_version WHERE version = 4',
  )
}

onEveryStore((withProject) => {
  test('[PROJ-4] schema 4 finds in the audit log what was returned before, and which spawns are out', () =>
    withProject(async (project) => {
      await makeHistory(project)
      const store = await project.store()
      const returns = await returnsOf(store)
      const back = await backOf(store)
      expect(returns).toMatchObject([
        { task: 'T002', spawn: 'T002.1', returned: 'need', need: '{"skill":"ct-test-runner","level":"L1"}' },
        { task: 'T003', spawn: 'T003.1', returned: 'complete', made: '[]' },
        { task: 'T004', spawn: 'T004.1', returned: null, breach: 'return.invalid' },
      ])
      expect(back).toMatchObject([
        { id: 'T002.1', back_at: expect.any(Number) },
        { id: 'T002.2', back_at: null },
        { id: 'T003.1', back_at: expect.any(Number) },
        { id: 'T004.1', back_at: expect.any(Number) },
        { id: 'T005.1', back_at: expect.any(Number) },
      ])
      const { awaited } = await project.must('orchestrate.status', {})
      await downgrade(store)
      const upgraded = project.afresh()
      expect((await upgraded.must('orchestrate.status', {})).awaited).toEqual(awaited)
      const after = await upgraded.store()
      expect(await returnsOf(after)).toEqual(returns)
      expect(await backOf(after)).toEqual(back)
    }))

  test('[PROJ-5] an export of schema 3 is imported with what was returned', () =>
    withProject(async (project) => {
      await makeHistory(project)
      const store = await project.store()
      const expected = { returns: await returnsOf(store), back: await backOf(store) }
      const { document } = (await project.as('eve').must('admin.export', {})) as { document: string }
      const older = document
        .split('\n')
        .filter((line) => !line.startsWith('{"record":"returns"'))
        .map((line) => line.replace(/,"backAt":"[^"]+"\}$/, '}'))
        .join('\n')
      expect(older).not.toContain('backAt')
      await withProject(async (copy) => {
        await copy.must('admin.import', { file: older })
        const found = await copy.store()
        expect({ returns: await returnsOf(found), back: await backOf(found) }).toEqual(expected)
        expect(await copy.as('eve').must('admin.export', {})).toMatchObject({ document })
      })
    }))

  test('[ORCH-1] a spawn that was received unstarted is out again once it is spawned again', () =>
    withProject(async (project) => {
      await addTask(project)
      await send(project, 'T002')
      await project.call('orchestrate.receive', { id: 'T002', message: 'nothing of the kind' })
      expect((await project.must('orchestrate.status', {})).awaited).toEqual([])
      expect(await project.must('orchestrate.spawn', { id: 'T002', ref: true })).toMatchObject({
        spawnId: 'T002.1',
      })
      expect((await project.must('orchestrate.status', {})).awaited).toEqual(['T002.1'])
    }))
})
