import { expect, test } from 'vitest'
import { onEveryStore, type TestProject } from '../support/project.ts'
import { addTask, handIn, lineOf, send } from '../support/subagent.ts'

const idsOf = (tasks: readonly { id: string }[]) => tasks.map(({ id }) => id)

/** What ready, status and prime show for the same state. */
const views = async (project: TestProject) => {
  const { tasks, waiting } = await project.must('orchestrate.ready', {})
  const { next, awaited } = await project.must('orchestrate.status', {})
  const { document } = await project.must('orchestrate.prime', {})
  const line = (start: string) => document.split('\n').find((each) => each.startsWith(start)) ?? ''
  return {
    ready: idsOf(tasks),
    waiting,
    next,
    awaited,
    primeReady: line('ready:'),
    primeOut: line('not returned yet:'),
  }
}

onEveryStore((withProject) => {
  test('[ORCH-3] a spawned task that was not started comes last, and says so', () =>
    withProject(async (project) => {
      await addTask(project)
      await addTask(project)
      await send(project, 'T002')
      expect(await project.must('orchestrate.next', {})).toMatchObject({ task: { id: 'T003' }, why: 'ready' })
      const why = 'spawned as T002.1, not started'
      expect(await views(project)).toEqual({
        ready: ['T003'],
        waiting: [{ id: 'T002', why }],
        next: 'T003',
        awaited: ['T002.1'],
        primeReady: 'ready: T003 "Sign-up form"',
        primeOut: 'not returned yet: T002.1',
      })
      await project.must('tasks.cancel', { id: 'T003', reason: 'later' })
      // The agent may be lost: the task stays visible however long it is not started.
      await project.pass(86_400_000)
      expect(await project.must('orchestrate.next', {})).toMatchObject({
        task: { id: 'T002' },
        why,
        then: 'cleo spawn show T002.1',
      })
      expect(await project.must('orchestrate.status', {})).toMatchObject({
        next: null,
        why: `T002 is ${why}`,
      })
    }))

  test('[ORCH-3] declared files of a spawn count as taken before it starts', () =>
    withProject(async (project) => {
      for (const priority of ['low', 'high'] as const)
        await addTask(project, { priority, files: ['src/a.ts'] })
      await send(project, 'T002')
      expect(await views(project)).toMatchObject({
        ready: [],
        waiting: [
          { id: 'T003', why: 'shares src/a.ts with T002' },
          { id: 'T002', why: 'spawned as T002.1, not started' },
        ],
      })
    }))

  test('[ORCH-3] a received task, or one with an expired claim, is ready and no longer out', () =>
    withProject(async (project) => {
      await addTask(project)
      await send(project, 'T002')
      await project.must('orchestrate.receive', { id: 'T002', message: 'need skill: ct-test-runner' })
      const ready = { ready: ['T002'], waiting: [], next: 'T002', awaited: [], primeOut: '' }
      expect(await views(project)).toMatchObject(ready)
      await project.must('orchestrate.respawn', { id: 'T002' })
      expect(await views(project)).toMatchObject({ ready: [], next: null, awaited: ['T002.2'] })
      await project.as('T002.2').must('focus.set', { id: 'T002' })
      expect(await views(project)).toMatchObject({ ready: [], next: null, awaited: ['T002.2'] })
      await project.pass(86_400_000)
      expect(await views(project)).toMatchObject(ready)
    }))

  test('[ORCH-1] a received and reopened task is not out until it is spawned again', () =>
    withProject(async (project) => {
      await addTask(project, { labels: ['research'] })
      await handIn(await send(project, 'T002'))
      await project.must('orchestrate.receive', { id: 'T002', message: lineOf('Research') })
      await project.must('tasks.reopen', { id: 'T002', reason: 'one is missing' })
      expect(await views(project)).toMatchObject({ ready: ['T002'], next: 'T002', awaited: [] })
      await project.must('orchestrate.respawn', { id: 'T002' })
      expect(await views(project)).toMatchObject({ ready: [], awaited: ['T002.2'] })
      await project.must('tasks.cancel', { id: 'T002', reason: 'later' })
      await project.must('tasks.reopen', { id: 'T002', reason: 'one is missing' })
      expect(await views(project)).toMatchObject({ ready: ['T002'], awaited: [] })
    }))
})
