import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { finished, inGit, merged, spawned } from '../support/landing.ts'
import { onEveryStore } from '../support/project.ts'
import { addTask, commit, git, put } from '../support/subagent.ts'

onEveryStore((withProject) => {
  const inRepository = inGit(withProject)

  test('[TREE-7] worktree list says where work is: folder, branch, commits, merge state, disk use, quiet', () =>
    inRepository(async (project) => {
      const one = await spawned(project, { title: 'Form' })
      const two = await spawned(project, { title: 'List' })
      commit(one.folder, 'Write', { 'src/form.ts': 'form\n' })
      put(one.folder, { 'src/more.ts': 'more\n' })
      await finished(project, two, { 'src/list.ts': 'list\n' })
      await project.pass(60 * 60_000)
      rmSync(two.folder, { recursive: true })
      const { worktrees, branches, bytes } = await project.must('worktree.list', {})
      expect(worktrees).toMatchObject([
        {
          ...{
            spawn: 'T002.1',
            title: 'Form',
            folder: one.folder,
            branch: 'cleo/T002.1',
            condition: 'there',
          },
          ...{ ahead: 1, uncommitted: 1, merge: 'none' },
        },
        { spawn: 'T003.1', condition: 'missing', ahead: 1, uncommitted: 0, merge: 'pending', bytes: 0 },
      ])
      expect(bytes).toBe(worktrees[0]!.bytes)
      expect(bytes).toBeGreaterThan(0)
      expect(branches).toMatchObject([{ epic: 'T001', branch: 'cleo/T001', onto: 'main' }])
    }))

  test('[TREE-5] remove refuses needed or unsaved work; --discard, by a person, saves it first', () =>
    inRepository(async (project) => {
      const { root } = project
      const { spawn, folder } = await spawned(project)
      expect(await project.call('worktree.remove', { spawn })).toMatchObject({ code: 'worktree.needed' })
      put(folder, { 'src/new.ts': 'precious\n' })
      expect(await project.call('worktree.remove', { spawn })).toMatchObject({
        code: 'worktree.unsaved',
        message: expect.stringMatching(/src\/new\.ts/),
      })
      const agent = project.as('T002.1')
      expect(await agent.call('worktree.remove', { spawn, discard: true })).toMatchObject({ exit: 64 })
      expect(readFileSync(join(folder, 'src/new.ts'), 'utf8')).toBe('precious\n')
      const answer = await project.must('worktree.remove', { spawn, discard: true })
      expect(answer.saved!.ref).toBe('refs/cleo/attempts/T002.1')
      expect(git(root, 'show', 'refs/cleo/attempts/T002.1:src/new.ts')).toBe('precious')
      expect(existsSync(folder)).toBe(false)
      expect(git(root, 'worktree', 'list').split('\n')).toHaveLength(1)
      expect(await project.call('worktree.remove', { spawn })).toMatchObject({
        code: 'worktree.none',
        exit: 4,
      })
    }))

  test('[TREE-5] remove leaves a folder alone that git does not know any more', () =>
    inRepository(async (project) => {
      const { spawn, folder } = await spawned(project)
      rmSync(join(folder, '.git'))
      expect(await project.call('worktree.remove', { spawn, discard: true })).toMatchObject({
        code: 'worktree.strange',
      })
      expect(existsSync(join(folder, 'src/a.ts'))).toBe(true)
    }))

  test('[TREE-7] prune removes what is merged, given up or left over, and keeps unsaved work', () =>
    inRepository(async (project) => {
      const { root } = project
      await addTask(project, { title: 'Later' })
      const out = await spawned(project, { title: 'Out' })
      const gone = await spawned(project, { title: 'Gone' })
      const unsaved = await spawned(project, { title: 'Unsaved' })
      const places = dirname(out.folder)
      put(unsaved.folder, { 'src/new.ts': 'precious\n' })
      commit(gone.folder, 'Write', { 'src/gone.ts': 'gone\n' })
      for (const { task } of [gone, unsaved]) await project.must('tasks.cancel', { id: task, reason: 'no' })
      const there = [gone, unsaved].filter(({ folder }) => existsSync(folder))
      expect(there).toHaveLength(2)
      for (const name of ['T009.1.removed-abc123', 'check-abcdefgh']) mkdirSync(join(places, name))
      writeFileSync(join(places, 'T009.1.lock'), '')
      const old = new Date(0)
      for (const name of ['check-abcdefgh', 'T009.1.lock']) utimesSync(join(places, name), old, old)
      project.clock.now = Date.now() + 3 * 24 * 60 * 60_000
      const dry = await project.call('worktree.prune', {}, { dryRun: true })
      expect(existsSync(gone.folder)).toBe(true)
      const answer = await project.must('worktree.prune', {})
      expect(dry).toMatchObject({ ok: true, value: { removed: answer.removed } })
      expect(answer.removed.map(({ name }) => name)).toEqual([
        gone.spawn,
        `${gone.spawn}.lock`,
        'T009.1.lock',
        'T009.1.removed-abc123',
        'check-abcdefgh',
      ])
      expect(answer.kept).toMatchObject([{ name: unsaved.spawn }])
      expect(readFileSync(join(unsaved.folder, 'src/new.ts'), 'utf8')).toBe('precious\n')
      expect(existsSync(out.folder)).toBe(true)
      expect(git(root, 'show', `refs/cleo/attempts/${gone.spawn}:src/gone.ts`)).toBe('gone')
      await merged(project, { 'src/x.ts': 'x\n' })
      const again = await project.must('worktree.prune', {})
      expect(again.removed.filter(({ name }) => !name.endsWith('.lock'))).toEqual([])
    }))
})
