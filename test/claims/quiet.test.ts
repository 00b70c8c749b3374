import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onEveryStore, type TestProject, withProject } from '../support/project.ts'
import { addTask, commit, git, put, repository, send } from '../support/subagent.ts'

const minute = 60_000

/** Adds a task and lets agent T002.1 of orchestrator ann start it. */
const started = async (project: TestProject): Promise<TestProject> => {
  await addTask(project)
  const { as } = await send(project.as('ann'), 'T002')
  await as.must('focus.set', { id: 'T002' })
  return as
}

const respawn = (project: TestProject, id = 'T002') => project.call('orchestrate.respawn', { id, ref: true })
const out = { ok: false, code: 'spawn.out', exit: 35 }
const replaced = { ok: true, value: { spawnId: 'T002.2' } }

test('[SESS-4] the lease of a spawn does not decide about its task', () =>
  withProject(async (project) => {
    const agent = await started(project)
    await project.pass(16 * minute)
    const { tasks } = await project.must('orchestrate.ready', {})
    expect(tasks, 'not offered again after its lease').toEqual([])
    expect(await respawn(project.as('ann'))).toMatchObject(out)
    expect(await agent.call('focus.note', { text: 'thirty minutes of coding' })).toMatchObject({ ok: true })
  }))

onEveryStore((withProject) => {
  test('[SESS-4] a quiet agent keeps its task: silence for longer than the lease does not give it away', () =>
    withProject(async (project) => {
      const agent = await started(project)
      await project.pass(59 * minute)
      expect(await respawn(project.as('ann')), 'not to its orchestrator').toMatchObject({
        ...out,
        message: expect.stringMatching(
          /^T002 cannot be spawned again yet: the work of T002\.1, spawned by ann at \d{4}-\d\d-\d\d \d\d:\d\d, has not been received\.$/,
        ),
        fix: 'cleo show T002',
      })
      expect(await respawn(project.as('bob')), 'nor to another').toMatchObject(out)
      expect(await project.as('bob').call('focus.set', { id: 'T002' })).toMatchObject({ exit: 35 })
      expect((await project.must('orchestrate.ready', {})).tasks).toEqual([])
      await agent.must('tasks.note', { id: 'T002', text: 'still here' })
    }))

  test('[SESS-4] after claims.quiet without a command a spawn is quiet, and any orchestrator may replace it', () =>
    withProject(async (project) => {
      const agent = await started(project)
      await project.pass(61 * minute)
      const quiet = { id: 'T002', spawnId: 'T002.1', quietFor: 61 }
      expect((await project.must('orchestrate.ready', {})).out).toMatchObject([quiet])
      expect((await project.must('orchestrate.status', {})).out).toMatchObject([quiet])
      expect(await project.must('orchestrate.next', {})).toMatchObject({ task: null, quiet })
      expect((await project.must('tasks.show', { id: 'T002' })).spawn).toMatchObject({
        id: 'T002.1',
        folder: project.root,
        quietSince: expect.any(String),
        quietFor: 61,
      })
      expect(await respawn(project.as('bob'))).toMatchObject({
        value: { warnings: [expect.stringContaining('T002.1 is replaced; it last ran a command at')] },
      })
      expect(await agent.call('tasks.note', { id: 'T002', text: 'late' })).toMatchObject({
        code: 'spawn.superseded',
      })
    }))

  test('[SESS-4] any command of the agent, even a read, ends its silence', () =>
    withProject(async (project) => {
      const agent = await started(project)
      await project.pass(55 * minute)
      await agent.must('tasks.show', { id: 'T002' })
      await project.pass(50 * minute)
      expect(await respawn(project.as('ann'))).toMatchObject(out)
      expect((await project.must('orchestrate.ready', {})).out[0]).not.toHaveProperty('quietFor')
    }))

  test('[SESS-4] claims.quiet decides when, in minutes', () =>
    withProject(async (project) => {
      await project.must('admin.config.set', { key: 'claims.quiet', value: '0.5' })
      const again = project.afresh()
      await started(again)
      await project.pass(20_000)
      expect(await respawn(again.as('bob'))).toMatchObject(out)
      await project.pass(15_000)
      expect((await again.must('orchestrate.ready', {})).out).toMatchObject([
        { quietFor: expect.any(Number) },
      ])
      expect(await respawn(again.as('bob'))).toMatchObject(replaced)
    }))

  test('[SESS-4] only the spawning actor replaces it after a refused return', () =>
    withProject(async (project) => {
      await started(project)
      await project.as('ann').call('orchestrate.receive', { id: 'T002', message: 'Done!' })
      expect((await project.must('orchestrate.ready', {})).out).toMatchObject([{ refused: true }])
      expect(await project.must('orchestrate.next', {})).toMatchObject({
        task: null,
        then: 'cleo respawn T002 --ref',
      })
      expect(await respawn(project.as('bob'))).toMatchObject(out)
      expect(await respawn(project.as('ann'))).toMatchObject(replaced)
    }))

  test('[SESS-4] after a need-line the task is ready again; a person replaces an agent at any time', () =>
    withProject(async (project) => {
      await started(project)
      expect(await project.call('orchestrate.spawn', { id: 'T002', ref: true, replace: true })).toMatchObject(
        replaced,
      )
      await project.as('T002.2').must('focus.set', { id: 'T002' })
      await project
        .as('ann')
        .must('orchestrate.receive', { id: 'T002', message: 'need skill: ct-test-runner' })
      expect(await project.must('orchestrate.ready', {})).toMatchObject({ tasks: [{ id: 'T002' }], out: [] })
      expect(await respawn(project.as('bob'))).toMatchObject({ value: { spawnId: 'T002.3' } })
    }))

  test('[SESS-2] focus set without --as on a task that is out gives no claim and names the spawn', () =>
    withProject(async (project) => {
      await addTask(project)
      await send(project, 'T002')
      const refused = {
        code: 'claim.held',
        exit: 35,
        message: expect.stringContaining('If you are T002.1, add --as T002.1.'),
        fix: 'cleo focus set T002 --as T002.1',
      }
      expect(await project.call('focus.set', { id: 'T002' }), 'before it is started').toMatchObject(refused)
      const agent = project.as('T002.1')
      await agent.must('focus.set', { id: 'T002' })
      expect(await project.call('focus.set', { id: 'T002' })).toMatchObject(refused)
      expect(await project.call('tasks.complete', { id: 'T002' })).toMatchObject(refused)
      await addTask(project)
      await send(project, 'T003')
      const other = await project.as('T003.1').call('focus.set', { id: 'T002' })
      expect(other, 'another spawn did not forget its name').toMatchObject({
        exit: 35,
        message: expect.not.stringContaining('If you are'),
        fix: 'cleo show T002 --as T003.1',
      })
    }))

  test('[SESS-4] a spawn that releases or blocks its task gives it up; if a person blocks it, it stays out', () =>
    withProject(async (project) => {
      const agent = await started(project)
      const ready = async () => (await project.must('orchestrate.ready', {})).tasks.map(({ id }) => id)
      await agent.must('focus.clear', {})
      expect(await ready()).toEqual(['T002'])
      await agent.must('focus.set', { id: 'T002' })
      expect(await ready(), 'taken up again').toEqual([])
      expect((await project.must('orchestrate.ready', {})).out[0]).not.toHaveProperty('refused')
      await project.must('tasks.block', { id: 'T002', reason: 'wait' })
      expect((await project.must('orchestrate.ready', {})).out, 'blocked').toEqual([])
      await project.must('tasks.unblock', { id: 'T002' })
      expect(await ready()).toEqual([])
      await agent.must('focus.set', { id: 'T002' })
      await agent.must('tasks.block', { id: 'T002', reason: 'no access' })
      await project.must('tasks.unblock', { id: 'T002' })
      expect(await ready()).toEqual(['T002'])
    }))

  test('[SESS-4] an unstarted spawn is released by its own name', () =>
    withProject(async (project) => {
      await addTask(project)
      await send(project, 'T002')
      expect(await project.call('focus.clear', { id: 'T002' })).toMatchObject({ exit: 35 })
      await project.as('T002.1').must('focus.clear', { id: 'T002' })
      expect(await project.must('orchestrate.ready', {})).toMatchObject({ tasks: [{ id: 'T002' }], out: [] })
    }))

  test('[SESS-4] a commit or a changed file in its worktree ends the silence too', () =>
    withProject(async (project) => {
      repository(project.root)
      const worktree = `${project.root}-T002`
      git(project.root, 'worktree', 'add', '-q', '-b', 'work', worktree)
      await addTask(project)
      const { as } = await send(project, 'T002', { worktree })
      await as.must('focus.set', { id: 'T002' })
      // In SQLite tests, the clock starts at the beginning of 2026, so give the files times of that clock.
      const at = (file: string, ms: number) => utimesSync(file, ms / 1000, ms / 1000)
      const log = join(project.root, '.git', 'worktrees', `${worktree.split('/').at(-1)}`, 'logs', 'HEAD')
      // The list includes the output file, which `focus set` has made.
      const files = git(worktree, 'ls-files', '--cached', '--others').split('\n')
      const store = await project.store()
      const setAll = async (ago: number) => {
        const then = (await store.now()) - ago
        for (const path of [...files.map((name) => join(worktree, name)), join(worktree, '.git'), log])
          at(path, then)
      }
      await project.pass(90 * minute)
      await setAll(90 * minute)
      const { spawn } = await project.must('tasks.show', { id: 'T002' })
      expect(spawn).toMatchObject({ folder: worktree, branch: 'cleo/T002.1', quietFor: 90 })
      put(worktree, { 'src/new.ts': 'export const b = 2\n' })
      at(join(worktree, 'src/new.ts'), (await store.now()) - 5 * minute)
      const shown = await project.must('tasks.show', { id: 'T002' })
      expect(shown.spawn, 'a new file').not.toHaveProperty('quietFor')
      expect(await respawn(project.as('bob'))).toMatchObject(out)
      commit(worktree, 'Work')
      await setAll(90 * minute)
      at(join(worktree, 'src/new.ts'), (await store.now()) - 90 * minute)
      at(log, (await store.now()) - minute)
      expect((await project.must('orchestrate.ready', {})).out[0], 'a commit').not.toHaveProperty('quietFor')
      at(log, (await store.now()) - 80 * minute)
      expect((await project.must('orchestrate.ready', {})).out).toMatchObject([{ quietFor: 80 }])
      expect(await respawn(project.as('bob'))).toMatchObject(replaced)
      git(project.root, 'worktree', 'remove', '--force', worktree)
    }))

  test('[PROJ-5] an exported and imported project has the same tasks out', () =>
    withProject(async (project) => {
      await started(project)
      await addTask(project)
      await addTask(project)
      await send(project, 'T003')
      const { document } = (await project.must('admin.export', {})) as { document: string }
      await withProject(async (copy) => {
        await copy.must('admin.import', { file: document })
        const { tasks, out } = await copy.must('orchestrate.ready', { shared: false })
        expect(tasks.map(({ id }) => id)).toEqual(['T004'])
        expect(out.map(({ spawnId }) => spawnId).toSorted()).toEqual(['T002.1', 'T003.1'])
      })
    }))
})
