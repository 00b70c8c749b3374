import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { onSqlite, type TestProject, type WithProject } from '../support/project.ts'
import { lineOf, rulings } from '../support/subagent.ts'

const outputs = 'claudedocs/agent-outputs'

/**
 * Writes the output file and the manifest line that the old protocol asks for, which
 * docs/guide/coming-from-the-old-protocol.md describes.
 */
const appendLine = ({ root }: TestProject, entry: object, id = 'T002-example'): void => {
  const file = `${id}.md`
  mkdirSync(join(root, outputs), { recursive: true })
  writeFileSync(join(root, outputs, file), '# Example\n\nOne is fast.\n')
  const line = { id, file, title: 'Example', date: '2026-01-26', agent_type: 'implementation', ...entry }
  appendFileSync(join(root, outputs, 'MANIFEST.jsonl'), `${JSON.stringify(line)}\n`)
}

const withTasks = (withProject: WithProject, work: (project: TestProject) => Promise<void>): Promise<void> =>
  withProject(async (project) => {
    await project.must('tasks.add', { title: 'Accounts', type: 'epic', description: 'People sign up.' })
    await project.must('tasks.add', { title: 'Form', parent: 'T001', description: 'Build it.' })
    await project.must('tasks.add', { title: 'Mails', parent: 'T001', description: 'Send them.' })
    await work(project)
  })

const complete = (project: TestProject, id = 'T002') => project.call('tasks.complete', { id })
const show = (project: TestProject, id = 'T002') => project.must('tasks.show', { id })

onSqlite((withProject) => {
  describe('a task that was never spawned', () => {
    test('[GATE-1] a complete line is ingested, decides, and can be linked', () =>
      withTasks(withProject, async (project) => {
        await project.must('focus.set', { id: 'T002' })
        appendLine(project, {
          status: 'complete',
          key_findings: ['It works.'],
          linked_tasks: ['T001', 'T002'],
        })
        expect(await complete(project)).toMatchObject({ value: { status: 'done' } })
        expect(await project.call('orchestrate.receive', { id: 'T002' }), 'nothing to spawn').toMatchObject({
          code: 'spawn.none',
          fix: 'cleo show T002',
        })
        expect(await project.must('research.link', { task: 'T002', entry: 'T002-example' })).toMatchObject({
          noChange: true,
        })
        expect(await show(project)).toMatchObject({
          outcome: 'complete',
          entries: [{ id: 'T002-example', status: 'complete' }],
        })
        expect((await show(project, 'T001')).entries).toEqual([{ id: 'T002-example', status: 'complete' }])
      }))

    test('[GATE-1] a partial line makes the outcome partial and says what is left', () =>
      withTasks(withProject, async (project) => {
        appendLine(project, { status: 'partial', needs_followup: ['Measure memory'] })
        expect(await complete(project)).toMatchObject({
          value: { status: 'done', outcome: 'partial' },
          warnings: ['left open: Measure memory'],
        })
        expect(await show(project)).toMatchObject({ outcome: 'partial' })
        expect(await complete(project, 'T003')).toMatchObject({ value: { completed: ['T001'] } })
        expect(await show(project, 'T001')).toMatchObject({ status: 'done', outcome: 'partial' })
      }))

    test('[GATE-1] a blocked line refuses, with the line that blocks the task', () =>
      withTasks(withProject, async (project) => {
        appendLine(project, { status: 'blocked', key_findings: ['The staging database refuses the login.'] })
        expect(await complete(project)).toMatchObject({
          code: 'entry.blocked',
          exit: 6,
          fix: 'cleo block T002 --reason "The staging database refuses the login."',
        })
        await project.must('tasks.block', { id: 'T002', reason: 'The staging database refuses the login.' })
        await project.must('tasks.unblock', { id: 'T002' })
        expect(await complete(project), 'the entry is from before').toMatchObject({ ok: true })
      }))

    test('[GATE-1] a reason that a shell would change is left to the entry', () =>
      withTasks(withProject, async (project) => {
        appendLine(project, { status: 'blocked', blocker: 'it says $(reboot) "now"' })
        expect(await complete(project)).toMatchObject({ fix: 'cleo block T002 --reason "see T002-example"' })
      }))

    test('[GATE-1] after reopen an old entry no longer decides', () =>
      withTasks(withProject, async (project) => {
        appendLine(project, { status: 'partial', needs_followup: ['Measure memory'] })
        await complete(project)
        await project.must('tasks.reopen', { id: 'T002', reason: 'measure it' })
        expect(await complete(project)).toMatchObject({ value: { status: 'done' } })
        expect(await show(project)).toMatchObject({ outcome: 'complete' })
      }))

    test('[MANI-2] every command that reads entries ingests first', () =>
      withTasks(withProject, async (project) => {
        const entry = { status: 'complete', key_findings: ['Elephants never forget.'] }
        const total = { n: 0 }
        const next = (): string => {
          const id = `T002-line-${++total.n}`
          appendLine(project, { ...entry, title: id }, id)
          return id
        }
        let id = next()
        expect((await project.must('pipeline.manifest.list', {})).entries[0]).toMatchObject({ id })
        id = next()
        expect(await project.must('pipeline.manifest.show', { id })).toMatchObject({ id })
        id = next()
        expect((await project.must('pipeline.manifest.find', { query: 'T002' })).entries[0]).toMatchObject({
          id,
        })
        next()
        expect(await project.must('pipeline.manifest.stats', {})).toMatchObject({ entries: total.n })
        next()
        expect(await project.must('pipeline.manifest.validate', {})).toMatchObject({ checked: total.n })
        id = next()
        expect(await project.must('research.links', { id })).toEqual({ links: [] })
        id = next()
        expect(await project.must('research.link', { task: 'T003', entry: id })).toMatchObject({
          entryId: id,
        })
        id = next()
        expect(await project.must('research.unlink', { task: 'T003', entry: id })).toMatchObject({
          noChange: true,
        })
        appendFileSync(
          join(project.root, outputs, 'MANIFEST.jsonl'),
          '{"id":"T099-nobody","status":"complete"}\n',
        )
        expect((await project.must('pipeline.manifest.quarantine', {})).lines).toHaveLength(1)
      }))
  })

  describe('a decomposition', () => {
    const split = async (project: TestProject, id: string): Promise<TestProject> => {
      await project.must('orchestrate.spawn', { id, protocol: 'decomposition', ref: true })
      const agent = project.as(`${id}.1`)
      await agent.must('focus.set', { id })
      return agent
    }
    const submit = async (project: TestProject, agent: TestProject, id: string): Promise<void> => {
      const file = join(project.root, outputs, `${id}-parts.md`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, '# Parts\n\nTwo of them.\n')
      await agent.must('pipeline.manifest.append', { status: 'complete', finding: ['Two parts.'], file })
    }

    test.each([
      ['T001', 'an epic'],
      ['T002', 'a task'],
    ])('[GATE-1] of %s, %s, is finished although its children are open', (id) =>
      withProject(async (project) => {
        await project.must('tasks.add', { title: 'Accounts', type: 'epic', description: 'People sign up.' })
        if (id === 'T002')
          await project.must('tasks.add', { title: 'Sign-up', parent: 'T001', description: 'All of it.' })
        const agent = await split(project, id)
        const children = []
        for (const title of ['Form', 'Mails'])
          children.push(
            (
              (await agent.must('tasks.add', {
                title,
                parent: id,
                description: 'Build it.',
                acceptance: ['it works'],
              })) as {
                id: string
              }
            ).id,
          )
        expect(await complete(agent, id), 'the contract still holds').toMatchObject({
          code: 'manifest.missing',
        })
        await submit(project, agent, id)
        expect(await complete(agent, id)).toMatchObject({ value: { id, status: 'pending', unblocked: [] } })
        expect(await complete(agent, id)).toMatchObject({ value: { status: 'pending', noChange: true } })
        expect(await complete(project, id), 'for others it has open children').toMatchObject({ exit: 16 })
        expect(
          (await project.must('orchestrate.ready', { shared: false })).tasks.map((task) => task.id),
        ).toEqual(children)
        expect((await project.must('orchestrate.status', {})).out).toEqual([])
        const message = lineOf('Decomposition')
        expect(await project.call('orchestrate.receive', { id, message })).toMatchObject({
          value: { taskId: id, outcome: 'complete', next: children[0] },
          warnings: [],
        })
        expect((await rulings(project, id))['BASE-003']?.[0]).toBe('na')
        for (const child of children) await project.must('tasks.complete', { id: child })
        expect(await show(project, id)).toMatchObject({ status: 'done', outcome: 'complete' })
      }),
    )

    test('[GATE-6] the criteria of an epic are due when its last task is done, not when it is split', () =>
      withProject(async (project) => {
        await project.must('tasks.add', {
          title: 'Accounts',
          type: 'epic',
          description: 'People sign up.',
          acceptance: ['people can sign in'],
        })
        const agent = await split(project, 'T001')
        const part = { title: 'Form', parent: 'T001', description: 'Build it.', acceptance: ['it works'] }
        await agent.must('tasks.add', part)
        await submit(project, agent, 'T001')
        expect(await agent.call('tasks.finish', { id: 'T001' })).toMatchObject({
          value: { status: 'pending', outcome: 'complete' },
        })
        expect(
          await project.call('orchestrate.receive', { id: 'T001', message: lineOf('Decomposition') }),
        ).toMatchObject({ ok: true, value: { next: 'T002', then: 'cleo spawn T002 --ref' } })
        expect(await project.call('tasks.complete', { id: 'T002' })).toMatchObject({
          value: { status: 'done' },
          warnings: expect.arrayContaining([
            'T001 stays open although its last child is done; missing: criterion 1 (cleo complete T001)',
          ]),
        })
        const step = 'cleo complete T001'
        expect(await project.must('orchestrate.next', {})).toMatchObject({ task: null, then: step })
        expect(await project.must('orchestrate.status', {})).toMatchObject({ next: null, why: step })
        const line = 'cleo verify T001 --criterion 1 --evidence "files:<paths>"'
        expect(await complete(project, 'T001')).toMatchObject({
          exit: 45,
          problems: [{ path: 'criterion 1', fix: line }],
        })
        const proof = `files:${outputs}/T001-parts.md`
        await project.must('verify.criterion', { id: 'T001', criterion: 1, evidence: proof })
        expect(await complete(project, 'T001')).toMatchObject({ value: { status: 'done' } })
      }))

    test('[GATE-1] receive alone gives the epic back once it has tasks', () =>
      withProject(async (project) => {
        await project.must('tasks.add', { title: 'Accounts', type: 'epic', description: 'People sign up.' })
        const agent = await split(project, 'T001')
        await submit(project, agent, 'T001')
        const all = () => project.call('orchestrate.receive', { all: true })
        expect(await all(), 'it has no tasks').toMatchObject({
          value: { received: [{ taskId: 'T001', outcome: 'refused', code: 'rule.broken' }] },
        })
        const part = { title: 'Form', parent: 'T001', description: 'Build it.', acceptance: ['it works'] }
        await agent.must('tasks.add', part)
        expect(await all()).toMatchObject({
          value: { received: [{ taskId: 'T001', outcome: 'complete' }] },
        })
        expect(await show(project, 'T001')).toMatchObject({ status: 'pending' })
      }))
  })
})
