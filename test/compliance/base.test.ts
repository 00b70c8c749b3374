import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onEveryStore, withProject } from '../support/project.ts'
import { addTask, append, handIn, lineOf, rulings, send } from '../support/subagent.ts'

const compare = { title: 'Compare password hashing', labels: ['research'] }
const outputs = 'claudedocs/agent-outputs'

onEveryStore((withProject) => {
  test('[ORCH-5] work that kept its protocol is valid, each rule with the fact it rests on', () =>
    withProject(async (project) => {
      const sent = await send(project, await addTask(project, compare))
      const entry = await handIn(sent)
      await project.must('orchestrate.receive', { id: 'T002', message: lineOf('Research') })
      expect(await project.must('orchestrate.validate', { id: 'T002' })).toEqual({
        task: 'T002',
        valid: true,
        spawn: 'T002.1',
        protocol: 'research',
        rules: [],
        counts: { pass: 13, fail: 0, warning: 0, na: 1 },
      })
      expect(await rulings(project, 'T002')).toMatchObject({
        'BASE-001': ['pass', entry],
        'BASE-002': ['pass', 'it returned one of its lines: complete'],
        'BASE-003': ['pass', 'done by ada with orchestrate.receive'],
        'BASE-004': ['pass', `${outputs}/T002-compare-password-hashing.md, unchanged since ${entry}`],
        'BASE-005': ['pass', 'T002.1 set focus before it was done'],
        'BASE-006': ['pass', 'what it names is there, 1 looked up'],
        'BASE-007': ['pass', `${entry} is linked to T002`],
        'RSCH-001': ['na', 'it had no work folder of its own'],
        'RSCH-002': ['pass', '1 source under References'],
        'RSCH-006': ['pass', '3 findings'],
      })
    }))

  test('[ORCH-5] who says complete and has nothing fails by what is not there', () =>
    withProject(async (project) => {
      await send(project, await addTask(project, compare))
      await project.call('orchestrate.receive', { id: 'T002', message: lineOf('Research') })
      const answer = await project.call('orchestrate.validate', { id: 'T002' })
      expect(answer).toMatchObject({ ok: false, code: 'compliance.entry', exit: 62, retryable: true })
      expect((answer as { problems?: object[] }).problems).toMatchObject([
        { path: 'BASE-001', message: 'T002.1 appended no entry', fix: 'cleo orchestrate respawn T002 --ref' },
        { path: 'BASE-003', message: 'T002 is pending' },
        { path: 'BASE-005', message: 'T002.1 never set focus' },
        { path: 'RSCH-004', message: 'T002.1 appended no entry' },
      ])
    }))

  test('[ORCH-5] an epic is checked task by task, a page at a time, and only what was spawned', () =>
    withProject(async (project) => {
      for (let n = 0; n < 4; n++) await addTask(project, { ...compare, title: `Compare ${n}` })
      for (const id of ['T002', 'T003', 'T004']) {
        await handIn(await send(project, id))
        await project.must('orchestrate.receive', { id, message: lineOf('Research') })
      }
      const first = await project.call('orchestrate.validate', { epic: 'T001', limit: 2, all: true })
      expect(first).toMatchObject({
        value: { epic: 'T001', valid: true, tasks: [{ id: 'T002' }, { id: 'T003' }], counts: { checked: 2 } },
        page: { total: 3, limit: 2, next: 'T003' },
      })
      expect(await project.must('orchestrate.validate', { epic: 'T001', after: 'T003' })).toEqual({
        epic: 'T001',
        valid: true,
        tasks: [],
        counts: { checked: 1, valid: 1 },
      })
      await send(project, 'T005')
      await project.call('orchestrate.receive', { id: 'T005', message: lineOf('Research') })
      expect(await project.call('orchestrate.validate', { epic: 'T001' })).toMatchObject({
        code: 'compliance.entry',
        message: '1 of 4 tasks breaks a rule: T005: BASE-001, BASE-003, BASE-005, RSCH-004',
        problems: [
          {
            path: 'T005',
            message: 'BASE-001, BASE-003, BASE-005, RSCH-004',
            fix: 'cleo orchestrate validate T005',
          },
        ],
      })
    }))
})

test('[ORCH-5] what was never spawned has no protocol to be checked by', () =>
  withProject(async (project) => {
    await addTask(project, compare)
    expect(await project.call('orchestrate.validate', { id: 'T002' })).toMatchObject({
      code: 'compliance.unspawned',
      exit: 60,
      fix: 'cleo orchestrate spawn T002 --ref',
    })
    expect(await project.call('orchestrate.validate', { epic: 'T001' })).toMatchObject({ exit: 60 })
    expect(await project.call('orchestrate.validate', { id: 'T099' })).toMatchObject({ exit: 4 })
    expect(await project.call('orchestrate.validate', { epic: 'T002' })).toMatchObject({
      code: 'epic.expected',
    })
    expect(await project.call('orchestrate.validate', { id: 'T002', epic: 'T001' })).toMatchObject({
      exit: 6,
    })
  }))

test('[PROT-1] a return that is no return line breaks BASE-002, whatever else was handed in', () =>
  withProject(async (project) => {
    const sent = await send(project, await addTask(project, compare))
    await handIn(sent)
    await project.call('orchestrate.receive', { id: 'T002', message: 'All done! Here is what I found: …' })
    expect(await project.call('orchestrate.validate', { id: 'T002' })).toMatchObject({
      code: 'compliance.return',
      exit: 61,
    })
    expect(await rulings(project, 'T002')).toMatchObject({
      'BASE-002': ['fail', 'it returned none of its lines'],
      'RSCH-005': ['fail', 'it returned none of its lines'],
    })
  }))

test('[ORCH-5] an allowed line proves neither an entry nor that anything is done', () =>
  withProject(async (project) => {
    const sent = await send(project, await addTask(project, compare))
    await sent.as.must('focus.set', { id: 'T002' })
    await project.call('orchestrate.receive', { id: 'T002', message: lineOf('Research') })
    const ruled = await rulings(project, 'T002')
    expect(ruled['BASE-001']?.[0], 'there is no entry').toBe('fail')
    expect(ruled['BASE-002']).toEqual(['pass', 'it returned one of its lines, refused for manifest.missing'])
    expect(ruled['BASE-003']?.[0]).toBe('fail')
  }))

test('[PROT-1] a task is done only where the log tells who completed it', () =>
  withProject(async (project) => {
    const sent = await send(project, await addTask(project, compare))
    await handIn(sent)
    expect((await rulings(project, 'T002'))['BASE-003']).toEqual(['fail', 'T002 is active'])
    const db = await project.store()
    await db.run("UPDATE tasks SET status = 'done' WHERE id = 'T002'")
    const [result, fact] = (await rulings(project, 'T002'))['BASE-003']!
    expect([result, fact]).toEqual(['fail', 'nothing tells who completed T002 after T002.1 was sent'])
  }))

test('[PROT-1] an output file that is gone or changed breaks BASE-004', () =>
  withProject(async (project) => {
    const sent = await send(project, await addTask(project, compare))
    const entry = await handIn(sent)
    await sent.as.must('tasks.complete', { id: 'T002' })
    const path = `${outputs}/T002-compare-password-hashing.md`
    writeFileSync(join(project.root, path), '# Something else\n\nWords.\n')
    expect((await rulings(project, 'T002'))['BASE-004']).toEqual([
      'fail',
      `${path} has changed since ${entry}`,
    ])
    rmSync(join(project.root, path))
    expect((await rulings(project, 'T002'))['BASE-004']).toEqual(['fail', `${path} is not there`])
    expect(await project.call('orchestrate.validate', { id: 'T002' })).toMatchObject({ exit: 63 })
  }))

test('[PROT-1] focus counts from the spawn on, and only that of the spawn itself', () =>
  withProject(async (project) => {
    await addTask(project, compare)
    await project.must('focus.set', { id: 'T002' })
    await project.must('focus.clear', {})
    const sent = await send(project, 'T002')
    await append(sent)
    expect((await rulings(project, 'T002'))['BASE-005']).toEqual(['fail', 'T002.1 never set focus'])
    await sent.as.must('focus.set', { id: 'T002' })
    expect((await rulings(project, 'T002'))['BASE-005']).toEqual(['pass', 'T002.1 set focus'])
  }))

test('[PROT-1] files and commits that an entry makes up are looked for in vain', () =>
  withProject(async (project) => {
    const sent = await send(project, await addTask(project, compare))
    const finding = [
      'src/made/up.ts holds it all.',
      'It came with commit 4f0c2a1deadb.',
      'There is no src/other.ts.',
    ]
    await handIn(sent, { entry: { finding } })
    await sent.as.must('tasks.complete', { id: 'T002' })
    expect((await rulings(project, 'T002'))['BASE-006']).toEqual([
      'fail',
      'there is no src/made/up.ts, there is no commit 4f0c2a1deadb',
    ])
  }))

test('[PROT-1] a file that only the output names is doubtful, not made up', () =>
  withProject(async (project) => {
    const sent = await send(project, await addTask(project, compare))
    await handIn(sent, { text: 'See src/gone.ts.\n\n## References\n\n- https://example.com/hashing\n' })
    await sent.as.must('tasks.complete', { id: 'T002' })
    expect((await rulings(project, 'T002'))['BASE-006']).toEqual([
      'warning',
      'the output file names what is not there: src/gone.ts',
    ])
  }))

test('[PROT-1] a second entry takes the place of the first only as its revision', () =>
  withProject(async (project) => {
    const sent = await send(project, await addTask(project, compare))
    const first = await handIn(sent)
    const again = await append(sent, { entry: { revises: first, id: 'T002-again' } })
    expect((await rulings(project, 'T002'))['BASE-001']).toEqual(['pass', again])
    const db = await project.store()
    await db.run('UPDATE entries SET body = REPLACE(body, \'"revises"\', \'"revised"\')')
    expect((await rulings(project, 'T002'))['BASE-001']).toEqual([
      'fail',
      `T002.1 appended 2 entries: ${first}, ${again}`,
    ])
  }))

test('[PROT-1] an entry that is not linked is a warning', () =>
  withProject(async (project) => {
    const sent = await send(project, await addTask(project, compare))
    const entry = await handIn(sent)
    await sent.as.must('tasks.complete', { id: 'T002' })
    const answer = await project.must('orchestrate.validate', { id: 'T002' })
    expect(answer.rules).toEqual([
      { id: 'BASE-007', result: 'warning', fact: `${entry} is not linked to T002` },
    ])
    await project.must('research.link', { task: 'T002', entry })
    expect((await rulings(project, 'T002'))['BASE-007']![0]).toBe('pass')
  }))

test('[ORCH-5] an agent that is blocked and says so keeps its protocol', () =>
  withProject(async (project) => {
    const sent = await send(project, await addTask(project, compare))
    await handIn(sent, { entry: { status: 'blocked', blocker: 'missing context', text: 'No schema.' } })
    await project.must('orchestrate.receive', { id: 'T002', message: lineOf('Research', 'blocked') })
    const { valid, counts } = await project.must('orchestrate.validate', { id: 'T002' })
    expect([valid, counts['fail']]).toEqual([true, 0])
    expect((await rulings(project, 'T002'))['BASE-003']).toEqual([
      'na',
      'its entry says blocked; T002 is blocked',
    ])
  }))

test('[TASK-5] text that promises a duration is a warning of the check', () =>
  withProject(async (project) => {
    const sent = await send(project, await addTask(project, compare))
    await handIn(sent, { text: 'The rest takes about 3 days.\n\n## References\n\n- RFC 9106\n' })
    await project.must('orchestrate.receive', { id: 'T002', message: lineOf('Research') })
    const answer = await project.call('orchestrate.validate', { id: 'T002' })
    expect(answer).toMatchObject({
      ok: true,
      warnings: [
        'the output file promises a duration ("takes about 3 days"); describe scope and size instead',
      ],
    })
  }))
