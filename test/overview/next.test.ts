import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onEveryStore } from '../support/project.ts'
import { plantTwoEpics } from '../support/two-epics.ts'

onEveryStore((withProject) => {
  test('[ORCH-3] next prefers priority, then how much a task unblocks, then its id', () =>
    withProject(async (project) => {
      await plantTwoEpics(project)
      const next = async () => await project.must('orchestrate.next', { epic: 'T001' })
      expect(await next()).toMatchObject({
        task: { id: 'T002' },
        why: 'ready',
        then: 'cleo spawn T002 --ref',
      })
      await project.must('tasks.update', { id: 'T009', depends: ['T004'] })
      expect(await next()).toMatchObject({ task: { id: 'T004' }, why: 'ready; unblocks 1' })
      await project.must('tasks.update', { id: 'T006', priority: 'high' })
      expect(await next()).toMatchObject({ task: { id: 'T006' } })
    }))

  test('[ORCH-1] next stays in the epic of the session, and refuses a task that is not an epic', () =>
    withProject(async (project) => {
      await plantTwoEpics(project)
      const { session } = await project.must('orchestrate.start', { epic: 'T010' })
      expect(await project.as('ada', session).must('orchestrate.next', {})).toMatchObject({
        task: { id: 'T011' },
      })
      const of = (epic: string) => project.call('orchestrate.next', { epic })
      expect(await of('T002')).toMatchObject({ code: 'epic.expected', exit: 6 })
      expect(await of('T099')).toMatchObject({ code: 'task.not_found', exit: 4 })
    }))

  test('[ORCH-1] without a ready task next says why, and what to run', () =>
    withProject(async (project) => {
      const next = () => project.must('orchestrate.next', {})
      expect(await next()).toEqual({ task: null, why: 'no tasks yet', then: 'cleo add "…" --type epic' })
      await project.must('tasks.add', { title: 'Accounts', type: 'epic' })
      expect(await next()).toMatchObject({
        why: 'it has no tasks yet',
        then: 'cleo add "…" --parent T001',
      })
      await project.must('tasks.add', { title: 'Form', parent: 'T001' })
      expect(await next(), 'a spawn needs a description').toMatchObject({
        task: { id: 'T002' },
        why: 'ready; no description or criterion',
        then: 'cleo update T002 --description "…"',
      })
      await project.must('tasks.block', { id: 'T002', reason: 'no access' })
      expect(await next()).toEqual({
        task: null,
        why: 'no task is ready: 1 blocked',
        then: 'cleo inbox',
      })
      await project.must('tasks.cancel', { id: 'T002', reason: 'not needed' })
      expect(await next()).toMatchObject({ task: null })
    }))

  test('[ORCH-4] next says that a task declares too many files for one spawn (ORC-006)', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Accounts', type: 'epic' })
      const files = ['a.ts', 'b.ts', 'c.ts', 'd.ts']
      await project.must('tasks.add', { title: 'Form', parent: 'T001', description: 'Do it.', files })
      expect(await project.must('orchestrate.next', {})).toMatchObject({
        task: { id: 'T002' },
        why: expect.stringContaining('4 files'),
        then: 'cleo add "…" --parent T002 --files "…"',
      })
      const path = join(project.root, '.cleo/config.json')
      const config = JSON.parse(readFileSync(path, 'utf8')) as object
      writeFileSync(path, JSON.stringify({ ...config, spawn: { maxFiles: 4 } }))
      expect(await project.afresh().must('orchestrate.next', {})).toMatchObject({ why: 'ready' })
    }))
})
