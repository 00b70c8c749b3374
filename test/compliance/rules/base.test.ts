import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { build, inRepository, prove } from '../../support/implementation.ts'
import { withProject } from '../../support/project.ts'
import { addTask, append, git, handIn, put, rulings, send } from '../../support/subagent.ts'

const compare = { title: 'Compare password hashing', labels: ['research'] }
const outputs = 'claudedocs/agent-outputs'

test('[PROT-1] a message that is not a return line breaks BASE-002, and is a warning once the work was accepted', () =>
  withProject(async (project) => {
    const sent = await send(project, await addTask(project, compare))
    const message = 'All done! Here is what I found: …'
    await project.call('orchestrate.receive', { id: 'T002', message })
    expect(await project.call('orchestrate.validate', { id: 'T002' })).toMatchObject({
      code: 'compliance.entry',
      exit: 62,
    })
    const broken = ['fail', 'the subagent did not return an allowed line']
    expect(await rulings(project, 'T002')).toMatchObject({ 'BASE-002': broken, 'RSCH-005': broken })
    await handIn(sent)
    await project.call('orchestrate.receive', { id: 'T002', message })
    const accepted = ['warning', 'the subagent did not return an allowed line; the work was accepted']
    expect(await rulings(project, 'T002')).toMatchObject({ 'BASE-002': accepted, 'RSCH-005': accepted })
  }))

test('[ORCH-5] a return without its line says nothing about BASE-002', () =>
  withProject(async (project) => {
    await handIn(await send(project, await addTask(project, compare)))
    await project.must('orchestrate.receive', { id: 'T002' })
    expect((await rulings(project, 'T002'))['BASE-002']).toEqual([
      'na',
      'the reply was not passed to receive',
    ])
  }))

test('[PROT-1] a task counts as done only if the log says who completed it', () =>
  withProject(async (project) => {
    const sent = await send(project, await addTask(project, compare))
    await handIn(sent)
    expect((await rulings(project, 'T002'))['BASE-003']).toEqual(['fail', 'T002 is active'])
    const db = await project.store()
    await db.run("UPDATE tasks SET status = 'done' WHERE id = 'T002'")
    const [result, fact] = (await rulings(project, 'T002'))['BASE-003']!
    expect([result, fact]).toEqual([
      'fail',
      'the log does not say who completed T002 after T002.1 was spawned',
    ])
  }))

test('[PROT-1] [GATE-1] finish completes a task as BASE-003 asks', () =>
  withProject(async (project) => {
    const sent = await send(project, await addTask(project, compare))
    await handIn(sent)
    await sent.as.must('tasks.finish', { id: 'T002' })
    expect((await rulings(project, 'T002'))['BASE-003']).toEqual(['pass', 'done by T002.1 with tasks.finish'])
  }))

test('[PROT-1] a deleted or changed output file breaks BASE-004', () =>
  withProject(async (project) => {
    const sent = await send(project, await addTask(project, compare))
    const entry = await handIn(sent)
    await sent.as.must('tasks.complete', { id: 'T002' })
    const path = `${outputs}/T002-compare-password-hashing.md`
    writeFileSync(join(project.root, path), '# Something else\n\nWords.\n')
    expect((await rulings(project, 'T002'))['BASE-004']).toEqual([
      'fail',
      `${path} has changed since ${entry} was stored`,
    ])
    rmSync(join(project.root, path))
    expect((await rulings(project, 'T002'))['BASE-004']).toEqual(['fail', `${path} does not exist`])
    expect(await project.call('orchestrate.validate', { id: 'T002' })).toMatchObject({ exit: 60 })
  }))

test('[PROT-1] only focus that the spawn itself set counts', () =>
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

test('[PROT-1] an entry that mentions files and commits that do not exist breaks BASE-006', () =>
  withProject(async (project) => {
    const sent = await send(project, await addTask(project, compare))
    const finding = [
      'src/made/up.ts holds it all.',
      'It came with commit 4f0c2a1deadb.',
      'There is no src/other.ts.',
    ]
    const entry = await handIn(sent, { entry: { finding } })
    const fact = 'there is no src/made/up.ts, there is no commit 4f0c2a1deadb'
    expect(await sent.as.call('tasks.complete', { id: 'T002' })).toMatchObject({
      exit: 60,
      problems: [
        {
          path: 'BASE-006',
          message: fact,
          fix: `cleo manifest append --revises ${entry} --finding "<one sentence>" --as T002.1`,
        },
      ],
    })
    expect((await rulings(project, 'T002'))['BASE-006']).toEqual(['fail', fact])
  }))

test('[PROT-1] a missing file that only the output file mentions is a warning', () =>
  withProject(async (project) => {
    const sent = await send(project, await addTask(project, compare))
    await handIn(sent, { text: 'See src/gone.ts.\n\n## References\n\n- https://example.com/hashing\n' })
    await sent.as.must('tasks.complete', { id: 'T002' })
    expect((await rulings(project, 'T002'))['BASE-006']).toEqual([
      'warning',
      'the output file mentions things that do not exist: src/gone.ts',
    ])
  }))

test('[PROT-1] stale evidence of an open task breaks BASE-006', () =>
  inRepository(async (project) => {
    const sent = await build(project, 'Add the form\n\nTask: T002')
    await prove(sent)
    expect((await rulings(project, 'T002'))['BASE-006']![0]).toBe('pass')
    put(project.root, { 'src/form.ts': 'export const form = 3\n' })
    const [result, fact] = (await rulings(project, 'T002'))['BASE-006']!
    expect(result).toBe('fail')
    expect(fact).toContain('stale')
  }))

test('[PROT-1] a commit that git no longer has breaks BASE-006', () =>
  inRepository(async (project) => {
    const sent = await build(project, 'Add the form\n\nTask: T002')
    await prove(sent)
    await sent.as.must('tasks.complete', { id: 'T002' })
    const gone = git(project.root, 'rev-parse', 'HEAD')
    git(project.root, 'reset', '-q', '--hard', 'HEAD~1')
    git(project.root, 'reflog', 'expire', '--expire=now', '--all')
    git(project.root, 'gc', '-q', '--prune=now')
    expect((await rulings(project, 'T002'))['BASE-006']).toEqual([
      'fail',
      `there is no commit ${gone.slice(0, 12)}`,
    ])
  }))

test('[PROT-1] a second entry replaces the first only as its revision', () =>
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
