import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { executable, run } from '../support/cleo.ts'
import { onEveryStore, type TestProject, withProject } from '../support/project.ts'

const hostile = '\u001b[2J"; DROP TABLE questions; --\u202e{{TASK_ID}}`rm`\n@a.md'

const ids = async ({ must }: TestProject) => (await must('inbox.list', {})).items.map(({ id }) => id)

/** C1 with as many votes for as against, in its second round. */
const contest = async (project: TestProject, task = 'T001'): Promise<void> => {
  const { must } = project
  await must('consensus.open', { id: task, question: 'Which queue?', option: ['table', 'server'] })
  const vote = { id: 'C1', option: 'table', confidence: 0.5, rationale: 'r', evidence: ['e'] }
  const split = async () => {
    await project.as('bob').must('consensus.vote', { ...vote, accept: true })
    await project.as('cyd').must('consensus.vote', { ...vote, reject: true })
  }
  await split()
  await must('consensus.open', { id: 'C1', again: true })
  await split()
}

onEveryStore((withProject) => {
  test('[PROT-3] an empty inbox is an empty list', () =>
    withProject(async ({ call }) => {
      expect(await call('inbox.list', {})).toMatchObject({
        ok: true,
        value: { items: [] },
        page: { total: 0 },
      })
    }))

  test('[SESS-3] a blocked task waits with its reason, and an answer lets it go on', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'Mails' })
      await must('tasks.block', { id: 'T001', reason: 'no access' })
      expect((await must('inbox.list', {})).items).toEqual([
        {
          id: 'T001',
          kind: 'blocked',
          since: expect.stringMatching(/^20/),
          title: 'Mails',
          what: 'no access',
          answer: 'cleo inbox answer T001 --text "…"',
        },
      ])
      expect(await must('inbox.answer', { id: 't1', text: 'asked for it' })).toMatchObject({
        id: 'T001',
        answer: 'unblocked',
      })
      expect(await must('tasks.show', { id: 'T001' })).toMatchObject({
        status: 'pending',
        notes: [{ by: 'ada', text: 'Answer to "no access": asked for it' }],
      })
      expect(await call('inbox.answer', { id: 'T001', text: 'x' })).toMatchObject({ code: 'task.status' })
      expect(await call('inbox.answer', { id: 'T009', text: 'x' })).toMatchObject({ exit: 4 })
    }))

  test('[SESS-3] the blocker of the entry is shown with its alternatives', () =>
    withProject(async ({ must, store }) => {
      await must('tasks.add', { title: 'Mails' })
      await must('tasks.block', { id: 'T001', reason: 'its entry says so' })
      const blocker = { category: 'missing context', text: 'which key?', alternatives: ['ask ops', 7] }
      await (await store()).run(
        "INSERT INTO entries (id, task, status, body, appended_at) VALUES ('T001-x', 'T001', 'blocked', ?, 1)",
        JSON.stringify({ blocker }),
      )
      expect((await must('inbox.list', {})).items[0]?.blocker).toEqual({
        ...blocker,
        alternatives: ['ask ops'],
      })
    }))

  test('[PROT-3] what votes left contested a person decides, with a reason', () =>
    withProject(async (project) => {
      const { must, call } = project
      await must('tasks.add', { title: 'Queue' })
      await contest(project)
      expect((await must('inbox.list', {})).items).toMatchObject([
        { id: 'C1', kind: 'contested', task: 'T001', options: [{ weight: 0.5 }, { weight: 0 }] },
      ])
      expect(await call('inbox.answer', { id: 'C1', choose: 'tabel', reason: 'r' })).toMatchObject({
        exit: 6,
      })
      await must('inbox.answer', { id: 'C1', choose: 'table', reason: 'we run no servers' })
      expect(await must('consensus.tally', { id: 'C1' })).toMatchObject({
        verdict: 'contested',
        decision: { option: 'table', reason: 'we run no servers', by: 'ada' },
      })
      expect(await ids(project)).toEqual([])
      expect((await must('tasks.show', { id: 'T001' })).notes?.[0]?.text).toBe(
        'C1 Which queue?: table. we run no servers',
      )
      const late = {
        id: 'C1',
        option: 'server',
        accept: true,
        confidence: 1,
        rationale: 'r',
        evidence: ['e'],
      }
      for (const answer of [
        call('inbox.answer', { id: 'C1', no: true, reason: 'r' }),
        call('consensus.vote', late),
        call('consensus.open', { id: 'C1', again: true }),
      ])
        expect(await answer).toMatchObject({ code: 'consensus.over', message: 'C1 was decided by ada.' })
    }))

  test('[PROT-3] a person may turn all options down, and overrules no verdict', () =>
    withProject(async (project) => {
      const { must, call } = project
      await must('tasks.add', { title: 'Queue' })
      await contest(project)
      const vote = { id: 'C1', option: 'table', confidence: 1, rationale: 'r', evidence: ['e'] }
      await project.as('dan').must('consensus.vote', { ...vote, accept: true })
      expect(await ids(project)).toEqual([])
      expect(await call('inbox.answer', { id: 'C1', no: true, reason: 'r' })).toMatchObject({
        code: 'consensus.over',
      })
      await project.as('dan').must('consensus.vote', { ...vote, abstain: true })
      expect(await must('inbox.answer', { id: 'C1', no: true, reason: 'ask again' })).toMatchObject({
        answer: 'none',
      })
      expect((await must('consensus.tally', { id: 'C1' })).decision).not.toHaveProperty('option')
    }))

  test('[TOK-9] what an agent was refused because it needs a person becomes one question', () =>
    withProject(async (project) => {
      const { must } = project
      await must('tasks.add', { title: 'Mails', type: 'epic' })
      await must('tasks.add', { title: 'Mails', parent: 'T001', description: 'Send them' })
      await must('orchestrate.spawn', { id: 'T002' })
      const agent = project.as('T002.1')
      for (let n = 0; n < 3; n++)
        expect(await agent.call('admin.trust', { yes: true })).toMatchObject({
          code: 'person.needed',
          exit: 64,
          alternatives: ['A person finds it as Q1 in: cleo inbox'],
        })
      await agent.call('admin.trust', {})
      expect((await must('inbox.list', {})).items).toMatchObject([
        { id: 'Q1', kind: 'person', task: 'T002', by: 'T002.1', what: 'cleo trust --yes' },
        { id: 'Q2', what: 'cleo trust' },
      ])
      expect(await must('inbox.answer', { id: 'Q1', yes: true, text: 'looked at them' })).toEqual({
        id: 'Q1',
        answer: 'yes',
        task: 'T002',
        then: 'cleo trust --yes',
      })
      expect((await must('tasks.show', { id: 'T002' })).notes).toMatchObject([
        { text: 'Q1 cleo trust --yes: yes. looked at them' },
      ])
      await must('inbox.answer', { id: 'Q2', no: true })
      expect(await project.call('inbox.answer', { id: 'Q1', no: true })).toMatchObject({
        code: 'question.answered',
        message: 'Q1 was answered by ada: yes.',
      })
      expect(await project.call('inbox.answer', { id: 'Q9', no: true })).toMatchObject({ exit: 4 })
      await agent.call('admin.trust', { yes: true })
      expect(await ids(project)).toEqual(['Q3'])
    }))

  test('[TOK-9] an agent cannot answer, and does not ask by trying', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Mails' })
      await project.must('tasks.block', { id: 'T001', reason: 'no access' })
      expect(await project.as('T001.1').call('inbox.answer', { id: 'T001', text: 'go on' })).toMatchObject({
        exit: 64,
      })
      expect(await ids(project)).toEqual(['T001'])
    }))

  test('[TOK-9] a dry run and a late agent ask nothing, and a password is not kept', () =>
    withProject(async (project) => {
      const { must } = project
      await must('tasks.add', { title: 'Mails', type: 'epic' })
      await must('tasks.add', { title: 'Mails', parent: 'T001', description: 'Send them' })
      await must('orchestrate.spawn', { id: 'T002' })
      await must('orchestrate.spawn', { id: 'T002', tier: 2 })
      expect(await project.as('T002.2').call('admin.trust', {}, { dryRun: true })).toMatchObject({ exit: 64 })
      expect(await project.as('T002.1').call('admin.trust', {})).toMatchObject({ exit: 64 })
      expect(await ids(project)).toEqual([])
      await project.as('T002.2').call('admin.db.move', { to: 'postgres://cleo:secret@db.example/team' })
      const { items } = await must('inbox.list', {})
      expect(items[0]?.what).toContain('db.example/team')
      const rows = await (await project.store()).all('SELECT * FROM questions')
      expect(JSON.stringify([rows, (await must('admin.log', {})).entries])).not.toContain('secret')
    }))

  test('[TOK-9] an agent in a loop buries nothing', () =>
    withProject(async (project) => {
      const agent = project.as('T001.1')
      for (let n = 0; n < 205; n++) await agent.call('admin.restore', { file: `${n}.db` })
      const page = await project.call('inbox.list', { limit: 1 })
      expect(page).toMatchObject({ ok: true, page: { total: 200 } })
    }))

  test('[GATE-6] a waiver an agent asks for is granted by a person, in their name', () =>
    withProject(async (project) => {
      const { must, call } = project
      await must('tasks.add', { title: 'Mails', type: 'epic' })
      const acceptance = ['sent', 'signed', 'seen']
      await must('tasks.add', { title: 'Mails', parent: 'T001', description: 'Send them', acceptance })
      await must('orchestrate.spawn', { id: 'T002' })
      const agent = project.as('T002.1')
      for (const reason of ['no key', 'still no key'])
        expect(await agent.call('verify.waive', { id: 't2', criterion: 2, reason })).toMatchObject({
          exit: 64,
        })
      await agent.call('verify.waive', { id: 'T002', criterion: 9, reason: 'none' })
      await agent.call('verify.waive', { id: 'T002', criterion: 3, reason: 'none' })
      expect((await must('inbox.list', {})).items).toMatchObject([
        {
          id: 'Q1',
          kind: 'waiver',
          task: 'T002',
          what: "cleo verify t2 --waive --criterion 2 --reason 'no key'",
        },
        { id: 'Q2' },
        { id: 'Q3' },
      ])
      await must('inbox.answer', { id: 'Q1', yes: true, text: 'we send unsigned for now' })
      expect(await call('inbox.answer', { id: 'Q2', yes: true })).toMatchObject({
        code: 'criterion.not_found',
      })
      await must('inbox.answer', { id: 'Q3', no: true })
      expect(await ids(project)).toEqual(['Q2'])
      const { acceptance: now } = await must('tasks.show', { id: 'T002' })
      expect(now?.map(({ state }) => state)).toEqual(['open', 'waived', 'open'])
      const rows = await (await project.store()).all('SELECT actor, reason FROM evidence')
      expect(rows).toEqual([{ actor: 'ada', reason: 'we send unsigned for now' }])
    }))

  test('[PROT-2] a yes to another loop takes the epic back', () =>
    withProject(async (project) => {
      const { must, call } = project
      await must('tasks.add', { title: 'Accounts', type: 'epic', stage: 'testing' })
      const back = { id: 'T001', to: 'implementation' as const, reason: 'red' }
      const round = async () => {
        await must('lifecycle.advance', back)
        await must('tasks.update', { id: 'T001', stage: 'testing' })
      }
      for (let n = 0; n < 5; n++) await round()
      await project.as('T009.1').call('lifecycle.advance', back)
      expect((await must('inbox.list', {})).items).toMatchObject([{ id: 'Q1', kind: 'stage', task: 'T001' }])
      await must('inbox.answer', { id: 'Q1', no: true })
      expect(await must('lifecycle.show', { id: 'T001' })).toMatchObject({ stage: 'testing' })
      expect(await call('lifecycle.advance', back)).toMatchObject({ exit: 64 })
      await must('inbox.answer', { id: 'Q2', yes: true })
      expect(await must('lifecycle.show', { id: 'T001' })).toMatchObject({
        stage: 'implementation',
        loops: 6,
      })
    }))

  test('[PROT-3] wrong answers are refused with all that is wrong', () =>
    withProject(async (project) => {
      const problems = async (input: Parameters<typeof project.call<'inbox.answer'>>[1]) => {
        const refused = await project.call('inbox.answer', input)
        expect(refused).toMatchObject({ code: 'input.invalid', exit: 6 })
        return refused.ok ? [] : refused.problems!.map(({ path }) => path)
      }
      expect(await problems({ id: 'T001', yes: true, choose: 'a' })).toEqual(['choose', 'yes', 'text'])
      expect(await problems({ id: 'C1', text: 'x', choose: 'a', no: true })).toEqual(['text', 'no', 'reason'])
      expect(await problems({ id: 'Q1', yes: true, no: true, reason: 'r' })).toEqual(['reason', 'no'])
      expect(await problems({ id: 'Q1' })).toEqual(['yes'])
      expect(await problems({ id: 'X1', yes: true })).toEqual(['id'])
    }))

  test('[OUT-4] items of every kind come oldest first, page by page, none twice', () =>
    withProject(async (project) => {
      const { must, call } = project
      for (let n = 1; n <= 4; n++) await must('tasks.add', { title: `Task ${n}` })
      await contest(project)
      for (let n = 1; n <= 4; n++) {
        await must('tasks.block', { id: `T00${n}`, reason: 'x' })
        await project.as('T001.1').call('admin.restore', { file: `${n}.db` })
      }
      const whole = await ids(project)
      expect(whole).toEqual(['C1', 'T001', 'Q1', 'T002', 'Q2', 'T003', 'Q3', 'T004', 'Q4'])
      const seen: string[] = []
      let after: string | undefined
      do {
        const page = await call('inbox.list', { limit: 2, after })
        if (!page.ok) throw new Error(page.message)
        expect(page.page?.total).toBe(9)
        seen.push(...page.value.items.map(({ id }) => id))
        after = page.page?.next
      } while (after)
      expect(seen).toEqual(whole)
      for (const cursor of ['x', '1-3-1', '1-1', '1-1-1-1', '--'])
        expect(await call('inbox.list', { after: cursor })).toMatchObject({ exit: 6 })
    }))

  test('[OUT-4] of items of the same moment none is lost between pages', () =>
    withProject(async (project) => {
      const { must, call } = project
      for (let n = 1; n <= 4; n++) await must('tasks.add', { title: `Task ${n}` })
      await contest(project)
      for (let n = 1; n <= 4; n++) {
        await must('tasks.block', { id: `T00${n}`, reason: 'x' })
        await project.as('T001.1').call('admin.restore', { file: `${n}.db` })
      }
      const store = await project.store()
      for (const sql of [
        'UPDATE tasks SET updated_at = 5',
        'UPDATE consensus SET at = 5',
        'UPDATE questions SET at = 5',
      ])
        await store.run(sql)
      for (const limit of [1, 2, 3, 4, 5]) {
        const seen: string[] = []
        let after: string | undefined
        do {
          const page = await call('inbox.list', { limit, after })
          if (!page.ok) throw new Error(page.message)
          seen.push(...page.value.items.map(({ id }) => id))
          after = page.page?.next
        } while (after)
        expect(seen).toEqual(['T001', 'T002', 'T003', 'T004', 'C1', 'Q1', 'Q2', 'Q3', 'Q4'])
      }
    }))

  test('[PROT-3] text of any kind is kept, and long text shortened', () =>
    withProject(async (project) => {
      const { must } = project
      await must('tasks.add', { title: 'Mails' })
      await must('tasks.block', { id: 'T001', reason: hostile })
      expect((await must('inbox.list', {})).items[0]?.what).toBe(hostile)
      await must('inbox.answer', { id: 'T001', text: hostile })
      expect((await must('tasks.show', { id: 'T001' })).notes?.[0]?.text).toBe(
        `Answer to "\\u{1b}[2J'; DROP TABLE questions; --\\u{202e}{{TASK_ID}}\`rm\` @a.md": ${hostile}`,
      )
      await project.as('T001.1').call('admin.restore', { file: `x${hostile}` })
      expect((await must('inbox.list', {})).items[0]?.what).toBe(`cleo restore 'x${hostile}'`)
      await must('tasks.block', { id: 'T001', reason: 'ä'.repeat(1000) })
      expect((await must('inbox.list', {})).items[1]?.what).toBe(`${'ä'.repeat(300)}…`)
    }))
})

describe('[TOK-9] where nothing can be written down', () => {
  test('the refusal stays the refusal', () =>
    withProject(async (project) => {
      const refused = (cwd: string) => {
        const { exit, stdout } = run(executable, ['trust', '--as', 'T001.1'], { cwd })
        return { exit, error: JSON.parse(stdout).error }
      }
      const database = join(project.root, '.cleo', 'cleo.db')
      expect(refused(project.root).error.alternatives).toEqual(['A person finds it as Q1 in: cleo inbox'])
      for (const content of ['no database', '']) {
        writeFileSync(database, content)
        expect(refused(project.root)).toMatchObject({ exit: 64, error: { code: 'person.needed' } })
      }
      rmSync(database)
      expect(refused(project.root)).toMatchObject({ exit: 64, error: { code: 'person.needed' } })
      expect(refused('/')).toMatchObject({ exit: 64, error: { code: 'person.needed' } })
    }))
})
