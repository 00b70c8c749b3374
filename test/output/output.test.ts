import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { outputs, put, withHandedOut } from '../support/manifest-project.ts'
import { onEveryStore, withProject } from '../support/project.ts'
import { addTask, rulings, send } from '../support/subagent.ts'

onEveryStore((withProject) => {
  test('[MANI-6] a file is made once, never overwritten, and only for one’s own task', () =>
    withHandedOut(withProject, async (project) => {
      const path = join(project.root, outputs, 'T003-form.md')
      expect(await project.call('output.new', { id: 'T003' }, { dryRun: true })).toMatchObject({
        value: { path },
      })
      expect(await project.must('output.new', { id: 'T003' })).toEqual({ path })
      expect(readFileSync(path, 'utf8')).toContain('**Task**: T003\n**Epic**: T001\n')
      writeFileSync(path, 'mine')
      expect(await project.must('output.new', { id: 'T003' })).toEqual({ path, noChange: true })
      expect(readFileSync(path, 'utf8')).toBe('mine')
      const agent = project.as('T002.1')
      expect(await agent.call('output.new', { id: 'T003' })).toMatchObject({ code: 'entry.foreign' })
      expect(await project.call('output.new', { id: 'T099' })).toMatchObject({ code: 'task.not_found' })
      const inside = await agent.must('output.new', { id: 'T002', category: 'research' })
      expect(inside.path).toBe(join(project.root, outputs, 'research', 'T002-compare-hashing.md'))
      const log = await project.must('admin.log', { operation: 'output.new' })
      expect(log.entries).toHaveLength(2)
    }))

  test('[MANI-5] links go both ways, each end exists, and twice is once', () =>
    withHandedOut(withProject, async (project) => {
      const { id: entry } = await project.must('pipeline.manifest.append', {
        task: 'T002',
        status: 'partial',
        followup: ['x'],
      })
      const agent = project.as('T002.1')
      expect(await agent.must('research.link', { task: 'T003', entry })).toEqual({ task: 'T003', entry })
      expect(await agent.must('research.link', { task: 'T003', entry })).toMatchObject({ noChange: true })
      const links = [{ task: 'T003', entry, by: 'T002.1' }]
      expect(await project.must('research.links', { id: 'T003' })).toEqual({ links })
      expect(await project.must('research.links', { id: entry })).toEqual({ links })
      expect(await project.must('research.links', { id: 'T001' })).toEqual({ links: [] })
      expect(await project.call('research.link', { task: 'T099', entry })).toMatchObject({
        code: 'task.not_found',
      })
      expect(await project.call('research.link', { task: 'T003', entry: 'T002-no' })).toMatchObject({
        code: 'entry.not_found',
      })
      const none = { code: 'entry.not_found', fix: 'cleo manifest list' }
      expect(await project.call('research.links', { id: 'T002-no' })).toMatchObject(none)
      expect(await project.call('research.links', { id: 'nope' })).toMatchObject(none)
      expect(await project.call('research.link', { task: 'T003', entry: 'nope' })).toMatchObject(none)
      expect(await project.call('research.unlink', { task: 'T003', entry: 'T002' })).toMatchObject(none)
      expect(await project.call('pipeline.manifest.show', { id: 'no such' })).toMatchObject(none)
      expect(await project.call('pipeline.manifest.show', { id: 'a\0b' })).toMatchObject({
        code: 'input.invalid',
      })
      expect(await agent.must('research.unlink', { task: 'T003', entry })).toEqual({ task: 'T003', entry })
      expect(await agent.must('research.unlink', { task: 'T003', entry })).toMatchObject({ noChange: true })
      expect(await project.must('research.links', { id: entry })).toEqual({ links: [] })
    }))

  test('[MANI-5] entries are listed, found and counted', () =>
    withHandedOut(withProject, async (project) => {
      put(project, `${outputs}/T003-form.md`)
      for (const n of [1, 2, 3, 4, 5])
        await project.must('pipeline.manifest.append', {
          task: 'T003',
          id: `T003-part-${n}`,
          status: n % 2 ? 'complete' : 'partial',
          followup: [`zebra${n}`],
          agentType: n < 3 ? 'analysis' : 'implementation',
        })
      const ids = async (input: object) =>
        (await project.must('pipeline.manifest.list', input)).entries.map(({ id }) => id)
      expect(await ids({ limit: 2 })).toEqual(['T003-part-5', 'T003-part-4'])
      const first = await project.call('pipeline.manifest.list', { limit: 2 })
      const after = Number(first.ok && first.page?.next)
      expect(first).toMatchObject({ page: { total: 5, limit: 2 } })
      expect(await ids({ limit: 2, after })).toEqual(['T003-part-3', 'T003-part-2'])
      expect(await ids({ status: 'partial' })).toEqual(['T003-part-4', 'T003-part-2'])
      expect(await ids({ agentType: 'analysis', epic: 'T001' })).toEqual(['T003-part-2', 'T003-part-1'])
      expect(await ids({ task: 'T002' })).toEqual([])
      expect(await project.call('pipeline.manifest.list', { epic: 'T099' })).toMatchObject({
        code: 'task.not_found',
      })
      const found = async (query: string) => project.call('pipeline.manifest.find', { query, limit: 2 })
      expect(await found('zebra4')).toMatchObject({ value: { entries: [{ id: 'T003-part-4' }] } })
      expect(await found('zebra')).toMatchObject({ page: { total: 5, next: '2' } })
      expect(await found('t3')).toMatchObject({ page: { total: 5 } })
      expect(await found('giraffe')).toMatchObject({ value: { entries: [] }, page: { total: 0 } })
      expect(await found('"*')).toMatchObject({ value: { entries: [] } })
      expect(await project.must('pipeline.manifest.stats', {})).toEqual({
        entries: 5,
        tasks: 1,
        status: { complete: 3, partial: 2 },
        agentTypes: { analysis: 2, implementation: 3 },
        findings: 0,
        followups: 5,
        quarantined: 0,
      })
    }))
})

test('[MANI-6] a file is looked for in its place, by its name, without following links', () =>
  withHandedOut(withProject, async (project) => {
    const check = (target: string) => project.call('output.check', { target })
    expect(await check('T003')).toMatchObject({ code: 'output.absent', fix: 'cleo output new T003 --as ada' })
    put(project, 'elsewhere/T003-x.md')
    expect(await check('elsewhere/T003-x.md')).toMatchObject({
      problems: [{ message: expect.stringContaining('is not in') }],
    })
    put(project, `${outputs}/notes.md`)
    expect(await check(`${outputs}/notes.md`)).toMatchObject({
      problems: [{ message: expect.stringContaining('is not named after a task') }],
    })
    symlinkSync('/etc/hostname', join(project.root, outputs, 'T003-link.md'))
    expect(await check(`${outputs}/T003-link.md`)).toMatchObject({ problems: [{ message: 'is a link' }] })
    put(project, `${outputs}/T003-run.sh`, 'true')
    expect(await check(`${outputs}/T003-run.sh`)).toMatchObject({ value: { findings: [] } })
  }))

test('[MANI-6] no file is made through a link', () =>
  withProject(async (project) => {
    await project.must('tasks.add', { title: 'One' })
    mkdirSync(join(project.root, 'other'))
    symlinkSync(join(project.root, 'other'), join(project.root, 'claudedocs'))
    expect(await project.call('output.new', { id: 'T001' })).toMatchObject({ code: 'output.invalid' })
  }))

test('[MANI-5] every entry is looked at: shape, file and links', () =>
  withHandedOut(withProject, async (project) => {
    await project.as('T002.1').must('pipeline.manifest.append', { status: 'partial', followup: ['x'] })
    expect(await project.call('pipeline.manifest.validate', {})).toMatchObject({
      value: { checked: 1, findings: [] },
    })
    put(project, `${outputs}/T002-compare-hashing.md`, 'other words')
    expect(await project.must('pipeline.manifest.validate', { task: 'T002' })).toMatchObject({
      findings: [
        { level: 'warning', message: 'T002-compare-hashing.md has changed since the entry was stored' },
      ],
    })
    const db = await project.store()
    const bad = {
      id: 'T003-bad',
      status: 'maybe',
      file: 'T003-gone.md',
      title: 'x',
      date: 'x',
      agent_type: 'x',
      linked_tasks: ['T999'],
    }
    await db.run(
      "INSERT INTO entries (id, task, status, body, appended_at) VALUES ('T003-bad', 'T003', 'complete', ?, 0)",
      JSON.stringify(bad),
    )
    const answer = await project.call('pipeline.manifest.validate', {})
    expect(!answer.ok && answer.problems?.map(({ message }) => message)).toEqual([
      'warning: T002-compare-hashing.md has changed since the entry was stored',
      'status: must be one of complete, partial, blocked, not "maybe"',
      'date: must be a day such as 2026-01-31',
      'links to T999, which does not exist',
      'T003-gone.md does not exist',
    ])
  }))

test('[MANI-6] [PROT-1] the skeleton of a specification is one that its rules accept', () =>
  withProject(async (project) => {
    const task = await addTask(project, { stage: 'specification' })
    const sent = await send(project, task)
    await sent.as.must('focus.set', { id: task })
    const { path } = await sent.as.must('output.new', { id: task })
    const text = readFileSync(path, 'utf8').replaceAll(/^## (.*)$/gm, '## $1\n\n- It MUST hold.\n')
    writeFileSync(path, text.replace('draft', 'accepted'))
    expect(await project.call('output.check', { target: task })).toMatchObject({ ok: true })
    await sent.as.must('pipeline.manifest.append', { status: 'complete', finding: ['It is specified.'] })
    const ruled = await rulings(project, task)
    for (const id of ['SPEC-001', 'SPEC-002', 'SPEC-003', 'SPEC-004', 'SPEC-005'])
      expect([id, ruled[id]?.[0]]).toEqual([id, 'pass'])
  }))
