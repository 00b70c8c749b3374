import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { ProcessResult } from '../../src/host/host.ts'
import { nodeHost } from '../../src/host/node-host.ts'
import { onEveryStore, type TestProject, withProject } from '../support/project.ts'
import {
  addTasks,
  branches,
  build,
  commit,
  finish,
  git,
  inRepository,
  isSound,
  onBranch,
  place,
  receive,
  taskRow,
  work,
} from '../support/worktrees.ts'

/** Makes the project's tests wait while `hold` exists, and write a line to `runs` at each start. */
const holdTests = ({ root }: TestProject): { hold: string; runs: () => number } => {
  const hold = join(root, '.home', 'hold')
  const runs = join(root, '.home', 'runs')
  writeFileSync(runs, '')
  commit(root, 'Tests that wait', {
    'check.sh': `echo run >> ${runs}\nwhile [ -e ${hold} ]; do sleep 0.05; done\necho "1 passed"\n`,
  })
  return { hold, runs: () => readFileSync(runs, 'utf8').split('\n').length - 1 }
}

/**
 * Returns two programs that merge at the same time. Both make the same commit, as can happen within one second, and
 * both are about to move the branch. Then the first program moves it, and waits until the second has ended.
 */
const inStep = (project: TestProject) => {
  const { processes } = nodeHost()
  const made = new Map<string, ProcessResult>()
  const [aboutToMove, moved, ended] = [
    [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const,
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ]
  const programOf = (isFirst: boolean): TestProject => {
    const run: typeof processes.run = async (program, args, options) => {
      if (args.includes('commit-tree')) {
        const key = JSON.stringify([args, options.input, options.env])
        if (!made.has(key)) made.set(key, await processes.run(program, args, options))
        return made.get(key)!
      }
      if (!args.includes('update-ref') || !args.includes('refs/heads/cleo/T001'))
        return processes.run(program, args, options)
      aboutToMove[isFirst ? 0 : 1].resolve()
      await aboutToMove[isFirst ? 1 : 0].promise
      if (!isFirst) await moved.promise
      const result = await processes.run(program, args, options)
      moved.resolve()
      if (isFirst) await ended.promise
      return result
    }
    return project.afresh({ PATH: process.env['PATH'] ?? '' }, { processes: { ...processes, run } })
  }
  return {
    first: { project: programOf(true) },
    second: { project: programOf(false), ended: () => ended.resolve() },
  }
}

onEveryStore((withProject, store) => {
  test(`[TREE-4] two receives at once: both works are merged, the later one on top of the other (${store})`, () =>
    inRepository(withProject, async (project) => {
      const { hold, runs } = holdTests(project)
      const [one, two, three] = await addTasks(project, 'Build one', 'Build two', 'Build three')
      const late = await place(project, two!)
      await build(project, one!, { 'src/one.txt': 'one\n' })
      expect(await receive(project, one!)).toMatchObject({ ok: true })
      await work(late, { 'src/two.txt': 'two\n' })
      expect(await finish(late)).toMatchObject({ ok: true })
      // This work is proved at the tip, so its merge runs no tests and does not wait.
      await build(project, three!, { 'src/three.txt': 'three\n' })
      const before = runs()
      writeFileSync(hold, '')
      const waiting = receive(project, two!)
      while (runs() === before) await pause(20)
      const other = project.afresh({ PATH: process.env['PATH'] ?? '' })
      expect(await receive(other, three!), 'nobody waits while one merges').toMatchObject({ ok: true })
      rmSync(hold)
      expect(await waiting).toMatchObject({ ok: true, value: { merge: { commits: 1 } } })
      for (const name of ['one', 'two', 'three'])
        expect(onBranch(project.root, 'cleo/T001', `src/${name}.txt`), 'no merge was lost').toBe(name)
      expect(runs() - before, 'checked again on top of the other').toBe(2)
      expect(branches(project.root)).toEqual(['cleo/T001', 'main'])
      isSound(project.root)
    }))

  test('[TREE-4] two receives of the same task at once make the same commit and merge it once', () =>
    inRepository(withProject, async (project) => {
      const [one] = await addTasks(project, 'Build one')
      await build(project, one!, { 'src/one.txt': 'one\n' })
      const { first, second } = inStep(project)
      const slow = receive(first.project, one!)
      const quick = receive(second.project, one!).finally(second.ended)
      for (const answer of await Promise.all([slow, quick]))
        expect(answer, JSON.stringify(answer)).toMatchObject({ ok: true })
      expect(await taskRow(project, one!)).toMatchObject({ merge: 'merged' })
      expect(git(project.root, 'log', '--format=%s', '--first-parent', 'main..cleo/T001')).toBe(
        'Merge T002.1: Build one',
      )
      expect(branches(project.root)).toEqual(['cleo/T001', 'main'])
    }))
})

describe('a process that was killed', () => {
  /** Undoes the record of the last move, as if the process had been killed right after it moved the branch. */
  const forget = async (project: TestProject, task: string): Promise<void> => {
    const store = await project.store()
    await store.tx(async (db) => {
      await db.run("UPDATE merges SET state = 'moving' WHERE state = 'merged' AND task = ?", task)
      await db.run('UPDATE integrations SET tip = (SELECT base FROM merges WHERE task = ?)', task)
      await db.run("UPDATE tasks SET merge = 'pending' WHERE id = ?", task)
    })
  }

  test('[TREE-4] after the branch was moved: the next receive records it, and merges nothing twice', () =>
    inRepository(withProject, async (project) => {
      const [one, two] = await addTasks(project, 'Build one', 'Build two')
      const second = await place(project, two!)
      await build(project, one!, { 'src/one.txt': 'one\n' })
      await receive(project, one!)
      const tip = git(project.root, 'rev-parse', 'cleo/T001')
      await forget(project, one!)
      await work(second, { 'src/two.txt': 'two\n' })
      expect(await finish(second)).toMatchObject({ ok: true })
      expect(await receive(project, two!), 'of another task').toMatchObject({ ok: true })
      expect(await taskRow(project, one!)).toMatchObject({ merge: 'merged' })
      expect(git(project.root, 'rev-parse', 'cleo/T001^1')).toBe(tip)
    }))

  test('[TREE-4] after the branch was moved: the next spawn starts from there', () =>
    inRepository(withProject, async (project) => {
      const [one, two] = await addTasks(project, 'Build one', 'Build two')
      await build(project, one!, { 'src/one.txt': 'one\n' })
      await receive(project, one!)
      await forget(project, one!)
      const placed = await place(project, two!)
      expect(existsSync(join(placed.folder, 'src/one.txt'))).toBe(true)
      expect(await taskRow(project, one!)).toMatchObject({ merge: 'merged' })
    }))
})
