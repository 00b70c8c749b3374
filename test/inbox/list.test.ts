import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { executable, run } from '../support/cleo.ts'
import { fillInbox, inboxIds } from '../support/inbox-project.ts'
import { onEveryStore, withProject } from '../support/project.ts'

onEveryStore((withProject) => {
  test('[PROT-3] an empty inbox is an empty list', () =>
    withProject(async ({ call }) => {
      expect(await call('inbox.list', {})).toMatchObject({
        ok: true,
        value: { items: [] },
        page: { total: 0 },
      })
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

  test('[TOK-9] a refusal that needs a person becomes one question', () =>
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
          alternatives: ['A person can answer question Q1: cleo inbox'],
        })
      await agent.call('admin.trust', {})
      expect((await must('inbox.list', {})).items).toMatchObject([
        { id: 'Q1', kind: 'person', taskId: 'T002', by: 'T002.1', what: 'cleo trust --yes' },
        { id: 'Q2', what: 'cleo trust' },
      ])
      expect(await must('inbox.answer', { id: 'Q1', yes: true, text: 'looked at them' })).toEqual({
        id: 'Q1',
        answer: 'yes',
        taskId: 'T002',
        then: 'cleo trust --yes',
      })
      expect((await must('tasks.show', { id: 'T002' })).notes).toMatchObject([
        { text: 'Q1 cleo trust --yes: yes. looked at them' },
      ])
      await must('inbox.answer', { id: 'Q2', no: true })
      expect(await project.call('inbox.answer', { id: 'Q1', no: true })).toMatchObject({
        code: 'question.answered',
        message: 'Q1 was already answered by ada: yes.',
      })
      expect(await project.call('inbox.answer', { id: 'Q9', no: true })).toMatchObject({ exit: 4 })
      await agent.call('admin.trust', { yes: true })
      expect(await inboxIds(project)).toEqual(['Q3'])
    }))

  test('[TOK-9] a dry run and a superseded agent ask nothing, and a password is not stored', () =>
    withProject(async (project) => {
      const { must } = project
      await must('tasks.add', { title: 'Mails', type: 'epic' })
      await must('tasks.add', { title: 'Mails', parent: 'T001', description: 'Send them' })
      await must('orchestrate.spawn', { id: 'T002' })
      await must('orchestrate.spawn', { id: 'T002', tier: 2 })
      expect(await project.as('T002.2').call('admin.trust', {}, { dryRun: true })).toMatchObject({ exit: 64 })
      expect(await project.as('T002.1').call('admin.trust', {})).toMatchObject({ exit: 64 })
      expect(await inboxIds(project)).toEqual([])
      await project.as('T002.2').call('admin.db.move', { to: 'postgres://cleo:secret@db.example/team' })
      const { items } = await must('inbox.list', {})
      expect(items[0]?.what).toContain('db.example/team')
      const rows = await (await project.store()).all('SELECT * FROM questions')
      expect(JSON.stringify([rows, (await must('admin.log', {})).entries])).not.toContain('secret')
    }))

  test('[TOK-9] an agent in a loop adds at most 200 questions', () =>
    withProject(async (project) => {
      const agent = project.afresh({ CLAUDECODE: '1' })
      for (let n = 0; n < 205; n++) await agent.call('admin.restore', { file: `${n}.db` })
      const page = await project.call('inbox.list', { limit: 1 })
      expect(page).toMatchObject({ ok: true, page: { total: 200 } })
    }))

  test('[OUT-4] items of every kind come oldest first, page by page, none twice', () =>
    withProject(async (project) => {
      const { call } = project
      await fillInbox(project)
      const whole = await inboxIds(project)
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

  test('[OUT-4] no item of the same moment is lost between pages', () =>
    withProject(async (project) => {
      const { call } = project
      await fillInbox(project)
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
})

describe('[TOK-9] when the question cannot be stored', () => {
  test('the agent still gets its refusal', () =>
    withProject(async (project) => {
      const refused = (cwd: string) => {
        const { exit, stdout } = run(executable, ['trust'], { cwd, env: { CLEO_AGENT_ID: 'robot' } })
        return { exit, error: JSON.parse(stdout).error }
      }
      const database = join(project.root, '.cleo', 'cleo.db')
      expect(refused(project.root).error.alternatives).toEqual([
        'A person can answer question Q1: cleo inbox',
      ])
      for (const content of ['no database', '']) {
        writeFileSync(database, content)
        expect(refused(project.root)).toMatchObject({ exit: 64, error: { code: 'person.needed' } })
      }
      rmSync(database)
      expect(refused(project.root)).toMatchObject({ exit: 64, error: { code: 'person.needed' } })
      expect(refused('/')).toMatchObject({ exit: 64, error: { code: 'person.needed' } })
    }))
})
