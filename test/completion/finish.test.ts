import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { onSqlite, type TestProject, type WithProject } from '../support/project.ts'
import { addTask, commit, git, put, repository, rulings, type Sent, send } from '../support/subagent.ts'

const files = { 'src/form.ts': 'export const form = 1\n', 'test/form.test.ts': 'form\n' }
const finding = ['The form checks addresses.']

/** Makes a spawned task whose subagent has set focus and written its output file. */
const withWork = (
  withProject: WithProject,
  task: object,
  work: (sent: Sent, project: TestProject, output: string) => Promise<void>,
): Promise<void> =>
  withProject(async (project) => {
    repository(project.root)
    await addTask(project, task)
    const sent = await send(project, 'T002')
    const { output } = await sent.as.must('focus.set', { id: 'T002' })
    writeUp(output!)
    await work(sent, project, output!)
  })

const writeUp = (output: string, text = 'It is done.'): void =>
  writeFileSync(
    output,
    readFileSync(output, 'utf8').replace('## Summary\n', `## Summary\n\n${text}\n`) +
      '\n- .cleo/config.json:1\n',
  )

const finish = ({ as }: Sent, more: object = {}) => as.call('tasks.finish', { id: 'T002', finding, ...more })

const runs = async (project: TestProject): Promise<string[]> => {
  const rows = await (await project.store()).all<{ gate: string }>(
    'SELECT gate FROM evidence WHERE gate IS NOT NULL ORDER BY seq',
  )
  return rows.map(({ gate }) => gate)
}
const entriesOf = async (project: TestProject) =>
  (await project.must('pipeline.manifest.list', { task: 'T002' })).entries

onSqlite((withProject) => {
  test('[GATE-1] finish submits the entry, proves every gate and criterion, and completes the task', () =>
    withWork(withProject, { acceptance: ['a', 'b'] }, async (sent, project, output) => {
      commit(project.root, 'Build the form\n\nTask: T002', files)
      const criterion = ['1=files:test/form.test.ts', '2=files:src/form.ts,test/form.test.ts']
      const finished = await finish(sent, { criterion, link: ['T001'], topic: ['forms'] })
      expect(finished).toMatchObject({
        ok: true,
        value: {
          status: 'done',
          outcome: 'complete',
          entryId: 'T002-sign-up-form',
          return: 'Implementation complete. See MANIFEST.jsonl for summary.',
        },
      })
      expect((await rulings(project, 'T002'))['BASE-003']).toEqual([
        'pass',
        'done by T002.1 with tasks.finish',
      ])
      const { gates, acceptance } = await project.must('tasks.show', { id: 'T002' })
      expect(Object.values(gates!).map(({ state }) => state)).toEqual(['passed', 'passed', 'passed'])
      expect(acceptance!.map(({ state }) => state)).toEqual(['met', 'met'])
      expect(gates!['implemented']!.evidence).toContain('files:src/form.ts,test/form.test.ts')
      expect(readFileSync(output, 'utf8')).toContain('**Status**: complete')
      const { links } = await project.must('research.links', { id: 'T002-sign-up-form' })
      expect(links.map(({ taskId }) => taskId)).toEqual(['T001', 'T002'])
    }))

  test('[GATE-1] [OUT-3] finish lists every problem at once, keeps what passed, and can be repeated', () =>
    withProject(async (project) => {
      repository(project.root)
      commit(project.root, 'Test for it\n\nTask: T002', {
        Makefile: '.PHONY: test lint\ntest:\n\t@test -e src/ok.ts\nlint:\n\t@echo "ok"\n',
      })
      await addTask(project, { acceptance: ['a', 'b'] })
      const sent = await send(project, 'T002')
      commit(project.root, 'Build the form\n\nTask: T002', files)
      const criterion = ['1=files:test/form.test.ts', '2=files:test/none.ts', '7=files:src/form.ts']
      const refused = await finish(sent, { criterion })
      expect(refused).toMatchObject({ ok: false, code: 'output.missing', exit: 62, held: expect.anything() })
      const shown = !refused.ok ? refused.problems!.map(({ path, fix }) => [path, fix]) : []
      expect(shown).toEqual([
        ['output file', 'cleo output new T002 --as T002.1'],
        ['focus', 'cleo focus set T002 --as T002.1'],
        [
          'testsPassed',
          expect.stringMatching(/^correct what failed .*, then: cleo finish T002 --as T002.1$/),
        ],
        ['criterion 2', 'cleo verify T002 --criterion 2 --evidence "files:<paths>" --as T002.1'],
        ['criterion 7', 'cleo show T002'],
      ])
      expect(!refused.ok && refused.held).toEqual(['implemented', 'qaPassed', 'criterion 1'])
      const { output } = await sent.as.must('focus.set', { id: 'T002' })
      writeUp(output!)
      commit(project.root, 'Make it pass\n\nTask: T002', { 'src/ok.ts': 'ok\n' })
      expect(await finish(sent, { criterion: ['2=tool:test'] })).toMatchObject({ ok: true })
    }))

  test('[GATE-1] a repeated finish runs no tool again whose evidence is fresh and makes no second entry', () =>
    withWork(withProject, { acceptance: ['a'] }, async (sent, project) => {
      commit(project.root, 'Build the form\n\nTask: T002', files)
      expect(await finish(sent)).toMatchObject({ ok: false, code: 'gate.unmet', exit: 45 })
      expect(await runs(project)).toEqual(['implemented', 'testsPassed', 'qaPassed'])
      expect(await finish(sent, { criterion: ['1=tool:test'] })).toMatchObject({ ok: true })
      expect(await runs(project)).toEqual(['implemented', 'testsPassed', 'qaPassed'])
      expect(await entriesOf(project)).toHaveLength(1)
      expect(await finish(sent)).toMatchObject({ ok: true, value: { noChange: true, status: 'done' } })
    }))

  test('[GATE-1] [GATE-2] finish applies the rules of the protocol, as complete does', () =>
    withWork(withProject, { labels: ['research'] }, async (sent, project) => {
      commit(project.root, 'Build the form\n\nTask: T002', files)
      const three = ['The form checks addresses.', 'It is slow.', 'It has no tests.']
      expect(await finish(sent, { finding: three })).toMatchObject({
        code: 'rule.broken',
        exit: 60,
        problems: [{ path: 'RSCH-001', message: 'src/form.ts was changed, test/form.test.ts was changed' }],
      })
      git(project.root, 'rm', '-q', ...Object.keys(files))
      commit(project.root, 'Take it out\n\nTask: T002')
      expect(await finish(sent, { finding: three })).toMatchObject({ ok: true })
    }))

  test('[GATE-1] a partial finish needs what is left open, and reports the gates', () =>
    withWork(withProject, { acceptance: ['a'] }, async (sent, project, output) => {
      commit(project.root, 'Build the form\n\nTask: T002', files)
      const partial = { status: 'partial', finding: undefined } as const
      expect(await finish(sent, partial)).toMatchObject({
        ok: false,
        exit: 62,
        problems: [
          {
            path: 'manifest entry',
            message: 'a partial entry must list what is left (--open)',
            fix: 'cleo finish T002 --as T002.1 --status partial --open "<what is left>"',
          },
        ],
      })
      // Partial work needs no finding, because it names what is left open.
      expect(await finish(sent, { ...partial, open: ['mails are not sent yet'] })).toMatchObject({
        ok: true,
        value: { status: 'done', outcome: 'partial', return: expect.stringContaining('partial') },
        warnings: [
          'left open: IMPL-006 (T002-sign-up-form has no finding about what was built or decided)',
          'left open: criterion 1 (no evidence)',
          'T001 is done in part: T002 left work open',
        ],
      })
      expect(readFileSync(output, 'utf8')).toContain('**Status**: partial')
    }))

  test('[GATE-1] a blocked finish needs category and reason, proves nothing, and blocks the task', () =>
    withWork(withProject, {}, async (sent, project) => {
      const blocked = { status: 'blocked', finding: undefined } as const
      expect(await finish(sent, blocked)).toMatchObject({
        exit: 62,
        problems: [{ message: expect.stringContaining('--category') }, { message: '--why is missing' }],
      })
      const why = { category: 'missing context', why: 'No schema.' } as const
      expect(await finish(sent, { ...blocked, ...why })).toMatchObject({
        ok: true,
        value: { status: 'blocked', outcome: 'blocked', held: ['focus', 'manifest entry', 'output file'] },
      })
      expect(await finish(sent, { ...blocked, ...why })).toMatchObject({ value: { noChange: true } })
      expect(await project.must('tasks.show', { id: 'T002' })).toMatchObject({
        status: 'blocked',
        reason: 'missing context: No schema.',
      })
      expect(await runs(project)).toEqual([])
      const message = 'Implementation blocked. See MANIFEST.jsonl for blocker details.'
      expect(await project.call('orchestrate.receive', { id: 'T002', message })).toMatchObject({ ok: true })
      expect(await finish(sent), 'a blocked task').toMatchObject({ ok: false, code: 'task.status' })
      await project.must('tasks.unblock', { id: 'T002' })
    }))

  test('[MANI-4] changed content revises the entry of the spawn, and what is left out stays', () =>
    withWork(withProject, { acceptance: ['a'] }, async (sent, project) => {
      commit(project.root, 'Build the form\n\nTask: T002', files)
      await finish(sent, { topic: ['forms'], noTests: 'only texts', tag: 'v2.3.0' })
      await finish(sent, { finding: ['It has one handler.'] })
      await finish(sent, { finding: undefined })
      const entries = await entriesOf(project)
      expect(entries).toHaveLength(2)
      expect(await project.must('pipeline.manifest.show', { id: entries[0]!.id })).toMatchObject({
        revises: 'T002-sign-up-form',
        key_findings: ['It has one handler.'],
        topics: ['forms'],
        no_tests: 'only texts',
        tag: 'v2.3.0',
      })
    }))

  test('[MANI-3] findings are bounded, and research has three to seven', () =>
    withWork(withProject, { title: 'Compare hashing', labels: ['research'] }, async (sent) => {
      const [one, two, three] = ['One.', 'Two.', 'Three.']
      const large = await finish(sent, { finding: [one, two, 'x'.repeat(1 << 20)] })
      expect(large).toMatchObject({
        exit: 62,
        problems: expect.arrayContaining([
          expect.objectContaining({ message: 'finding 3 is limited to 2000 characters' }),
        ]),
      })
      expect(JSON.stringify(large).length).toBeLessThan(2000)
      expect(await finish(sent)).toMatchObject({
        problems: [{ message: 'research needs 3 to 7 findings (--finding), not 1' }],
      })
      expect(await finish(sent, { finding: [one, two, three] })).toMatchObject({
        ok: true,
        value: { held: ['focus', 'manifest entry', 'output file', 'documented'] },
      })
    }))

  test('[GATE-3] the entry can say why no declared file was changed', () =>
    withWork(withProject, { files: ['src/page.ts'] }, async (sent, project) => {
      commit(project.root, 'Build the form\n\nTask: T002', files)
      const fix = 'cleo finish T002 --as T002.1 --warning "files: <why>"'
      expect(await finish(sent)).toMatchObject({ exit: 40, problems: [{ path: 'implemented', fix }] })
      const warning = ['files: the form was elsewhere']
      expect(await finish(sent, { finding: undefined, warning })).toMatchObject({ ok: true })
    }))

  test('[GATE-1] work that is not committed is one problem of all its gates', () =>
    withWork(withProject, {}, async (sent, project) => {
      put(project.root, files)
      expect(await finish(sent)).toMatchObject({
        exit: 40,
        problems: [
          {
            path: 'implemented, testsPassed, qaPassed',
            fix: expect.stringMatching(/^git add .* && git commit .* && cleo finish T002 --as T002.1$/),
          },
        ],
      })
    }))

  test('[SESS-3] [GATE-1] a spawn that was replaced during its finish is refused with 35', () =>
    withWork(withProject, {}, async (sent, project) => {
      commit(project.root, 'Build the form\n\nTask: T002', files)
      await project.must('orchestrate.respawn', { id: 'T002', ref: true, replace: true } as never)
      expect(await finish(sent)).toMatchObject({ ok: false, exit: 35 })
      expect(await entriesOf(project)).toEqual([])
    }))

  test('[GATE-1] two processes of one spawn that finish at once make one entry and give evidence once', () =>
    withWork(withProject, { acceptance: ['a'] }, async (sent, project) => {
      commit(project.root, 'Build the form\n\nTask: T002', files)
      const criterion = ['1=files:src/form.ts']
      const other = { ...sent, as: project.afresh().as(sent.id) }
      const both = await Promise.all([finish(sent, { criterion }), finish(other, { criterion })])
      expect(both).toMatchObject([{ ok: true }, { ok: true }])
      expect(await runs(project)).toEqual(['implemented', 'testsPassed', 'qaPassed'])
      expect(await entriesOf(project)).toHaveLength(1)
      expect(
        (await project.must('admin.log', { task: 'T002', operation: 'tasks.finish' })).entries,
      ).toHaveLength(6)
    }))

  test('[GATE-1] a dry run of finish says what it would do and changes nothing', () =>
    withWork(withProject, {}, async (sent, project) => {
      commit(project.root, 'Build the form\n\nTask: T002', files)
      const tried = await sent.as.call('tasks.finish', { id: 'T002', finding }, { dryRun: true })
      expect(tried).toMatchObject({ ok: true, warnings: ['would run: make test', 'would run: make lint'] })
      expect(await runs(project)).toEqual([])
      expect(await entriesOf(project)).toEqual([])
    }))

  test('[GATE-1] open dependencies come first, and an entry that was written by hand counts', () =>
    withWork(withProject, {}, async (sent, project, output) => {
      commit(project.root, 'Build the form\n\nTask: T002', files)
      await project.must('tasks.add', { title: 'First', parent: 'T001' })
      await project.must('tasks.update', { id: 'T002', addDepends: ['T003'] })
      const line = { id: 'T002-by-hand', file: 'T002-sign-up-form.md', title: 'Form', date: '2026-01-01' }
      const rest = { status: 'complete', agent_type: 'implementation', key_findings: ['By hand.'] }
      const manifest = `${output.slice(0, output.lastIndexOf('/'))}/MANIFEST.jsonl`
      writeFileSync(manifest, `${JSON.stringify({ ...line, ...rest })}\n`)
      expect(await finish(sent, { finding: undefined })).toMatchObject({ code: 'dependency.open', exit: 5 })
      await project.must('tasks.complete', { id: 'T003' })
      expect(await finish(sent, { finding: undefined })).toMatchObject({ ok: true })
      const entries = await entriesOf(project)
      expect(await project.must('pipeline.manifest.show', { id: entries[0]!.id })).toMatchObject({
        key_findings: ['By hand.'],
      })
    }))

  test('[GATE-1] finish of a task that was never spawned completes it', () =>
    withProject(async (project) => {
      await addTask(project)
      expect(await project.must('tasks.finish', { id: 'T002' })).toEqual({
        id: 'T002',
        status: 'done',
        outcome: 'complete',
        held: [],
        unblocked: [],
        completed: ['T001'],
      })
    }))

  test('[GATE-2] without git, finish names the files that changed since the spawn', () =>
    withProject(async (project) => {
      put(project.root, { 'src/old.ts': 'old\n' })
      await addTask(project, { files: ['src/*.ts', 'test'] })
      const sent = await send(project, 'T002')
      const { output } = await sent.as.must('focus.set', { id: 'T002' })
      writeUp(output!)
      expect(await finish(sent)).toMatchObject({ exit: 40 })
      put(project.root, files)
      expect(await finish(sent)).toMatchObject({ ok: true })
      const { gates } = await project.must('tasks.show', { id: 'T002' })
      expect(gates!['implemented']!.evidence).toEqual([expect.stringMatching(/src\/form.ts/)])
      expect(gates!['implemented']!.evidence).toEqual([expect.not.stringMatching(/src\/old.ts/)])
    }))
})
