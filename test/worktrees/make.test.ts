import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeHost } from '../../src/host/node-host.ts'
import { onEveryStore, type TestProject, withProject } from '../support/project.ts'
import { addTask, send } from '../support/subagent.ts'
import {
  addTasks,
  branches,
  build,
  commit,
  finish,
  git,
  inRepository,
  leftovers,
  place,
  receive,
  rowOf,
  work,
} from '../support/worktrees.ts'

onEveryStore((withProject) => {
  test('[TREE-1] a spawn that may change code gets a branch and a worktree outside the checkout', () =>
    inRepository(withProject, async (project) => {
      const [one, two] = await addTasks(project, 'Build one', 'Build two')
      const placed = await place(project, one!)
      expect(placed.branch).toBe(`cleo/${one}.1`)
      expect(placed.folder).toMatch(/\.local\/state\/cleo\/[^/]+\/worktrees\/T002\.1$/)
      expect(git(placed.folder, 'branch', '--show-current')).toBe(placed.branch)
      expect(git(project.root, 'worktree', 'list', '--porcelain')).toContain('locked cleo')
      expect(git(project.root, 'branch', '--show-current'), "the user's branch").toBe('main')
      expect(branches(project.root)).toEqual(['cleo/T001', placed.branch, 'main'])
      const outputs = join(placed.folder, 'claudedocs/agent-outputs')
      expect(readFileSync(join(outputs, '.gitignore'), 'utf8')).toBe('*\n')
      expect(git(placed.folder, 'status', '--porcelain'), 'the output folder is hidden').toBe('')
      const prompt = readFileSync(join(project.root, `.cleo/spawns/${placed.id}.md`), 'utf8')
      expect(prompt).toContain(`Work in  ${placed.folder}`)
      expect(prompt).toContain(outputs)
      const other = await place(project, two!)
      const slots = [(await rowOf(project, placed.id))!.slot, (await rowOf(project, other.id))!.slot]
      expect(slots).toEqual([1, 2])
    }))

  test('[TREE-2] a dry run makes no branch, and the spawn after it works', () =>
    inRepository(withProject, async (project) => {
      const [one] = await addTasks(project, 'Build one')
      const dry = await project.call('orchestrate.spawn', { id: one! }, { dryRun: true })
      expect(dry.ok).toBe(true)
      expect(branches(project.root)).toEqual(['main'])
      expect((await place(project, one!)).branch).toBe(`cleo/${one}.1`)
    }))

  test('[TREE-1] the same spawn, not started, is given back with the same bytes and the same worktree', () =>
    inRepository(withProject, async (project) => {
      const [one] = await addTasks(project, 'Build one')
      const spawn = () => project.must('orchestrate.spawn', { id: one!, prompt: true })
      const first = await spawn()
      const second = await spawn()
      expect(second).toEqual(first)
      expect((await rowOf(project, `${one}.1`))!.state).toBe('there')
      expect(await rowOf(project, `${one}.2`)).toBeUndefined()
      expect(branches(project.root)).toEqual(['cleo/T001', `cleo/${one}.1`, 'main'])
    }))
})

describe('where a spawn works', () => {
  const research = { here: false, protocol: 'research' }

  test('[TREE-1] research works in the checkout until that lacks merged work, then in a worktree without a branch', () =>
    inRepository(withProject, async (project) => {
      const [one, two, three] = await addTasks(project, 'Build one', 'Compare', 'Compare more')
      await send(project, two!, research)
      expect(await rowOf(project, `${two}.1`), 'nothing is merged yet').toBeUndefined()
      await build(project, one!, { 'src/one.txt': 'one\n' })
      await receive(project, one!)
      const { id } = await send(project, three!, research)
      const row = (await rowOf(project, id))!
      expect(row).toMatchObject({ branch: null, state: 'there' })
      expect(existsSync(join(row.folder, 'src/one.txt')), 'it sees the merged work').toBe(true)
      expect(git(row.folder, 'branch', '--show-current')).toBe('')

      const as = project.from(row.folder).as(id)
      const placed = { id, task: three!, as, folder: row.folder, branch: '' }
      const output = await work(placed, {})
      expect(output.startsWith(row.folder)).toBe(true)
      const finding = ['One.', 'Two.', 'Three.']
      expect(await as.call('tasks.finish', { id: three!, finding })).toMatchObject({ ok: true })
      expect(await receive(project, three!)).toMatchObject({ ok: true, value: { outcome: 'complete' } })
      const name = output.slice(output.lastIndexOf('/') + 1)
      const brought = join(project.root, 'claudedocs/agent-outputs', name)
      expect(readFileSync(brought, 'utf8'), 'its output is in the project').toContain('It is done.')
      expect(leftovers(project, row.folder), 'its worktree is gone').toEqual({ folders: [], known: 0 })
    }))

  test('[TREE-1] --here and worktrees.by: none work in the checkout', async () => {
    await inRepository(withProject, async (project) => {
      const [one] = await addTasks(project, 'Build one')
      await send(project, one!, { here: true })
      expect(await rowOf(project, `${one}.1`)).toBeUndefined()
      expect(branches(project.root)).toEqual(['main'])
    })
    await inRepository(
      withProject,
      async (project) => {
        const [one] = await addTasks(project, 'Build one')
        await send(project, one!)
        expect(branches(project.root)).toEqual(['main'])
      },
      { config: { worktrees: { by: 'none' } } },
    )
  })

  test('[TREE-1] without git, without a commit, or where git tracks none of it, the folder is shared, with a warning', () =>
    withProject(async (project) => {
      const spawnWarnings = async (title: string) => {
        const id = await addTask(project, { title })
        const answer = await project.call('orchestrate.spawn', { id, ref: true })
        expect(answer).toMatchObject({ ok: true })
        return JSON.stringify(answer)
      }
      expect(await spawnWarnings('Build one')).toContain('there is no git repository, so the agent shares')
      git(project.root, 'init', '-q', '-b', 'main')
      expect(await spawnWarnings('Build two')).toContain('the repository has no commit yet, so the agent')
    }))

  test('[TREE-1] a project that its git repository does not track gets no worktrees of that', () =>
    withProject(async (project) => {
      const above = join(project.root, '..')
      expect(existsSync(join(above, '.git'))).toBe(false)
      const inner = join(project.root, 'inner')
      git(project.root, 'init', '-q', '-b', 'main')
      commit(project.root, 'Dotfiles', { '.gitignore': '*\n!.gitignore\n' })
      mkdirSync(inner)
      const { whyNoWorktrees } = await import('../../src/worktrees/shared-folder.ts')
      const why = await whyNoWorktrees({ host: nodeHost(), root: inner })
      expect(why).toBe(`the repository of ${project.root} tracks no file of this project`)
    }))
})

describe('what a killed process left', () => {
  test('[TREE-4] a worktree that was begun is saved and made again', () =>
    inRepository(withProject, async (project) => {
      const [one] = await addTasks(project, 'Build one')
      const placed = await place(project, one!)
      commit(placed.folder, 'Begun', { 'src/begun.txt': 'begun\n' })
      // Change the rows as if the process had been killed before it recorded the spawn.
      const store = await project.store()
      await store.tx(async (db) => {
        await db.run('DELETE FROM spawns WHERE id = ?', placed.id)
        await db.run("UPDATE worktrees SET state = 'making' WHERE spawn = ?", placed.id)
        await db.run('UPDATE tasks SET attempt_out = 0 WHERE id = ?', one!)
      })
      const again = await place(project, one!)
      expect(again.folder).toBe(placed.folder)
      expect(existsSync(join(again.folder, 'src/begun.txt'))).toBe(false)
      expect(git(project.root, 'show', `refs/cleo/attempts/${placed.id}:src/begun.txt`)).toBe('begun')
    }))
})

/**
 * Plays another git that is just creating a worktree. `begin` writes the incomplete record of that worktree, and
 * the record makes the next `git worktree` command fail. `failures` counts these failures.
 */
const besideAnotherGit = (project: TestProject) => {
  const { processes } = nodeHost()
  const record = join(project.root, '.git', 'worktrees', 'other')
  let failures = 0
  const run: typeof processes.run = async (program, args, options) => {
    const ran = await processes.run(program, args, options)
    if (args.includes('worktree') && ran.end === 'exited' && ran.code !== 0) {
      failures++
      rmSync(record, { recursive: true, force: true })
    }
    return ran
  }
  return {
    project: project.afresh({ PATH: process.env['PATH'] ?? '' }, { processes: { ...processes, run } }),
    begin: () => {
      mkdirSync(record, { recursive: true })
      writeFileSync(join(record, 'gitdir'), join(project.root, '.home', 'other', '.git'))
      writeFileSync(join(record, 'commondir'), '')
    },
    failures: () => failures,
  }
}

test('[TREE-1] [TREE-4] spawn and receive go on if another git is just making a worktree', () =>
  inRepository(withProject, async (made) => {
    const { project, begin, failures } = besideAnotherGit(made)
    const [one, two] = await addTasks(project, 'Build one', 'Build two')
    begin()
    const placed = await place(project, one!)
    expect(failures(), 'git failed in spawn').toBe(1)
    expect(git(placed.folder, 'branch', '--show-current')).toBe(placed.branch)
    await build(project, two!, { 'src/two.txt': 'two\n' })
    expect(await receive(project, two!)).toMatchObject({ ok: true })
    await work(placed, { 'src/one.txt': 'one\n' })
    expect(await finish(placed)).toMatchObject({ ok: true })
    begin()
    expect(await receive(project, one!)).toMatchObject({ ok: true, value: { merge: { commits: 1 } } })
    expect(failures(), 'git failed in the checks of receive').toBe(2)
    expect(branches(project.root)).toEqual(['cleo/T001', 'main'])
    expect(leftovers(project, placed.folder)).toEqual({ folders: [], known: 0 })
  }))
