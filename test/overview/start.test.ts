import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadExact } from '../../src/prompt/budget/exact.ts'
import { onEveryStore, type TestProject } from '../support/project.ts'

const tokens = await loadExact()

const plant = async (project: TestProject): Promise<void> => {
  await project.must('tasks.add', { title: 'Accounts', type: 'epic' })
  for (let i = 0; i < 8; i++)
    await project.must('tasks.add', { title: `Part ${i}`, parent: 'T001', description: 'Do it.' })
  await project.must('tasks.add', { title: 'Invoices', type: 'epic' })
  await project.must('tasks.add', { title: 'Layout', parent: 'T010', description: 'Do it.' })
}

onEveryStore((withProject) => {
  test('[ORCH-1] start gives one session for one leader of an epic, and where the epic stands', () =>
    withProject(async (project) => {
      await plant(project)
      await project.must('tasks.block', { id: 'T003', reason: 'no access' })
      const first = await project.must('orchestrate.start', { epic: 'T001' })
      expect(first).toMatchObject({ epic: 'T001', title: 'Accounts', counts: { pending: 7, blocked: 1 } })
      expect(first.ready.map(({ id }) => id)).toEqual(['T002', 'T004', 'T005', 'T006', 'T007'])
      expect(first.blocked).toEqual([{ id: 'T003', why: 'no access' }])
      expect(first.note).toContain(`--session ${first.session}`)
      expect(first.note).toContain('CLEO_SESSION_ID')
      expect(first.then).toBe(`cleo orchestrate next --session ${first.session}`)
      expect(tokens(JSON.stringify(first))).toBeLessThan(600)

      const again = await project.must('orchestrate.start', { epic: 'T001' })
      expect(again).toEqual({ ...first, noChange: true })
      const other = await project.as('grace').must('orchestrate.start', { epic: 'T001' })
      expect(other.session).not.toBe(first.session)
      const second = await project.must('orchestrate.start', { epic: 'T010' })
      expect(second.session).not.toBe(first.session)

      await project.must('session.end', { id: first.session })
      const next = await project.must('orchestrate.start', { epic: 'T001' })
      expect(next.session).not.toBe(first.session)
    }))

  test('[ORCH-1] start wants an epic', () =>
    withProject(async (project) => {
      await plant(project)
      const start = (epic: string) => project.call('orchestrate.start', { epic })
      expect(await start('T002')).toMatchObject({ code: 'epic.expected', exit: 6 })
      expect(await start('T099')).toMatchObject({ code: 'task.not_found', exit: 4 })
    }))

  test('[ORCH-1] [OUT-4] start stays under 800 tokens with the longest titles', () =>
    withProject(async (project) => {
      const title = '"\\𒐫漢ﷺ'.repeat(40).slice(0, 200).toWellFormed()
      await project.must('tasks.add', { title, type: 'epic' })
      for (let i = 0; i < 12; i++)
        await project.must('tasks.add', { title, parent: 'T001', description: title })
      for (const id of ['T002', 'T003', 'T004', 'T005', 'T006', 'T007'])
        await project.must('tasks.block', { id, reason: title.repeat(4) })
      const answer = await project.must('orchestrate.start', { epic: 'T001' })
      expect(tokens(JSON.stringify(answer))).toBeLessThan(750)
    }))

  test('[ORCH-1] status is one screen: counts, who is at work, what is out, what is stuck, what is next', () =>
    withProject(async (project) => {
      await plant(project)
      await project.must('orchestrate.spawn', { id: 'T002' })
      await project.must('orchestrate.spawn', { id: 'T004' })
      await project.must('orchestrate.spawn', { id: 'T011' })
      await project.as('T002.1').must('focus.set', { id: 'T002' })
      await project.must('tasks.block', { id: 'T003', reason: 'no access' })
      expect(await project.must('orchestrate.status', { epic: 'T001' })).toMatchObject({
        epic: 'T001',
        counts: { pending: 6, active: 1, blocked: 1 },
        active: [{ id: 'T002', owner: 'T002.1' }],
        awaited: ['T002.1', 'T004.1'],
        blocked: [{ id: 'T003', why: 'no access' }],
        next: 'T005',
      })
      expect(await project.must('orchestrate.status', {})).toMatchObject({
        awaited: ['T002.1', 'T004.1', 'T011.1'],
      })
      const { session } = await project.must('orchestrate.start', { epic: 'T010' })
      const scoped = await project.as('ada', session).must('orchestrate.status', {})
      expect(scoped).toMatchObject({ epic: 'T010', awaited: ['T011.1'], next: null })
    }))

  test('[ORCH-4] context adds up what a session was shown, and warns at 70 and 90 percent', () =>
    withProject(async (project) => {
      await plant(project)
      expect(await project.call('orchestrate.context', {})).toMatchObject({
        code: 'session.unnamed',
        exit: 31,
      })
      const { session } = await project.must('orchestrate.start', { epic: 'T001' })
      const context = () => project.as('ada', session).must('orchestrate.context', {})
      expect(await context()).toEqual({ session, used: 0, of: 10_000, state: 'ok', byCommand: [] })
      mkdirSync(`${project.root}/.cleo/context`)
      const shown = (lines: string) => writeFileSync(`${project.root}/.cleo/context/${session}`, lines)
      shown(
        'orchestrate.next 100\norchestrate.ready 500\norchestrate.next 120\n\nnonsense\ntorn 9e\nx -5\norch',
      )
      expect(await context()).toEqual({
        session,
        used: 720,
        of: 10_000,
        state: 'ok',
        byCommand: [
          { op: 'orchestrate.ready', calls: 1, tokens: 500 },
          { op: 'orchestrate.next', calls: 2, tokens: 220 },
        ],
      })
      const states = []
      for (const used of [6999, 7000, 8999, 9000, 50_000]) {
        shown(`tasks.show ${used}\n`)
        states.push((await context()).state)
      }
      expect(states).toEqual(['ok', 'warning', 'warning', 'critical', 'critical'])
    }))
})
