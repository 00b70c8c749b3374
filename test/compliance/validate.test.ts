import { expect, test } from 'vitest'
import { onEveryStore, withProject } from '../support/project.ts'
import { addTask, handIn, lineOf, rulings, send } from '../support/subagent.ts'

const compare = { title: 'Compare password hashing', labels: ['research'] }
const outputs = 'claudedocs/agent-outputs'

onEveryStore((withProject) => {
  test('[ORCH-5] valid work passes every rule, each with the fact it rests on', () =>
    withProject(async (project) => {
      const sent = await send(project, await addTask(project, compare))
      const entry = await handIn(sent)
      await project.must('orchestrate.receive', { id: 'T002', message: lineOf('Research') })
      expect(await project.must('orchestrate.validate', { id: 'T002' })).toEqual({
        id: 'T002',
        valid: true,
        spawnId: 'T002.1',
        protocol: 'research',
        rules: [],
        counts: { pass: 13, fail: 0, warning: 0, na: 1 },
      })
      expect(await rulings(project, 'T002')).toMatchObject({
        'BASE-001': ['pass', entry],
        'BASE-002': ['pass', 'the subagent returned an allowed line: complete'],
        'BASE-003': ['pass', 'done by ada with orchestrate.receive'],
        'BASE-004': ['pass', `${outputs}/T002-compare-password-hashing.md, unchanged since ${entry}`],
        'BASE-005': ['pass', 'T002.1 set focus before T002 was done'],
        'BASE-006': ['pass', 'everything that the work mentions exists (1 checked)'],
        'BASE-007': ['pass', `${entry} is linked to T002`],
        'RSCH-001': ['na', 'there is no git repository'],
        'RSCH-002': ['pass', '1 source under References'],
        'RSCH-006': ['pass', '3 findings'],
      })
    }))

  test('[ORCH-5] a complete line without any work breaks the rules about entry, status and focus', () =>
    withProject(async (project) => {
      await send(project, await addTask(project, compare))
      await project.call('orchestrate.receive', { id: 'T002', message: lineOf('Research') })
      const answer = await project.call('orchestrate.validate', { id: 'T002' })
      expect(answer).toMatchObject({ ok: false, code: 'compliance.entry', exit: 62, retryable: false })
      expect((answer as { problems?: object[] }).problems).toMatchObject([
        { path: 'BASE-001', message: 'T002.1 appended no entry', fix: 'cleo respawn T002 --ref' },
        { path: 'BASE-005', message: 'T002.1 never set focus' },
        { path: 'RSCH-004', message: 'T002.1 appended no entry' },
        { path: 'BASE-003', message: 'T002 is pending' },
      ])
    }))

  test('[OUT-2] the first fix is not to complete a task whose completion would be refused', () =>
    withProject(async (project) => {
      const sent = await send(project, await addTask(project, compare))
      await handIn(sent, { text: '# Hashes\n\n## Summary\n\nOne is fast.\n' })
      const answer = await project.call('orchestrate.validate', { id: 'T002' })
      expect(answer).toMatchObject({ ok: false, problems: [{ path: 'RSCH-002' }, { path: 'BASE-003' }] })
      expect((answer as { fix?: string }).fix).toMatch(/^correct .*, then: cleo manifest append --revises /)
    }))

  test('[ORCH-5] an epic is checked task by task, a page at a time, spawned tasks only', () =>
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
        message: '1 of 4 checked tasks breaks a rule: T005: BASE-001, BASE-003, BASE-005, RSCH-004',
        problems: [
          {
            path: 'T005',
            message: 'BASE-001, BASE-003, BASE-005, RSCH-004',
            fix: 'cleo validate T005',
          },
        ],
      })
    }))
})

test('[ORCH-5] refuses tasks that were never spawned, unknown tasks and both task and epic', () =>
  withProject(async (project) => {
    await addTask(project, compare)
    expect(await project.call('orchestrate.validate', { id: 'T002' })).toMatchObject({
      code: 'compliance.unspawned',
      exit: 60,
      fix: 'cleo spawn T002 --ref',
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

test('[ORCH-5] an allowed line proves neither an entry nor that anything is done', () =>
  withProject(async (project) => {
    const sent = await send(project, await addTask(project, compare))
    await sent.as.must('focus.set', { id: 'T002' })
    await project.call('orchestrate.receive', { id: 'T002', message: lineOf('Research') })
    const ruled = await rulings(project, 'T002')
    expect(ruled['BASE-001']?.[0], 'there is no entry').toBe('fail')
    expect(ruled['BASE-002']).toEqual([
      'pass',
      'the subagent returned an allowed line, refused for manifest.missing',
    ])
    expect(ruled['BASE-003']?.[0]).toBe('fail')
  }))

test('[ORCH-5] a blocked entry follows the protocol', () =>
  withProject(async (project) => {
    const sent = await send(project, await addTask(project, compare))
    await handIn(sent, { entry: { status: 'blocked', blocker: 'missing context', text: 'No schema.' } })
    await project.must('orchestrate.receive', { id: 'T002', message: lineOf('Research', 'blocked') })
    const { valid, counts } = await project.must('orchestrate.validate', { id: 'T002' })
    expect([valid, counts['fail']]).toEqual([true, 0])
    expect((await rulings(project, 'T002'))['BASE-003']).toEqual([
      'na',
      'the entry says blocked; T002 is blocked',
    ])
  }))

test('[TASK-5] warns about texts that promise a duration', () =>
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

test('[PROT-1] every broken rule has a command as its fix', () =>
  withProject(async (project) => {
    const task = { title: 'Specify the session format', labels: ['specification'] }
    const sent = await send(project, await addTask(project, task))
    await handIn(sent, { text: 'It works.\n', entry: { agentType: 'research' } })
    const answer = await project.call('orchestrate.validate', { id: 'T002' })
    const problems = (answer.ok ? [] : answer.problems)?.filter(
      ({ message }) => !message.startsWith('warning'),
    )
    expect(problems?.map(({ path }) => path)).toContain('SPEC-007')
    for (const { path, fix } of problems!) expect(fix, path).toMatch(/(?:^|, then: )(?:cleo|git) /)
  }))
