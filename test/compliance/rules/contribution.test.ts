import { expect, test } from 'vitest'
import { configure } from '../../support/configure.ts'
import { code, inRepository, prove } from '../../support/implementation.ts'
import { addTask, append, commit, rulings, send } from '../../support/subagent.ts'

const contribute = { title: 'Prepare the contribution', labels: ['contribution'] }

test('[PROT-1] a contribution with the style of the log, its commits and its gates is valid', () =>
  inRepository(async (project) => {
    for (const subject of ['feat: sign in', 'fix(cart): count twice', 'docs: say more'])
      commit(project.root, subject)
    const sent = await send(project, await addTask(project, contribute))
    await sent.as.must('focus.set', { id: 'T002' })
    const sha = commit(project.root, 'feat: add the form\n\nTask: T002', code)
    await append(sent, { text: `T002 is ${sha.slice(0, 7)} by Ada.\n` })
    expect(await sent.as.call('tasks.complete', { id: 'T002' }), 'it changed code').toMatchObject({
      exit: 40,
      problems: [{ path: 'implemented' }, { path: 'testsPassed' }, { path: 'qaPassed' }],
    })
    await prove(sent)
    await sent.as.must('tasks.complete', { id: 'T002' })
    expect(await rulings(project, 'T002')).toMatchObject({
      'CONT-001': ['pass', '1 commit, subjects with a type, as in the log'],
      'CONT-002': ['pass', '1 commit with Task: T002'],
      'CONT-003': ['pass', 'documented hold'],
      'CONT-006': ['pass', 'the output file names T002 and 1 commit'],
      'CONT-007': ['pass', 'T002-prepare-the-contribution has agent_type contribution'],
    })
  }))

test('[PROT-1] a contribution without them breaks CONT-001, 002, 003, 006 and 007', () =>
  inRepository(async (project) => {
    for (const subject of ['feat: sign in', 'fix(cart): count twice', 'docs: say more'])
      commit(project.root, subject)
    await configure(project, { gates: { required: { contribution: ['qaPassed'] } } })
    const sent = await send(project, await addTask(project, contribute))
    await sent.as.must('focus.set', { id: 'T002' })
    const sha = commit(project.root, 'stuff', code).slice(0, 7)
    await append(sent, { text: 'All is there.\n', entry: { agentType: 'research' } })
    await sent.as.must('verify.gate', {
      id: 'T002',
      gate: 'implemented',
      evidence: 'commit:HEAD;files:src/form.ts',
    })
    expect(await rulings(project, 'T002')).toMatchObject({
      'CONT-001': ['fail', `commit ${sha} has a subject without a type, unlike most earlier commits`],
      'CONT-002': ['fail', `commit ${sha} has no trailer "Task: T002"`],
      'CONT-003': ['fail', 'testsPassed is unset, qaPassed is unset'],
      'CONT-006': ['fail', `the output file does not name T002, the output file does not name commit ${sha}`],
      'CONT-007': ['fail', 'T002-prepare-the-contribution has agent_type "research", not contribution'],
    })
  }))
