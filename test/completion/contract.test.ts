import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { permitFor, unrestricted } from '../../src/completion/permit-for.ts'
import { standingOf } from '../../src/evidence/standing.ts'
import { nodeHost } from '../../src/host/node-host.ts'
import type { Context } from '../../src/operation/context.ts'
import { writer } from '../../src/operation/write.ts'
import * as tasks from '../../src/tasks/sql/tasks.ts'
import { transition } from '../../src/tasks/transition.ts'
import { onEveryStore, type TestProject, type WithProject, withProject } from '../support/project.ts'
import { addTask, append, commit, handIn, put, repository, type Sent, send } from '../support/subagent.ts'

const research = { title: 'Compare hashing', labels: ['research'] }

/** Proves all that an implementation has to. */
const prove = async ({ as, task }: Sent, root: string, criteria = 0): Promise<void> => {
  commit(root, 'Build the form', { 'src/form.ts': 'export const form = 1\n' })
  const gate = (gate: string, evidence: string) => as.must('verify.gate', { id: task, gate, evidence })
  await gate('implemented', 'commit:HEAD;files:src/form.ts')
  await gate('testsPassed', 'tool:test')
  await gate('qaPassed', 'tool:lint')
  for (let n = 1; n <= criteria; n++)
    await as.must('verify.criterion', { id: task, criterion: n, evidence: 'files:src/form.ts' })
}

/** Beside what `init` wrote: where the data is. */
const configure = ({ root }: TestProject, more: object): void => {
  const before = JSON.parse(readFileSync(`${root}/.cleo/config.json`, 'utf8')) as object
  put(root, { '.cleo/config.json': JSON.stringify({ ...before, ...more }) })
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

/** What an operation gets, for calls below one. */
const contextOf = async ({ root, store }: TestProject): Promise<Context> => {
  const context: Context = {
    host: { ...nodeHost(), cwd: root, home: `${root}/.home`, env: {} },
    actor: { id: 'ada', agent: false },
    dryRun: false,
    runHooks: async () => [],
    root,
    folder: `${root}/.cleo`,
    config: {},
    store: await store(),
    write: (work) => writer(context, 'test')(work),
  }
  return context
}

onEveryStore((withProject) => {
  test('[GATE-1] a task nobody spawned is completed freely', () =>
    withProject(async (project) => {
      await addTask(project, { acceptance: ['a'] })
      expect(await complete(project)).toMatchObject({ ok: true })
    }))

  test('[GATE-1] a spawned one lacks all of it at first: everything is told at once, the entry decides', () =>
    withTask(
      withProject,
      { acceptance: ['checks addresses'], files: ['src/form.ts'] },
      async ({ as }, project) => {
        const answer = await complete(as)
        expect(answer).toMatchObject({ ok: false, code: 'manifest.missing', exit: 62, retryable: true })
        expect((answer as { problems: object[] }).problems).toMatchObject([
          { path: 'manifest entry', code: 'manifest.missing' },
          { path: 'focus', code: 'focus.unset' },
          { path: 'implemented', code: 'evidence.missing' },
          { path: 'testsPassed', code: 'evidence.missing' },
          { path: 'qaPassed', code: 'evidence.missing' },
          { path: 'criterion 1', code: 'gate.unmet', message: 'no evidence' },
        ])
        // A person is under the same contract, and so is whoever hands in for somebody else.
        expect(await complete(project)).toMatchObject({ code: 'manifest.missing' })
        expect(await statusOf(project, 'T002')).toBe('pending')
      },
    ))

  test('[GATE-1] with all of it the task is done, and its epic with it', () =>
    withTask(withProject, { acceptance: ['a', 'b'] }, async (sent, project) => {
      await handIn(sent)
      await prove(sent, project.root, 2)
      expect(await complete(sent.as)).toMatchObject({ value: { status: 'done', completed: ['T001'] } })
      expect(await complete(sent.as)).toMatchObject({ value: { noChange: true } })
    }))

  test('[GATE-1] what is missing decides the exit, in the order of the contract', () =>
    withTask(withProject, { acceptance: ['a'] }, async (sent, project) => {
      const exit = async () => ((await complete(sent.as)) as { exit?: number }).exit
      await append(sent)
      expect(await exit()).toBe(38)
      await sent.as.must('focus.set', { id: 'T002' })
      expect(await exit()).toBe(40)
      await prove(sent, project.root)
      expect(await exit()).toBe(45)
      await sent.as.must('verify.criterion', { id: 'T002', criterion: 1, evidence: 'files:src/a.ts' })
      put(project.root, { 'src/a.ts': 'changed\n' })
      expect(await exit()).toBe(46)
      put(project.root, { 'src/a.ts': 'export const a = 1\n' })
      expect(await complete(sent.as)).toMatchObject({ ok: true })
    }))

  test('[GATE-1] dependencies, children and claims come before the contract', () =>
    withTask(withProject, {}, async ({ as }, project) => {
      await project.must('tasks.add', { title: 'First', parent: 'T001' })
      await project.must('tasks.update', { id: 'T002', addDepends: ['T003'] })
      expect(await complete(as)).toMatchObject({ exit: 5 })
      await project.must('tasks.update', { id: 'T002', removeDepends: ['T003'] })
      await as.must('focus.set', { id: 'T002' })
      expect(await complete(project.as('bob'))).toMatchObject({ code: 'claim.held', exit: 35 })
      await project.must('tasks.add', { title: 'Part', parent: 'T002' })
      expect(await complete(as)).toMatchObject({ exit: 16 })
    }))

  test('[GATE-1] a late owner is refused, whatever it has proved', () =>
    withTask(withProject, research, async (sent, project) => {
      await handIn(sent)
      await project.pass(16 * 60_000)
      await project.as('ada').must('focus.set', { id: 'T002' })
      expect(await complete(sent.as)).toMatchObject({ exit: 35 })
      expect(await complete(sent.as)).not.toMatchObject({ code: 'task.changed' })
      await project.must('focus.clear', { id: 'T002' })
      expect(await complete(sent.as)).toMatchObject({ code: 'claim.lost', exit: 35 })
    }))

  test('[GATE-2] research is documented by the file of its entry, as long as that is as it was', () =>
    withTask(withProject, research, async (sent, project) => {
      await handIn(sent)
      const { file } = await sent.as.must('pipeline.manifest.show', { id: 'T002' })
      const path = `${project.root}/claudedocs/agent-outputs/${file}`
      writeFileSync(path, 'something else')
      expect(await complete(sent.as)).toMatchObject({
        code: 'evidence.stale',
        problems: [{ path: 'documented', message: 'stale: the output file changed after the entry' }],
        fix: `cleo verify T002 --gate documented --evidence "files:claudedocs/agent-outputs/${file}" --as T002.1`,
      })
      rmSync(path)
      expect(await complete(sent.as)).toMatchObject({ code: 'output.missing', exit: 62 })
      writeFileSync(path, 'something else')
      await sent.as.must('verify.gate', {
        id: 'T002',
        gate: 'documented',
        evidence: `files:claudedocs/agent-outputs/${file}`,
      })
      expect(await complete(sent.as)).toMatchObject({ ok: true })
    }))

  test('[GATE-1] a partial entry completes the task in part and tells what is left open', () =>
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
        ],
      })
      expect(await project.must('tasks.show', { id: 'T002' })).toMatchObject({ outcome: 'partial' })
    }))

  test('[GATE-1] an entry that says complete needs everything: nobody downgrades it', () =>
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

  test('[GATE-1] a blocked entry completes nothing', () =>
    withTask(withProject, {}, async (sent) => {
      await handIn(sent, { entry: { status: 'blocked', blocker: 'missing context', text: 'which region?' } })
      expect(await complete(sent.as)).toMatchObject({ code: 'entry.blocked', exit: 6 })
    }))

  test('[GATE-1] the entry has to be that of the latest attempt', () =>
    withTask(withProject, research, async (sent, project) => {
      await handIn(sent)
      await sent.as.must('focus.clear', { id: 'T002' })
      await project.must('tasks.update', { id: 'T002', title: 'Compare hashing again' })
      const second = await send(project, 'T002')
      expect(await complete(second.as)).toMatchObject({
        exit: 62,
        problems: expect.arrayContaining([expect.objectContaining({ message: 'T002.2 appended none' })]),
      })
      expect(await complete(sent.as)).toMatchObject({ code: 'spawn.superseded', exit: 35 })
    }))

  test('[GATE-1] an old-style line in the file is taken in before it is judged', () =>
    withTask(withProject, research, async ({ as }, project) => {
      await as.must('focus.set', { id: 'T002' })
      put(project.root, {
        'claudedocs/agent-outputs/T002-hashing.md': '# Hashing\n\n## Summary\n\nargon2id is the choice.\n',
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

  test('[GATE-1] a parent that was handed out itself is done only if its own contract holds', () =>
    withProject(async (project) => {
      repository(project.root)
      await project.must('tasks.add', { title: 'Accounts', type: 'epic', description: 'People sign up.' })
      const epic = await send(project, 'T001')
      await addTask(project)
      await project.must('tasks.add', { title: 'Mails', parent: 'T001', description: 'Send them.' })
      await project.must('tasks.complete', { id: 'T002' })
      expect(await complete(project, 'T003')).toMatchObject({
        value: { unblocked: [] },
        warnings: [
          expect.stringContaining('T001 is not done with its last part; it lacks: manifest entry, focus'),
        ],
      })
      expect(await statusOf(project, 'T001')).toBe('pending')
      await epic.as.must('focus.set', { id: 'T001' })
      await append(epic)
      await epic.as.must('focus.clear', { id: 'T001' })
      await project.must('tasks.reopen', { id: 'T003', reason: 'again' })
      expect(await complete(project, 'T003')).toMatchObject({ value: { completed: ['T001'] } })
    }))

  test('[GATE-1] giving up the last part asks for the same', () =>
    withProject(async (project) => {
      repository(project.root)
      await addTask(project)
      await project.must('tasks.complete', { id: 'T002' })
      await project.must('tasks.reopen', { id: 'T001', reason: 'more' })
      await send(project, 'T001')
      await project.must('tasks.add', { title: 'Mails', parent: 'T001' })
      expect(await project.call('tasks.cancel', { id: 'T003', reason: 'no' })).toMatchObject({
        ok: true,
        warnings: [expect.stringContaining('T001 is not done')],
      })
      expect(await statusOf(project, 'T001')).toBe('pending')
    }))

  test('[GATE-2] the gates of a project are those its configuration names', () =>
    withProject(async (project) => {
      const gates = { required: { implementation: ['cleanupDone'], research: [] } }
      configure(project, { gates })
      await addTask(project)
      const sent = await send(project, 'T002')
      await handIn(sent)
      expect(await complete(sent.as)).toMatchObject({ exit: 40, problems: [{ path: 'cleanupDone' }] })
      await sent.as.must('verify.gate', { id: 'T002', gate: 'cleanupDone', evidence: 'note:all of it' })
      expect(await complete(sent.as)).toMatchObject({ ok: true })
    }))

  test('[GATE-1] where the configuration says so, a task nobody spawned needs gates and criteria, too', () =>
    withProject(async (project) => {
      configure(project, { gates: { always: true } })
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

  test('[GATE-1] of many that complete at once one does, the others hear that it is done', () =>
    withTask(withProject, research, async (sent, project) => {
      await handIn(sent)
      const answers = await Promise.all(Array.from({ length: 8 }, () => complete(sent.as)))
      expect(answers.map(({ ok }) => ok)).toEqual(Array(8).fill(true))
      const changed = answers.filter((answer) => answer.ok && !('noChange' in answer.value))
      expect(changed).toHaveLength(1)
      expect((await project.must('admin.log', { operation: 'tasks.complete' })).entries).toHaveLength(2)
    }))
})

test('[GATE-1] the change of the status asks for the permit itself, and for one that is still true', () =>
  withTask(withProject, research, async (sent, project) => {
    await handIn(sent)
    const context = await contextOf(project)
    const judged = permitFor(await standingOf(context, 'T002'))
    if ('ok' in judged) throw new Error(judged.message)
    const done = (permit: unknown) =>
      context.write(async (tx) => {
        const row = (await tasks.find(tx.db, 'T002'))!
        await transition(tx, row, { to: 'done', permit: permit as never })
        return { ok: true, value: null }
      })
    const unasked = { code: 'task.changed', exit: 21 }
    for (const forged of [undefined, unrestricted('T002'), { ...judged.permit, task: 'T001' }])
      await expect(done(forged), JSON.stringify(forged)).rejects.toMatchObject({ failure: unasked })
    // Anything that comes in between takes it away: evidence, a change of the task, a new attempt.
    await sent.as.must('verify.gate', { id: 'T002', gate: 'cleanupDone', evidence: 'note:x' })
    await expect(done(judged.permit), 'evidence came').rejects.toMatchObject({ failure: unasked })
    expect(await statusOf(project, 'T002')).toBe('active')
  }))
