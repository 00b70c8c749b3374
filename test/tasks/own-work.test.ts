import { expect, test } from 'vitest'
import { onEveryStore, type TestProject } from '../support/project.ts'

/** Adds an epic with the tasks T002 and T003, and T004 below T002. T003 is spawned. */
const plant = async ({ must }: TestProject): Promise<void> => {
  await must('tasks.add', { title: 'Accounts', type: 'epic', description: 'All of it.' })
  for (const title of ['Form', 'Table'])
    await must('tasks.add', { title, parent: 'T001', description: 'Build it.', acceptance: ['it works'] })
  await must('tasks.add', { title: 'Part of the form', parent: 'T002' })
  await must('orchestrate.spawn', { id: 'T003' })
}

onEveryStore((withProject) => {
  test('[SESS-3] a subagent may not change the tasks of other agents', () =>
    withProject(async (project) => {
      await plant(project)
      const agent = project.as('T003.1')
      const refused = { code: 'task.foreign', exit: 64 }
      expect(
        await agent.call('tasks.cancel', { id: 'T002', reason: 'in my way', withChildren: true }),
      ).toMatchObject(refused)
      expect(await agent.call('tasks.block', { id: 'T004', reason: 'x' })).toMatchObject(refused)
      expect(await agent.call('tasks.update', { id: 'T002', priority: 'low' })).toMatchObject(refused)
      expect(await agent.call('tasks.complete', { id: 'T004' })).toMatchObject(refused)
      await project.must('tasks.cancel', { id: 'T004', reason: 'not needed' })
      expect(await agent.call('tasks.reopen', { id: 'T004', reason: 'x' })).toMatchObject(refused)
      await project.must('tasks.block', { id: 'T002', reason: 'x' })
      expect(await agent.call('tasks.unblock', { id: 'T002' })).toMatchObject(refused)
      expect(await agent.call('tasks.note', { id: 'T002', text: 'look at this' })).toMatchObject({ ok: true })
    }))

  test('[SESS-3] a subagent puts nothing below the tasks of other agents', () =>
    withProject(async (project) => {
      await plant(project)
      const agent = project.as('T003.1')
      const refused = { code: 'task.foreign', exit: 64 }
      const found = { title: 'In the way', parent: 'T002' }
      expect(await agent.call('tasks.add', found)).toMatchObject(refused)
      expect(await agent.call('tasks.add', { batch: [found] })).toMatchObject(refused)
      expect(await agent.call('outline.add', { from: '- In the way\n', parent: 'T002' })).toMatchObject(
        refused,
      )
      const { id } = (await agent.must('tasks.add', { title: 'My own', parent: 'T001' })) as { id: string }
      expect(await agent.call('tasks.move', { id, to: 'T002' })).toMatchObject(refused)
      expect(await agent.call('tasks.update', { id, parent: 'T002' })).toMatchObject(refused)
      await agent.must('tasks.move', { id, to: 'T003' })
      await project.must('tasks.add', found)
    }))

  test('[SESS-3] an outline moves no task of another agent', () =>
    withProject(async (project) => {
      await plant(project)
      await project.must('tasks.add', { title: 'Other', type: 'epic' })
      await project.must('tasks.add', {
        title: 'Of the other epic',
        parent: 'T005',
        description: 'Build it.',
      })
      const agent = project.as('T003.1')
      const refused = { code: 'task.foreign', exit: 64 }
      for (const from of [
        '# Accounts {#T001}\n- Table {#T003}\n  - Of the other epic {#T006}\n',
        '# Accounts {#T001}\n- New\n  - Form {#T002}\n',
        '# Other {#T005}\n- Form {#T002}\n',
      ])
        expect(await agent.call('outline.add', { from }), from).toMatchObject(refused)
      expect(await agent.call('outline.add', { from: '# Other {#T005}\n- Table {#T003}\n' })).toMatchObject({
        code: 'task.contract',
      })
      await project.must('orchestrate.spawn', { id: 'T006' })
      await project.as('T006.1').must('focus.set', { id: 'T006' })
      const held = await agent.call('outline.add', { from: '- Of the other epic {#T006}\n', parent: 'T003' })
      expect(held).toMatchObject({ ok: false })
    }))

  test('[SESS-3] a subagent may change what it added and what is below its own task', () =>
    withProject(async (project) => {
      await plant(project)
      const agent = project.as('T003.1')
      const { id } = (await agent.must('tasks.add', { title: 'Found on the way', parent: 'T001' })) as {
        id: string
      }
      await agent.must('tasks.update', { id, description: 'More of it.', acceptance: ['it is gone'] })
      await agent.must('tasks.cancel', { id, reason: 'was nothing' })
      await agent.must('tasks.add', { title: 'Part of the table', parent: 'T003' })
      await agent.must('tasks.cancel', { id: 'T006', reason: 'not needed' })
    }))

  test('[GATE-1] a subagent may not change the contract of its own task', () =>
    withProject(async (project) => {
      await plant(project)
      const agent = project.as('T003.1')
      const refused = { code: 'task.contract', exit: 64 }
      for (const change of [
        { removeAcceptance: ['it works'] },
        { acceptance: [] },
        { description: 'Nothing at all.' },
        { stage: 'validation' as const },
        { parent: 'none' },
        { files: ['**'] },
        { addFiles: ['src/table.ts'] },
        { removeFiles: ['src/table.ts'] },
      ])
        expect(await agent.call('tasks.update', { id: 'T003', ...change })).toMatchObject(refused)
      expect(await agent.call('tasks.cancel', { id: 'T003', reason: 'too hard' })).toMatchObject({
        code: 'task.foreign',
      })
      await agent.must('tasks.update', { id: 'T003', addLabels: ['tables'] })
      await project.must('tasks.update', { id: 'T003', removeAcceptance: ['it works'] })
    }))

  test('[SESS-3] a subagent does no work of an orchestrator, and is refused before anything is recorded', () =>
    withProject(async (project) => {
      await plant(project)
      await project.must('tasks.add', { title: 'Page', parent: 'T001', description: 'Build it.' })
      await project.must('orchestrate.spawn', { id: 'T005' })
      const { id: session } = (await project.must('session.start', { name: 'Accounts' })) as { id: string }
      const before = JSON.stringify(await project.must('admin.log', {}))
      const agent = project.as('T003.1')
      const refused = { code: 'orchestrator.needed', exit: 64, fix: 'cleo focus show --as T003.1' }
      expect(await agent.call('orchestrate.receive', { id: 'T005' })).toMatchObject(refused)
      expect(await agent.call('orchestrate.receive', { all: true })).toMatchObject(refused)
      expect(await agent.call('lifecycle.start', { id: 'T001' })).toMatchObject(refused)
      expect(await agent.call('lifecycle.advance', { id: 'T001' })).toMatchObject(refused)
      expect(await agent.call('lifecycle.skip', { id: 'T001', reason: 'x' })).toMatchObject(refused)
      expect(await agent.call('session.end', { id: session })).toMatchObject(refused)
      expect(await agent.call('session.resume', { id: session })).toMatchObject(refused)
      const held = await agent.call('focus.set', { id: 'T005' })
      expect(held).toMatchObject({ code: 'claim.held', alternatives: ['A person can release T005.'] })
      const after = JSON.stringify(await project.must('admin.log', { task: 'T005' }))
      expect(before).not.toContain('breach')
      expect(after).not.toContain('breach')
    }))

  test('[SESS-3] a refused receive by an agent that did not spawn the task does not give it away', () =>
    withProject(async (project) => {
      await plant(project)
      const agent = (name: string) => project.afresh({ CLAUDECODE: '1' }).as(name)
      await project.must('tasks.add', { title: 'Page', parent: 'T001', description: 'Build it.' })
      await agent('lead').must('orchestrate.spawn', { id: 'T005' })
      await project.as('T005.1').must('focus.set', { id: 'T005' })
      expect(await agent('other').call('orchestrate.receive', { id: 'T005' })).toMatchObject({ ok: false })
      expect(await agent('lead').call('orchestrate.respawn', { id: 'T005' })).toMatchObject({
        code: 'spawn.out',
        alternatives: expect.not.arrayContaining([expect.stringContaining('--replace')]),
      })
      expect(await agent('lead').call('orchestrate.receive', { id: 'T005' })).toMatchObject({ ok: false })
      expect(await agent('lead').call('orchestrate.respawn', { id: 'T005' })).toMatchObject({ ok: true })
    }))

  test('[SPAWN-2] a subagent may not spawn any task, not even its own', () =>
    withProject(async (project) => {
      await plant(project)
      const agent = project.as('T003.1')
      for (const id of ['T003', 'T004'])
        expect(await agent.call('orchestrate.spawn', { id, protocol: 'research' })).toMatchObject({
          exit: 64,
        })
      expect(await agent.call('orchestrate.respawn', { id: 'T003' })).toMatchObject({ exit: 64 })
    }))
})
