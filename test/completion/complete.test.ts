import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { configure } from '../support/configure.ts'
import { onEveryStore, type TestProject, type WithProject } from '../support/project.ts'
import { addTask, append, commit, handIn, put, repository, type Sent, send } from '../support/subagent.ts'

const research = { title: 'Compare hashing', labels: ['research'] }

/** Gives evidence for every gate of an implementation. */
const prove = async ({ as, task }: Sent, root: string, criteria = 0): Promise<void> => {
  commit(root, `Build the form\n\nTask: ${task}`, { 'src/form.ts': 'export const form = 1\n' })
  const gate = (gate: string, evidence: string) => as.must('verify.gate', { id: task, gate, evidence })
  await gate('implemented', 'commit:HEAD;files:src/form.ts')
  await gate('testsPassed', 'tool:test')
  await gate('qaPassed', 'tool:lint')
  for (let n = 1; n <= criteria; n++)
    await as.must('verify.criterion', { id: task, criterion: n, evidence: 'files:src/form.ts' })
}

const complete = (project: TestProject, id = 'T002') => project.call('tasks.complete', { id })
const statusOf = async (project: TestProject, id: string) => (await project.must('tasks.show', { id })).status

const withTask = (
  withProject: WithProject,
  task: object,
  work: (sent: Sent, project: TestProject) => Promise<void>,
): Promise<void> =>
  withProject(async (project) => {
    repository(project.root)
    await addTask(project, task)
    await work(await send(project, 'T002'), project)
  })

onEveryStore((withProject) => {
  test('[TASK-9] completing the last child completes the parent and lists what it unblocked', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'Accounts', type: 'epic' })
      await must('tasks.add', { title: 'Form', parent: 'T001' })
      await must('tasks.add', { title: 'Mails', depends: ['T001'] })
      expect(await must('tasks.complete', { id: 'T002' })).toEqual({
        id: 'T002',
        status: 'done',
        unblocked: ['T003'],
        completed: ['T001'],
      })
    }))

  test('[TASK-9] completing a done task changes nothing and returns noChange', () =>
    withProject(async ({ must }) => {
      await must('tasks.add', { title: 'Form' })
      await must('tasks.complete', { id: 'T001' })
      expect(await must('tasks.complete', { id: 'T001' })).toMatchObject({ noChange: true })
      expect((await must('admin.log', { operation: 'tasks.complete' })).entries).toHaveLength(1)
    }))

  test('[TASK-9] a parent with open children is refused with 16', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'Accounts', type: 'epic' })
      await must('tasks.add', { title: 'Form', parent: 'T001' })
      expect(await call('tasks.complete', { id: 'T001' })).toMatchObject({
        ok: false,
        code: 'children.open',
        exit: 16,
      })
    }))

  test('[GATE-1] a task that was never spawned needs no evidence', () =>
    withProject(async (project) => {
      await addTask(project, { acceptance: ['a'] })
      expect(await complete(project)).toMatchObject({ ok: true })
    }))

  test('[GATE-1] a spawned task is refused with everything it is missing, the entry first', () =>
    withTask(
      withProject,
      { acceptance: ['checks addresses'], files: ['src/form.ts'] },
      async ({ as }, project) => {
        const answer = await complete(as)
        expect(answer).toMatchObject({ ok: false, code: 'manifest.missing', exit: 62, retryable: false })
        expect((answer as { problems: object[] }).problems).toMatchObject([
          { path: 'manifest entry', code: 'manifest.missing' },
          { path: 'focus', code: 'focus.unset' },
          { path: 'implemented', code: 'evidence.missing' },
          { path: 'testsPassed', code: 'evidence.missing' },
          { path: 'qaPassed', code: 'evidence.missing' },
          { path: 'criterion 1', code: 'gate.unmet', message: 'no evidence' },
        ])
        // A person too has to meet the contract of the task.
        expect(await complete(project)).toMatchObject({ code: 'manifest.missing' })
        expect(await statusOf(project, 'T002')).toBe('pending')
      },
    ))

  test('[GATE-1] with entry, focus and evidence the task is done, and its epic with it', () =>
    withTask(withProject, { acceptance: ['a', 'b'] }, async (sent, project) => {
      await handIn(sent)
      await prove(sent, project.root, 2)
      expect(await complete(sent.as)).toMatchObject({ value: { status: 'done', completed: ['T001'] } })
      expect(await complete(sent.as)).toMatchObject({ value: { noChange: true } })
    }))

  test('[GATE-1] the first missing requirement decides the exit, in the order of the contract', () =>
    withTask(withProject, { acceptance: ['a'] }, async (sent, project) => {
      const exit = async () => ((await complete(sent.as)) as { exit?: number }).exit
      await append(sent)
      expect(await exit()).toBe(38)
      await sent.as.must('focus.set', { id: 'T002' })
      const named = await append(sent, { entry: { revises: 'T002-sign-up-form', agentType: 'research' } })
      expect(await exit()).toBe(60)
      await sent.as.must('pipeline.manifest.append', { revises: named, agentType: 'implementation' })
      expect(await exit()).toBe(40)
      await prove(sent, project.root)
      expect(await exit()).toBe(45)
      await sent.as.must('verify.criterion', { id: 'T002', criterion: 1, evidence: 'files:src/a.ts' })
      put(project.root, { 'src/a.ts': 'changed\n' })
      expect(await exit()).toBe(46)
      put(project.root, { 'src/a.ts': 'export const a = 1\n' })
      expect(await complete(sent.as)).toMatchObject({ ok: true })
    }))

  test('[GATE-1] dependencies, children and claims are checked before the contract', () =>
    withTask(withProject, {}, async ({ as }, project) => {
      await project.must('tasks.add', { title: 'First', parent: 'T001' })
      await project.must('tasks.update', { id: 'T002', addDepends: ['T003'] })
      expect(await complete(as)).toMatchObject({ exit: 5 })
      await project.must('tasks.update', { id: 'T002', removeDepends: ['T003'] })
      await as.must('focus.set', { id: 'T002' })
      await project.must('tasks.update', { id: 'T002', addDepends: ['T003'] })
      expect(await complete(project.as('bob')), 'the claim comes first').toMatchObject({ exit: 35 })
      await project.must('tasks.update', { id: 'T002', removeDepends: ['T003'] })
      expect(await complete(project.as('bob'))).toMatchObject({ code: 'claim.held', exit: 35 })
      await project.must('tasks.add', { title: 'Part', parent: 'T002' })
      expect(await complete(as)).toMatchObject({ exit: 16 })
    }))

  test('[GATE-1] an agent that lost its claim is refused, whatever it has proved', () =>
    withTask(withProject, research, async (sent, project) => {
      await handIn(sent)
      await project.must('tasks.block', { id: 'T002', reason: 'wait' })
      await project.must('tasks.unblock', { id: 'T002' })
      await sent.as.must('focus.clear', { id: 'T002' })
      await project.as('ada').must('focus.set', { id: 'T002' })
      expect(await complete(sent.as)).toMatchObject({ exit: 35 })
      expect(await complete(sent.as)).not.toMatchObject({ code: 'task.changed' })
      await project.must('focus.clear', { id: 'T002' })
      expect(await complete(sent.as)).toMatchObject({ code: 'claim.lost', exit: 35 })
    }))

  test('[GATE-2] research is documented by the output file of its entry while it is unchanged', () =>
    withTask(withProject, research, async (sent, project) => {
      await handIn(sent)
      const { file } = await sent.as.must('pipeline.manifest.show', { id: 'T002' })
      const path = `${project.root}/claudedocs/agent-outputs/${file}`
      writeFileSync(path, '# Hashing\n\nSomething else.\n\n## References\n\n- RFC 9106\n')
      expect(await complete(sent.as)).toMatchObject({
        code: 'evidence.stale',
        problems: [
          { path: 'documented', message: 'stale: the output file changed after the entry was appended' },
        ],
        fix: `cleo verify T002 --gate documented --evidence "files:claudedocs/agent-outputs/${file}" --as T002.1`,
      })
      rmSync(path)
      expect(await complete(sent.as)).toMatchObject({ code: 'output.missing', exit: 62 })
      writeFileSync(path, '# Hashing\n\nSomething else.\n\n## References\n\n- RFC 9106\n')
      await sent.as.must('verify.gate', {
        id: 'T002',
        gate: 'documented',
        evidence: `files:claudedocs/agent-outputs/${file}`,
      })
      expect(await complete(sent.as)).toMatchObject({ ok: true })
    }))

  test('[GATE-1] a partial entry completes the task in part and lists what is left open', () =>
    withTask(withProject, { acceptance: ['a'] }, async (sent, project) => {
      await handIn(sent, { entry: { status: 'partial', followup: ['the mails'] } })
      await sent.as.must('verify.criterion', { id: 'T002', criterion: 1, unmet: true, reason: 'no server' })
      expect(await complete(sent.as)).toMatchObject({
        value: { status: 'done', outcome: 'partial' },
        warnings: [
          'left open: implemented (no evidence)',
          'left open: testsPassed (no evidence)',
          'left open: qaPassed (no evidence)',
          'left open: criterion 1 (not met: no server)',
          'T001 is done in part: T002 left work open',
        ],
      })
      expect(await project.must('tasks.show', { id: 'T002' })).toMatchObject({ outcome: 'partial' })
    }))

  test('[GATE-1] an entry that says complete needs every criterion, met or waived', () =>
    withTask(withProject, { acceptance: ['a'] }, async (sent, project) => {
      await handIn(sent)
      await prove(sent, project.root)
      await sent.as.must('verify.criterion', { id: 'T002', criterion: 1, unmet: true, reason: 'no server' })
      expect(await complete(sent.as)).toMatchObject({
        exit: 45,
        problems: [{ path: 'criterion 1', message: 'not met: no server' }],
      })
      await project.must('verify.waive', { id: 'T002', criterion: 1, reason: 'not now' })
      expect(await complete(sent.as)).toMatchObject({ ok: true })
    }))

  test('[OUT-2] [MANI-2] a line that names no file of the task is refused with the command that names another', () =>
    withTask(withProject, research, async (sent, project) => {
      await sent.as.must('focus.set', { id: 'T002' })
      const entry = { id: 'T002-hashes', file: 'hashes.md', status: 'complete', agent_type: 'research' }
      const line = JSON.stringify({ ...entry, key_findings: ['One.', 'Two.', 'Three.'] })
      appendFileSync(`${project.root}/claudedocs/agent-outputs/MANIFEST.jsonl`, `${line}\n`)
      expect(await complete(sent.as)).toMatchObject({
        code: 'output.missing',
        fix: 'cleo manifest append --revises T002-hashes --file "<output file>" --as T002.1',
      })
    }))

  test('[GATE-1] a blocked entry completes nothing', () =>
    withTask(withProject, {}, async (sent) => {
      await handIn(sent, { entry: { status: 'blocked', blocker: 'missing context', text: 'which region?' } })
      expect(await complete(sent.as)).toMatchObject({
        code: 'entry.blocked',
        exit: 6,
        fix: 'cleo finish T002 --status blocked --as T002.1',
      })
    }))

  test('[GATE-1] the entry must be from the latest attempt', () =>
    withTask(withProject, research, async (sent, project) => {
      await handIn(sent)
      await sent.as.must('focus.clear', { id: 'T002' })
      await project.must('tasks.update', { id: 'T002', title: 'Compare hashing again' })
      const second = await send(project, 'T002')
      expect(await complete(second.as)).toMatchObject({
        exit: 62,
        problems: expect.arrayContaining([
          expect.objectContaining({ message: 'T002.2 appended no manifest entry' }),
        ]),
      })
      expect(await complete(sent.as)).toMatchObject({ code: 'spawn.superseded', exit: 35 })
    }))

  test('[GATE-1] a line written to the manifest file is ingested before the contract is checked', () =>
    withTask(withProject, research, async ({ as }, project) => {
      await as.must('focus.set', { id: 'T002' })
      put(project.root, {
        'claudedocs/agent-outputs/T002-hashing.md':
          '# Hashing\n\n## Summary\n\nargon2id.\n\n## References\n\n- RFC 9106\n',
        'claudedocs/agent-outputs/MANIFEST.jsonl': `${JSON.stringify({
          id: 'T002-hashing',
          file: 'T002-hashing.md',
          title: 'Hashing',
          date: '2026-01-01',
          status: 'complete',
          agent_type: 'research',
          topics: ['hashing'],
          key_findings: ['One.', 'Two.', 'Three.'],
          actionable: true,
          needs_followup: [],
          linked_tasks: ['T002'],
        })}\n`,
      })
      expect(await complete(as)).toMatchObject({ ok: true })
    }))

  test('[GATE-1] a parent that was spawned itself is done only if its own contract holds', () =>
    withProject(async (project) => {
      repository(project.root)
      await project.must('tasks.add', { title: 'Accounts', type: 'epic', description: 'People sign up.' })
      const epic = await send(project, 'T001')
      await addTask(project, { acceptance: ['works'] })
      await project.must('tasks.add', {
        title: 'Mails',
        parent: 'T001',
        description: 'Send them.',
        acceptance: ['works'],
      })
      await project.must('tasks.complete', { id: 'T002' })
      expect(await complete(project, 'T003')).toMatchObject({
        value: { unblocked: [] },
        warnings: [
          'left open: criterion 1 (works)',
          expect.stringContaining(
            'T001 stays open although its last child is done; missing: manifest entry, focus',
          ),
        ],
      })
      expect(await statusOf(project, 'T001')).toBe('pending')
      await epic.as.must('focus.set', { id: 'T001' })
      await append(epic)
      await epic.as.must('focus.clear', { id: 'T001' })
      await project.must('tasks.reopen', { id: 'T003', reason: 'again' })
      expect(await complete(project, 'T003')).toMatchObject({ value: { completed: ['T001'] } })
    }))

  test('[GATE-2] the configuration names the gates a project requires', () =>
    withProject(async (project) => {
      await configure(project, { gates: { required: { implementation: ['cleanupDone'], research: [] } } })
      await addTask(project)
      const sent = await send(project, 'T002')
      await handIn(sent)
      expect(await complete(sent.as)).toMatchObject({ exit: 40, problems: [{ path: 'cleanupDone' }] })
      await sent.as.must('verify.gate', { id: 'T002', gate: 'cleanupDone', evidence: 'note:all of it' })
      expect(await complete(sent.as)).toMatchObject({ ok: true })
    }))

  test('[GATE-1] with gates.always a task that was never spawned needs gates and criteria too', () =>
    withProject(async (project) => {
      await configure(project, { gates: { always: true } })
      repository(project.root)
      await addTask(project, { acceptance: ['a'] })
      const answer = await complete(project)
      expect(answer).toMatchObject({ exit: 40 })
      expect((answer as { problems: { path: string }[] }).problems.map(({ path }) => path)).toEqual([
        'implemented',
        'testsPassed',
        'qaPassed',
        'criterion 1',
      ])
      await prove({ as: project, task: 'T002', id: 'ada' }, project.root, 1)
      expect(await complete(project)).toMatchObject({ ok: true })
    }))

  test('[GATE-1] of eight callers at once one completes the task, the others get noChange', () =>
    withTask(withProject, research, async (sent, project) => {
      await handIn(sent)
      const answers = await Promise.all(Array.from({ length: 8 }, () => complete(sent.as)))
      expect(answers.map(({ ok }) => ok)).toEqual(Array(8).fill(true))
      const changed = answers.filter((answer) => answer.ok && !('noChange' in answer.value))
      expect(changed).toHaveLength(1)
      expect((await project.must('admin.log', { operation: 'tasks.complete' })).entries).toHaveLength(2)
    }))
})
