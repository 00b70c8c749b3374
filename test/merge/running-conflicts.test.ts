import { expect, test } from 'vitest'
import { withProject } from '../support/project.ts'
import {
  addTasks,
  build,
  finish,
  git,
  inRepository,
  onBranch,
  place,
  receive,
  work,
} from '../support/worktrees.ts'

test('[TREE-4] status names tasks that are out and already conflict, and what waits to be received', () =>
  inRepository(withProject, async (project) => {
    const [one, two, three] = await addTasks(project, 'Build one', 'Build two', 'Build three')
    const first = await place(project, one!)
    const second = await place(project, two!)
    const third = await place(project, three!)
    await work(first, { 'src/a.ts': 'export const a = 1 // one\n' })
    await work(third, { 'src/c.ts': 'export const c = 3\n' })
    expect((await project.must('orchestrate.status', {})).conflicts).toBeUndefined()
    await work(second, { 'src/a.ts': 'export const a = 2 // two\n' })
    expect((await project.must('orchestrate.status', {})).conflicts).toEqual([
      { tasks: [one, two], files: ['src/a.ts'] },
    ])
    for (const placed of [first, second, third]) expect(await finish(placed)).toMatchObject({ ok: true })
    const { submitted, why } = await project.must('orchestrate.status', {})
    expect(submitted).toEqual([one, two, three])
    expect(why).toBe('cleo receive --all')
    expect(await project.must('orchestrate.next', {})).toMatchObject({ then: `cleo receive ${one}` })
  }))

test('[TREE-5] respawn --continue starts from the commits of the last attempt, any other from the integration branch', () =>
  inRepository(withProject, async (project) => {
    const [one, two] = await addTasks(project, 'Build one', 'Build two')
    const first = await place(project, one!)
    await work(first, { 'src/half.txt': 'half\n' })
    await build(project, two!, { 'src/two.txt': 'two\n' })
    expect(await receive(project, two!)).toMatchObject({ ok: true })
    await project.must('orchestrate.respawn', { id: one!, ref: true, replace: true, continue: true })
    expect(onBranch(project.root, `cleo/${one}.2`, 'src/half.txt')).toBe('half')
    await project.must('orchestrate.respawn', { id: one!, ref: true })
    expect(onBranch(project.root, `cleo/${one}.3`, 'src/two.txt')).toBe('two')
    const files = git(project.root, 'ls-tree', '-r', '--name-only', `cleo/${one}.3`)
    expect(files).not.toContain('src/half.txt')
    expect(git(project.root, 'show', `refs/cleo/attempts/${one}.1:src/half.txt`)).toBe('half')
  }))

test('[TREE-5] after a refused attempt the next prompt says what failed, and --continue finds its commits', () =>
  inRepository(withProject, async (project) => {
    const [one] = await addTasks(project, 'Build one')
    const first = await place(project, one!)
    await work(first, { 'src/half.txt': 'BROKEN\n' })
    expect(await finish(first)).toMatchObject({ ok: false })
    // The agent might still be working, so `receive --all` takes nothing from it.
    expect(await project.must('orchestrate.receive', { all: true })).toMatchObject({
      received: [{ outcome: 'refused', exit: 45, then: `cleo receive ${one} --message "<its last line>"` }],
    })
    expect(await project.call('orchestrate.respawn', { id: one! })).toMatchObject({ ok: false, exit: 35 })
    expect(await receive(project, one!)).toMatchObject({ ok: false, exit: 45 })
    const respawn = (more: object = {}) => project.must('orchestrate.respawn', { id: one!, ...more })
    const { prompt } = (await respawn()) as { prompt: string }
    expect(prompt).toMatch(
      /criteria:\n<data-\S+ from="last-attempt">testsPassed: failed: make test exited with 2/,
    )
    const branch = (attempt: number) => onBranch(project.root, `cleo/${one}.${attempt}`, 'src/half.txt')
    expect(branch(2), 'the second attempt starts anew').toBeUndefined()
    expect(await respawn({ continue: true })).toMatchObject({ spawnId: `${one}.3` })
    expect(branch(3), 'the third continues the first').toBe('BROKEN')
    expect(await respawn({ continue: true }), 'it is not started').toMatchObject({ spawnId: `${one}.3` })
  }))
