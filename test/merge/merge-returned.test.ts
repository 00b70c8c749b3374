import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { onSqlite, withProject } from '../support/project.ts'
import { addTask } from '../support/subagent.ts'
import {
  addTasks,
  branches,
  build,
  commit,
  finish,
  git,
  inRepository,
  leftovers,
  manifestOf,
  onBranch,
  place,
  put,
  receive,
  rowOf,
  taskRow,
  work,
} from '../support/worktrees.ts'

onSqlite((withProject) => {
  test('[TREE-6] output file and manifest line are in the project, and out of the branch', () =>
    inRepository(withProject, async (project) => {
      const [one] = await addTasks(project, 'Build one')
      const placed = await place(project, one!)
      const output = await work(placed, { 'src/one.txt': 'one\n' })
      git(placed.folder, 'add', '--force', output)
      git(placed.folder, 'commit', '-q', '-m', 'Add the output, against the rules')
      expect(await finish(placed)).toMatchObject({ ok: true })
      expect(await receive(project, one!)).toMatchObject({ ok: true })
      const path = output.slice(placed.folder.length + 1)
      expect(readFileSync(join(project.root, path), 'utf8')).toContain('It is done.')
      const lines = manifestOf(project.root)
      expect(lines.map(({ spawnId }) => spawnId)).toEqual([placed.id])
      expect(path.endsWith(lines[0]!.file)).toBe(true)
      expect(onBranch(project.root, 'cleo/T001', path), 'dropped from the merge').toBeUndefined()
      expect(onBranch(project.root, 'cleo/T001', 'src/one.txt')).toBe('one')
      expect(await receive(project, one!), 'again').toMatchObject({ ok: true })
      expect(manifestOf(project.root)).toHaveLength(1)
    }))

  test('[TREE-7] partial work whose gates fail waits; its follow-up starts from its branch and brings it in', () =>
    inRepository(withProject, async (project) => {
      const [one, two] = await addTasks(project, 'Build one', 'Build two')
      await project.must('tasks.update', { id: two!, depends: [one!] })
      const first = await place(project, one!)
      await work(first, { 'src/half.txt': 'BROKEN\n' })
      expect(await finish(first, { status: 'partial', open: ['Mend half of it'] })).toMatchObject({
        ok: true,
      })
      expect(await receive(project, one!)).toMatchObject({
        ok: true,
        value: { outcome: 'partial', followUps: ['T004'] },
      })
      expect(await taskRow(project, one!)).toMatchObject({ status: 'done', merge: 'pending' })
      expect(onBranch(project.root, 'cleo/T001', 'src/half.txt')).toBeUndefined()
      const output = `claudedocs/agent-outputs/${manifestOf(project.root)[0]!.file}`
      expect(existsSync(join(project.root, output)), 'its output is in the project').toBe(true)

      const state = await project.must('orchestrate.status', { epic: 'T001' })
      expect(state, 'it was received').toMatchObject({ kept: [one], next: 'T004' })
      expect(state.submitted).toBeUndefined()

      const next = await place(project, 'T004', { protocol: 'implementation' })
      expect(onBranch(project.root, next.branch, 'src/half.txt'), 'starts from it').toBe('BROKEN')
      await work(next, { 'src/half.txt': 'whole\n' })
      expect(await finish(next)).toMatchObject({ ok: true })
      expect(await receive(project, 'T004')).toMatchObject({ ok: true })
      expect(onBranch(project.root, 'cleo/T001', 'src/half.txt')).toBe('whole')
      expect(await taskRow(project, one!)).toMatchObject({ status: 'done', merge: 'merged' })
      expect(branches(project.root)).toEqual(['cleo/T001', 'main'])
      expect(leftovers(project, first.folder)).toEqual({ folders: [], known: 0 })
      expect(await project.call('orchestrate.spawn', { id: two!, ref: true })).toMatchObject({ ok: true })
    }))
})

describe('what is merged', () => {
  test('[TREE-7] partial work whose gates hold is merged', () =>
    inRepository(withProject, async (project) => {
      const [one] = await addTasks(project, 'Build one')
      const placed = await place(project, one!)
      await work(placed, { 'src/half.txt': 'half\n' })
      expect(await finish(placed, { status: 'partial', open: ['The other half'] })).toMatchObject({
        ok: true,
      })
      expect(await receive(project, one!)).toMatchObject({ ok: true, value: { merge: { commits: 1 } } })
      expect(onBranch(project.root, 'cleo/T001', 'src/half.txt')).toBe('half')
    }))

  test('[OUT-2] [TREE-7] unmerged partial work without follow-ups: next names the way on, which works', () =>
    inRepository(withProject, async (project) => {
      const [one, two] = await addTasks(project, 'Build one', 'Build two')
      await project.must('tasks.update', { id: two!, depends: [one!] })
      const placed = await place(project, one!)
      await work(placed, { 'src/half.txt': 'BROKEN\n' })
      expect(await finish(placed, { status: 'partial', open: ['Mend it'] })).toMatchObject({ ok: true })
      expect(await project.must('orchestrate.status', {}), 'not received').toMatchObject({ submitted: [one] })
      expect(await receive(project, one!, { noFollowUps: true })).toMatchObject({ ok: true })
      expect(await project.must('orchestrate.next', {})).toMatchObject({
        why: `${one} is partial and not merged; to go on without it: cleo receive ${one} --release`,
      })
      expect(await receive(project, one!, { release: true })).toMatchObject({ ok: true })
      expect(await project.must('orchestrate.next', {})).toMatchObject({ task: { id: two } })
    }))

  test('[GATE-1] [MANI-2] finish takes the line and the file that an agent left in the checkout', () =>
    inRepository(withProject, async (project) => {
      const [one] = await addTasks(project, 'Build one')
      const placed = await place(project, one!)
      const agent = project.as(placed.id)
      await agent.must('focus.set', { id: one! })
      const id = `${one}-example`
      const entry = { id, file: `${id}.md`, title: 'One', date: '2026-01-26', agent_type: 'implementation' }
      const line = JSON.stringify({ ...entry, status: 'complete', key_findings: ['It works.'] })
      put(project.root, {
        [`claudedocs/agent-outputs/${id}.md`]: '# Example\n\nIt works.\n',
        'claudedocs/agent-outputs/MANIFEST.jsonl': `${line}\n`,
      })
      const nowhere = await agent.call('tasks.finish', { id: one! })
      expect(nowhere, 'only the commit is missing').toMatchObject({
        code: 'evidence.missing',
        fix: `cd ${placed.folder}`,
        problems: [
          { message: expect.stringContaining(`in ${placed.folder}, where ${placed.id} has to work`) },
        ],
      })
      commit(placed.folder, 'One', { 'src/one.txt': 'one\n', 'test/one.test.txt': 'one\n' })
      expect(await agent.call('tasks.finish', { id: one! })).toMatchObject({
        ok: true,
        value: { entryId: id },
      })
      expect(await receive(project, one!)).toMatchObject({ ok: true, value: { merge: { commits: 1 } } })
    }))

  test('[TREE-7] receive --release lets the dependents of unmerged partial work start; its branch stays', () =>
    inRepository(withProject, async (project) => {
      const [one, two] = await addTasks(project, 'Build one', 'Build two')
      await project.must('tasks.update', { id: two!, depends: [one!] })
      const placed = await place(project, one!)
      await work(placed, { 'src/half.txt': 'BROKEN\n' })
      expect(await finish(placed, { status: 'partial', open: ['Mend it'] })).toMatchObject({ ok: true })
      expect(await receive(project, one!, { release: true })).toMatchObject({
        ok: true,
        value: { unblocked: [two] },
      })
      expect(await taskRow(project, one!)).toMatchObject({ status: 'done', merge: 'refused' })
      expect(onBranch(project.root, placed.branch, 'src/half.txt')).toBe('BROKEN')
      expect(await project.call('orchestrate.spawn', { id: two!, ref: true })).toMatchObject({ ok: true })
    }))

  test.each(['validation', 'testing'])(
    '[TREE-4] a spawn of %s that changed nothing has nothing to merge, and its output comes home',
    (stage) =>
      inRepository(withProject, async (project) => {
        const one = await addTask(project, { title: 'Look at the form', stage })
        const placed = await place(project, one, { protocol: 'implementation' })
        await work(placed, {})
        const finished = await finish(placed)
        expect(finished, JSON.stringify(finished)).toMatchObject({ ok: true })
        expect(await taskRow(project, one)).toMatchObject({ status: 'done', merge: 'none' })
        expect(await receive(project, one)).toMatchObject({ ok: true })
        expect(manifestOf(project.root)).toHaveLength(1)
        expect(leftovers(project, placed.folder)).toEqual({ folders: [], known: 0 })
        expect(branches(project.root)).toEqual(['cleo/T001', 'main'])
      }),
  )

  test('[TREE-5] a person receives an attempt that was replaced', () =>
    inRepository(withProject, async (project) => {
      const [one, two] = await addTasks(project, 'Build one', 'Build two')
      await build(project, one!, { 'src/pair-1.txt': 'left\n' })
      const first = await build(project, two!, { 'src/pair-2.txt': 'right\n' })
      await receive(project, one!)
      expect(await receive(project, two!)).toMatchObject({ code: 'merge.red' })
      await project.must('orchestrate.respawn', { id: two!, ref: true })
      expect((await rowOf(project, first.id))!.state).toBe('gone')
      // The person fixes what was wrong with the other task's work, in a new task.
      const [three] = await addTasks(project, 'Mend the pair')
      await build(project, three!, { 'src/pair-1.txt': 'right\n' })
      expect(await receive(project, three!)).toMatchObject({ ok: true })
      const answer = await receive(project, two!, { attempt: 1 })
      expect(answer, JSON.stringify(answer)).toMatchObject({
        ok: true,
        value: { merge: { into: 'cleo/T001' } },
      })
      expect(onBranch(project.root, 'cleo/T001', 'src/pair-2.txt')).toBe('right')
    }))

  test('[TREE-4] an output folder that the project tracks stays in the branch', () =>
    inRepository(
      withProject,
      async (project) => {
        const [one] = await addTasks(project, 'Build one')
        const placed = await place(project, one!)
        const output = await work(placed, { 'src/one.txt': 'one\n' })
        commit(placed.folder, 'Output')
        expect(await finish(placed)).toMatchObject({ ok: true })
        put(placed.folder, {})
        expect(await receive(project, one!)).toMatchObject({ ok: true })
        expect(onBranch(project.root, 'cleo/T001', output.slice(placed.folder.length + 1))).toContain(
          'It is done.',
        )
      },
      { files: { 'claudedocs/agent-outputs/README.md': '# Outputs\n' } },
    ))
})
