import { expect, test } from 'vitest'
import { onEveryStore, type TestProject } from '../support/project.ts'
import { addTask, handIn, lineOf, send } from '../support/subagent.ts'

const idsOf = (tasks: readonly { id: string }[]) => tasks.map(({ id }) => id)

/** Returns what ready, status and prime show for the same state. */
const views = async (project: TestProject) => {
  const { tasks, waiting, out } = await project.must('orchestrate.ready', {})
  const { next, out: statusOut } = await project.must('orchestrate.status', {})
  const { document } = await project.must('orchestrate.prime', {})
  const line = (start: string) => document.split('\n').find((each) => each.startsWith(start)) ?? ''
  expect(statusOut, 'status shows the same spawns').toEqual(out.map(({ title: _, ...each }) => each))
  return {
    ready: idsOf(tasks),
    waiting,
    next,
    out: out.map(({ spawnId }) => spawnId),
    primeReady: line('ready:'),
    primeOut: line('out:'),
  }
}

onEveryStore((withProject) => {
  test('[TASK-6] [ORCH-3] a spawned task is not ready before it is started either; ready lists it apart', () =>
    withProject(async (project) => {
      for (const name of ['a', 'b']) await addTask(project, { files: [`src/${name}.ts`] })
      await send(project, 'T002')
      expect(await project.must('orchestrate.next', {})).toMatchObject({ task: { id: 'T003' }, why: 'ready' })
      expect(await views(project)).toEqual({
        ready: ['T003'],
        waiting: [],
        next: 'T003',
        out: ['T002.1'],
        primeReady: 'ready: T003 "Sign-up form"',
        primeOut: 'out: T002.1',
      })
      const { out, tasks } = await project.must('orchestrate.ready', {})
      expect(out).toMatchObject([{ id: 'T002', title: 'Sign-up form', spawnId: 'T002.1', unstarted: true }])
      expect(tasks).toHaveLength(1)
      await project.must('tasks.cancel', { id: 'T003', reason: 'later' })
      const then = 'cleo spawn show T002.1'
      const why = 'no task is ready; T002.1 is spawned but not started'
      expect(await project.must('orchestrate.next', {})).toEqual({ task: null, why, then })
      expect(await project.must('orchestrate.status', {})).toMatchObject({
        next: null,
        why: 'no task is ready: 1 pending; not received yet: T002.1',
      })
      // The agent can be lost, so the task stays visible, even if nobody starts it for a day.
      await project.pass(86_400_000)
      expect(await project.must('orchestrate.next', {})).toEqual({
        task: null,
        why,
        then,
        quiet: { id: 'T002', spawnId: 'T002.1', quietFor: 1440 },
      })
    }))

  test('[ORCH-3] declared files of a spawn count as taken before it starts', () =>
    withProject(async (project) => {
      for (const priority of ['low', 'high'] as const)
        await addTask(project, { priority, files: ['src/a.ts'] })
      await send(project, 'T002')
      expect(await views(project)).toMatchObject({
        ready: [],
        waiting: [{ id: 'T003', why: 'shares src/a.ts with T002' }],
        out: ['T002.1'],
      })
      await project.as('T002.1').must('focus.set', { id: 'T002' })
      await project.pass(86_400_000)
      expect(await views(project), 'nor are they free when its agent is quiet').toMatchObject({
        ready: [],
        waiting: [{ id: 'T003', why: 'shares src/a.ts with T002' }],
      })
    }))

  test('[SESS-4] [ORCH-3] a received task is ready and no longer out; silence does not make it ready', () =>
    withProject(async (project) => {
      await addTask(project)
      await send(project, 'T002')
      await project.must('orchestrate.receive', { id: 'T002', message: 'need skill: ct-test-runner' })
      const ready = { ready: ['T002'], waiting: [], next: 'T002', out: [], primeOut: '' }
      expect(await views(project)).toMatchObject(ready)
      await project.must('orchestrate.respawn', { id: 'T002' })
      expect(await views(project)).toMatchObject({ ready: [], next: null, out: ['T002.2'] })
      await project.as('T002.2').must('focus.set', { id: 'T002' })
      expect(await views(project)).toMatchObject({ ready: [], next: null, out: ['T002.2'] })
      await project.pass(86_400_000)
      expect(await views(project)).toMatchObject({
        ready: [],
        next: null,
        out: ['T002.2'],
        primeOut: 'out: T002.2 (quiet for 24 h: `cleo show T002`)',
      })
    }))

  test('[SESS-4] a claim without a spawn expires, and its task is ready again', () =>
    withProject(async (project) => {
      await addTask(project)
      await project.as('bob').must('focus.set', { id: 'T002' })
      expect(await views(project)).toMatchObject({ ready: [], out: [] })
      await project.pass(16 * 60_000)
      expect(await views(project)).toMatchObject({ ready: ['T002'], next: 'T002', out: [] })
    }))

  test('[ORCH-1] a received and reopened task is not out until it is spawned again', () =>
    withProject(async (project) => {
      await addTask(project, { labels: ['research'] })
      await handIn(await send(project, 'T002'))
      await project.must('orchestrate.receive', { id: 'T002', message: lineOf('Research') })
      await project.must('tasks.reopen', { id: 'T002', reason: 'one is missing' })
      expect(await views(project)).toMatchObject({ ready: ['T002'], next: 'T002', out: [] })
      await project.must('orchestrate.respawn', { id: 'T002' })
      expect(await views(project)).toMatchObject({ ready: [], out: ['T002.2'] })
      await project.must('tasks.cancel', { id: 'T002', reason: 'later' })
      await project.must('tasks.reopen', { id: 'T002', reason: 'one is missing' })
      expect(await views(project)).toMatchObject({ ready: ['T002'], out: [] })
    }))
})
