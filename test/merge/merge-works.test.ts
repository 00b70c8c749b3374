import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as worktrees from '../../src/worktrees/sql.ts'
import { onEveryStore, withProject } from '../support/project.ts'
import {
  addTasks,
  branches,
  build,
  commit,
  finish,
  git,
  inRepository,
  isSound,
  leftovers,
  onBranch,
  place,
  put,
  receive,
  receiveAll,
  taskRow,
  work,
} from '../support/worktrees.ts'

onEveryStore((withProject) => {
  test('[TREE-4] finished work waits for its merge, and dependents and parents wait with it', () =>
    inRepository(withProject, async (project) => {
      const [first] = await addTasks(project, 'Build the form')
      await project.must('tasks.add', {
        title: 'Build the page',
        description: 'Uses the form.',
        parent: 'T001',
        depends: [first!],
      })
      const placed = await place(project, first!)
      await work(placed, { 'src/form.txt': 'form\n' })
      expect(await finish(placed)).toMatchObject({ ok: true, value: { merge: 'pending', unblocked: [] } })
      expect(await taskRow(project, first!)).toMatchObject({ status: 'done', merge: 'pending' })
      expect(await project.must('tasks.complete', { id: first! }), 'complete says so too').toMatchObject({
        merge: 'pending',
        noChange: true,
      })
      expect(await project.must('orchestrate.status', {}), 'it does not count as done').toMatchObject({
        counts: { pending: 1, unmerged: 1 },
        submitted: [first],
      })
      const refused = await project.call('orchestrate.spawn', { id: 'T003', ref: true })
      expect(refused, 'the dependent waits').toMatchObject({ ok: false, exit: 5 })

      expect(await receive(project, first!)).toMatchObject({
        ok: true,
        value: {
          outcome: 'complete',
          merge: { into: 'cleo/T001', commits: 1 },
          unblocked: ['T003'],
          next: 'T003',
        },
      })
      expect(await taskRow(project, first!)).toMatchObject({
        status: 'done',
        merge: 'merged',
        landed_at: null,
      })
      expect(branches(project.root)).toEqual(['cleo/T001', 'main'])
      expect(leftovers(project, placed.folder)).toEqual({ folders: [], known: 0 })
      expect(onBranch(project.root, 'cleo/T001', 'src/form.txt')).toBe('form')
      expect(git(project.root, 'status', '--porcelain', '--', 'src'), "the user's checkout").toBe('')

      const second = await build(project, 'T003', { 'src/page.txt': 'page\n' })
      expect((await taskRow(project, 'T001')).status, 'the epic waits for the merge').toBe('pending')
      expect(onBranch(project.root, second.branch, 'src/form.txt'), 'it sees the work before it').toBe('form')
      expect(await receive(project, 'T003')).toMatchObject({ ok: true })
      expect(await taskRow(project, 'T001')).toMatchObject({ status: 'done', merge: 'merged' })
      isSound(project.root)
    }))

  test('[TREE-2] a task of another epic waits until the work has landed', () =>
    inRepository(withProject, async (project) => {
      const [first] = await addTasks(project, 'Build the form')
      await project.must('tasks.add', { title: 'Shop', type: 'epic', description: 'Sells.' })
      await project.must('tasks.add', {
        title: 'Build the shop',
        description: 'Uses the form.',
        parent: 'T003',
        depends: [first!],
      })
      await build(project, first!, { 'src/form.txt': 'form\n' })
      expect(await receive(project, first!)).toMatchObject({ ok: true, value: { unblocked: [] } })
      expect(await project.call('orchestrate.spawn', { id: 'T004', ref: true })).toMatchObject({ exit: 5 })
      const { markLanded } = await import('../../src/tasks/sql/merges.ts')
      const ready = await (await project.store()).tx((db) => markLanded(db, [first!], 1))
      expect(ready).toEqual(['T004'])
    }))

  test('[TREE-4] work that conflicts goes back, named with the file and the other task, and stays on its branch', () =>
    inRepository(withProject, async (project) => {
      const [one, two] = await addTasks(project, 'Build one', 'Build two')
      const first = await place(project, one!)
      const second = await place(project, two!)
      await work(first, { 'src/a.ts': 'export const a = 1 // one\n' })
      await work(second, { 'src/a.ts': 'export const a = 2 // two\n' })
      for (const each of [first, second]) expect(await finish(each)).toMatchObject({ ok: true })
      expect(await receive(project, one!)).toMatchObject({ ok: true })
      const refused = await receive(project, two!)
      expect(refused).toMatchObject({
        ok: false,
        code: 'merge.conflict',
        exit: 23,
        message: `${two} conflicts with ${one} in src/a.ts. The work of ${two} is safe on ${second.branch}.`,
        fix: `cleo respawn ${two} --ref`,
      })
      expect(await taskRow(project, two!)).toMatchObject({ status: 'pending', merge: 'refused' })
      expect(onBranch(project.root, second.branch, 'src/a.ts')).toContain('two')
      expect(onBranch(project.root, 'cleo/T001', 'src/a.ts')).toContain('one')

      const again = await project.must('orchestrate.respawn', { id: two!, ref: true })
      expect(again).toMatchObject({ spawnId: `${two}.2` })
      const third = { ...second, id: `${two}.2`, folder: second.folder.replace(/1$/, '2') }
      const as = project.from(third.folder).as(third.id)
      expect(onBranch(project.root, `cleo/${two}.2`, 'src/a.ts'), 'starts from the merged work').toContain(
        'one',
      )
      await work({ ...third, as }, { 'src/a.ts': 'export const a = 3 // one and two\n' })
      expect(await finish({ task: two!, as })).toMatchObject({ ok: true })
      expect(await receive(project, two!)).toMatchObject({ ok: true })
      expect(onBranch(project.root, 'cleo/T001', 'src/a.ts')).toContain('one and two')
      expect(git(project.root, 'show', `refs/cleo/attempts/${two}.1:src/a.ts`)).toContain('// two')
      isSound(project.root)
    }))
})

describe('checks on the merged files', () => {
  test('[TREE-4] two works that are green alone and red together: the second goes back', () =>
    inRepository(withProject, async (project) => {
      const [one, two] = await addTasks(project, 'Build one', 'Build two')
      const first = await build(project, one!, { 'src/pair-1.txt': 'left\n' })
      const second = await build(project, two!, { 'src/pair-2.txt': 'right\n' })
      expect(await receive(project, first.task)).toMatchObject({ ok: true })
      const refused = await receive(project, second.task)
      expect(refused, 'red where the works meet').toMatchObject({ ok: false, code: 'merge.red', exit: 24 })
      expect(JSON.stringify(refused)).toContain('the pair differs')
      expect((refused as { message: string }).message).toMatch(
        /tool:test passes on \S+ but fails after the merge into \S+ \(log: \S+\)\. The work of/,
      )
      expect(await taskRow(project, two!)).toMatchObject({ status: 'pending', merge: 'refused' })
      expect(onBranch(project.root, 'cleo/T001', 'src/pair-2.txt')).toBeUndefined()
      expect(onBranch(project.root, second.branch, 'src/pair-2.txt')).toBe('right')
      expect(leftovers(project, second.folder).folders, 'no tree of a check').toEqual([second.id])
      const listed = async () =>
        (await project.must('worktree.list', {})).worktrees.map(({ spawnId, merge }) => [spawnId, merge])
      expect(await listed()).toEqual([[`${two}.1`, 'refused']])
      await project.must('orchestrate.respawn', { id: two! })
      expect(await listed(), 'the new attempt was refused by nobody').toEqual([[`${two}.2`, 'none']])
    }))

  test('[TREE-4] a lock file that merges cleanly and wrongly is caught', () => {
    const lock = (...names: string[]) => `${names.map((name) => `${name}\n${'-\n'.repeat(8)}`).join('')}`
    return inRepository(
      withProject,
      async (project) => {
        const [one, two] = await addTasks(project, 'Build one', 'Build two')
        await build(project, one!, { 'app.lock': lock('a@2', 'b@1', 'c@1') })
        const second = await build(project, two!, { 'app.lock': lock('a@1', 'b@1', 'c@2') })
        expect(await receive(project, one!)).toMatchObject({ ok: true })
        expect(await receive(project, two!)).toMatchObject({ ok: false, code: 'merge.red' })
        expect(onBranch(project.root, second.branch, 'app.lock')).toContain('c@2')
      },
      {
        files: { 'app.lock': lock('a@1', 'b@1', 'c@1') },
        test: 'if grep -q a@2 app.lock && grep -q c@2 app.lock; then echo "1 failed"; exit 1; fi; echo "1 passed"',
      },
    )
  })

  test('[TREE-4] checks that fail once and then pass are recorded as flaky', () =>
    inRepository(
      withProject,
      async (project) => {
        const [one, two] = await addTasks(project, 'Build one', 'Build two')
        await build(project, one!, { 'src/1.txt': '1\n' })
        await build(project, two!, { 'src/2.txt': '2\n' })
        await receive(project, one!)
        git(project.root, 'config', 'cleo-test.flaky', '1')
        const received = await receive(project, two!)
        expect(received).toMatchObject({ ok: true, value: { merge: { commits: 1 } } })
        expect(received.warnings?.join()).toContain('test failed once and passed when run again')
        const last = await worktrees.lastMerge(await project.store(), two!)
        expect(JSON.parse(last!.report)).toEqual({ flaky: ['test'] })
      },
      {
        // If the setting exists, the test removes it and fails. So the test fails once, and passes when it runs
        // again.
        test: 'if git config --unset cleo-test.flaky; then echo "1 failed"; exit 1; fi; echo "1 passed"',
      },
    ))

  test('[TREE-4] what was proved is merged, wherever its branch is by then', () =>
    inRepository(withProject, async (project) => {
      const { root } = project
      const moves: Record<string, (folder: string, branch: string) => void> = {
        more: (folder) => commit(folder, 'Late', { 'src/late.txt': 'late\n' }),
        reset: (folder) => git(folder, 'reset', '-q', '--hard', 'main'),
        amended: (folder) => git(folder, 'commit', '-q', '--amend', '-m', 'Other'),
        deleted: (folder, branch) => {
          git(folder, 'checkout', '-q', '--detach')
          git(root, 'branch', '-q', '-D', branch)
        },
      }
      const ids = await addTasks(project, ...Object.keys(moves).map((name) => `Build ${name}`))
      for (const [i, [name, move]] of Object.entries(moves).entries()) {
        const placed = await build(project, ids[i]!, { [`src/${name}.txt`]: `${name}\n` })
        const proved = git(placed.folder, 'rev-parse', 'HEAD')
        move(placed.folder, placed.branch)
        const received = await receive(project, ids[i]!)
        expect([name, received]).toMatchObject([name, { ok: true, value: { merge: { commits: 1 } } }])
        expect(git(root, 'rev-parse', 'cleo/T001^2'), name).toBe(proved)
        const warned = (received.warnings ?? []).join().includes(`refs/cleo/attempts/${placed.id}`)
        expect([name, warned]).toEqual([name, name !== 'deleted'])
      }
      expect(onBranch(root, 'cleo/T001', 'src/late.txt'), 'not proved').toBeUndefined()
      expect(git(root, 'show', `refs/cleo/attempts/${ids[0]}.1:src/late.txt`), 'but kept').toBe('late')
    }))

  test("[TREE-5] a symbolic ref leads to no branch of the user's", () =>
    inRepository(withProject, async (project) => {
      const { root } = project
      const [one, two] = await addTasks(project, 'Build one', 'Build two')
      const placed = await build(project, one!, { 'src/1.txt': '1\n' })
      const main = git(root, 'rev-parse', 'main')
      git(root, 'branch', 'precious', placed.branch)
      git(root, 'symbolic-ref', 'refs/heads/cleo/T001', 'refs/heads/main')
      git(root, 'symbolic-ref', `refs/heads/${placed.branch}`, 'refs/heads/precious')
      expect(await receive(project, one!)).toMatchObject({ ok: true })
      const replaced = await place(project, two!)
      await work(replaced, {})
      put(replaced.folder, { 'src/open.txt': 'open\n' })
      git(root, 'symbolic-ref', `refs/cleo/attempts/${replaced.id}`, 'refs/heads/main')
      await project.must('orchestrate.respawn', { id: two!, ref: true, replace: true })
      expect(git(root, 'rev-parse', 'main')).toBe(main)
      expect(branches(root)).toEqual(['cleo/T001', `cleo/${two}.2`, 'main', 'precious'])
      expect(git(root, 'show', `refs/cleo/attempts/${replaced.id}:src/open.txt`)).toBe('open')
    }))
})

describe('several works at once', () => {
  test('[TREE-4] receive --all merges a batch with one run of the checks; works that conflict are told apart', () =>
    inRepository(withProject, async (project) => {
      const ids = await addTasks(project, 'Build a', 'Build b', 'Build c', 'Build d')
      const placed = []
      for (const id of ids) placed.push(await place(project, id))
      for (const [i, each] of placed.entries()) {
        await work(each, {
          [`src/${i}.txt`]: `${i}\n`,
          ...(i > 1 && { 'src/a.ts': `export const a = ${i}\n` }),
        })
        expect(await finish(each)).toMatchObject({ ok: true })
      }
      const all = await project.call('orchestrate.receive', { all: true })
      expect(all, 'a refused one decides the exit status').toMatchObject({ ok: true, exit: 23 })
      const { received } = (all as unknown as { value: Awaited<ReturnType<typeof receiveAll>> }).value
      expect(received.map(({ outcome, exit }) => exit ?? outcome)).toEqual([
        'complete',
        'complete',
        'complete',
        23,
      ])
      const again = `cleo respawn ${ids[3]} --ref`
      expect(received[3]!.then).toBe(again)
      expect(await project.must('orchestrate.next', {}), 'next names the same command').toMatchObject({
        task: { id: ids[3] },
        then: again,
      })
      expect(await project.call('orchestrate.receive', { all: true })).not.toHaveProperty('exit')
      expect(received[3]!.why).toContain(`conflicts with ${ids[2]} in src/a.ts`)
      for (const i of [0, 1, 2]) expect(onBranch(project.root, 'cleo/T001', `src/${i}.txt`)).toBe(`${i}`)
      expect(branches(project.root)).toEqual(['cleo/T001', placed[3]!.branch, 'main'])
    }))

  test('[TREE-4] one guilty work of 16 is found with five runs of the checks, and only that one goes back', () =>
    inRepository(
      withProject,
      async (project) => {
        const runs = `${project.root}/.home/runs`
        const script = readFileSync(`${project.root}/check.sh`, 'utf8')
        commit(project.root, 'Count', { 'check.sh': `echo run >> ${runs}\n${script}` })
        const counted = () => readFileSync(runs, 'utf8').split('\n').length - 1
        const [first] = await addTasks(project, 'Build the pair')
        const ids = await addTasks(project, ...Array.from({ length: 16 }, (_, i) => `Build ${i}`))
        const guilty = 10
        const placed = []
        for (const id of ids) placed.push(await place(project, id))
        for (const [i, each] of placed.entries()) {
          await work(each, i === guilty ? { 'src/pair-2.txt': 'right\n' } : { [`src/${i}.txt`]: `${i}\n` })
          expect(await finish(each)).toMatchObject({ ok: true })
        }
        await build(project, first!, { 'src/pair-1.txt': 'left\n' })
        expect(await receive(project, first!)).toMatchObject({ ok: true })
        const before = counted()
        const { received } = await receiveAll(project)
        const refused = received.filter(({ outcome }) => outcome === 'refused')
        expect(refused.map(({ taskId, exit }) => [taskId, exit])).toEqual([[ids[guilty], 24]])
        for (const i of ids.keys())
          expect(onBranch(project.root, 'cleo/T001', `src/${i}.txt`)).toBe(i === guilty ? undefined : `${i}`)
        // The tests ran five times to find the guilty work, once to make sure that it is not flaky, and once for
        // the works after it.
        expect(counted() - before).toBe(5 + 1 + 1)
        expect(branches(project.root)).toEqual(['cleo/T001', placed[guilty]!.branch, 'main'])
      },
      { config: { merge: { batch: 16 } } },
    ))
})
