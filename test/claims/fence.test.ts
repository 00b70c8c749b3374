import { expect, test } from 'vitest'
import { onEveryStore, withProject } from '../support/project.ts'
import { addTask, send } from '../support/subagent.ts'

onEveryStore((withProject) => {
  test('[SESS-3] a spawn id that was never given out cannot act', () =>
    withProject(async (project) => {
      await addTask(project)
      for (const id of ['T002.1', 'T002.0', 'T099.1']) {
        const nobody = project.as(id)
        const changes = [
          nobody.call('focus.set', { id: 'T002' }),
          nobody.call('tasks.add', { title: 'mine' }),
          nobody.call('tasks.note', { id: 'T002', text: 'hm' }),
        ]
        for (const answer of await Promise.all(changes))
          expect(answer, id).toMatchObject({
            code: 'spawn.not_found',
            exit: 4,
            message: `There is no spawn ${id}.`,
            fix: 'cleo spawn list',
          })
      }
      expect(await project.as('T002.1').call('tasks.show', { id: 'T002' }), 'reading is free').toMatchObject({
        ok: true,
      })
      await send(project, 'T002')
      expect(await project.as('T002.1').call('focus.set', { id: 'T002' })).toMatchObject({ ok: true })
    }))
})

test('[SESS-3] [PROJ-5] attempt numbers go on after a restore, and agents from before it are refused', () =>
  withProject(async (project) => {
    await addTask(project)
    await addTask(project)
    const { path } = await project.must('admin.backup', {})
    const before = await send(project, 'T002')
    await before.as.must('focus.set', { id: 'T002' })
    await project.must('admin.restore', { file: path })
    const late = { code: 'spawn.restored', exit: 35, fix: 'cleo show T002' }
    expect(await before.as.call('focus.set', { id: 'T002' }), 'from before the restore').toMatchObject(late)
    expect(await before.as.call('tasks.note', { id: 'T003', text: 'late' })).toMatchObject(late)
    expect((await send(project, 'T002')).id).toBe('T002.2')
    expect(await before.as.call('tasks.complete', { id: 'T002' })).toMatchObject({
      code: 'spawn.superseded',
      exit: 35,
    })
    expect((await send(project, 'T003')).id, 'a task that was not spawned before').toBe('T003.1')
  }))

test('[SESS-3] a restore fences attempts that a later one had replaced, and not those that are still out', () =>
  withProject(async (project) => {
    await addTask(project)
    await addTask(project)
    const replaced = await send(project, 'T002')
    const out = await send(project, 'T003')
    await out.as.must('focus.set', { id: 'T003' })
    const { path } = await project.must('admin.backup', {})
    await project.must('orchestrate.respawn', { id: 'T002', tier: 0, ref: true })
    await project.must('admin.restore', { file: path })
    expect(await replaced.as.call('focus.set', { id: 'T002' })).toMatchObject({
      code: 'spawn.restored',
      exit: 35,
    })
    expect(await out.as.call('tasks.note', { id: 'T003', text: 'going on' })).toMatchObject({ ok: true })
    // A second restore of the same backup keeps the attempt numbers too, and an export contains them.
    await project.must('admin.restore', { file: path })
    const { document } = (await project.as('eve').must('admin.export', {})) as { document: string }
    await withProject(async (copy) => {
      await copy.must('admin.import', { file: document })
      expect((await send(copy, 'T002')).id).toBe('T002.3')
    })
    expect((await send(project, 'T002')).id).toBe('T002.3')
  }))
