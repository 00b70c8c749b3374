import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onSqlite, type TestProject, withProject } from '../support/project.ts'
import {
  addTasks,
  branches,
  build,
  commit,
  finish,
  git,
  inRepository,
  onBranch,
  place,
  put,
  receive,
  work,
} from '../support/worktrees.ts'

/** Makes a worktree as an agent client does: it starts from the user's branch and has a branch of its own. */
const clientTree = ({ root }: TestProject, name = 'client'): string => {
  const folder = join(root, '.home', name)
  git(root, 'worktree', 'add', '-q', '-b', name, folder, 'main')
  return folder
}

const adopt = (project: TestProject, id: string, worktree: string) =>
  project.call('orchestrate.spawn', { id, ref: true, worktree })

onSqlite((withProject) => {
  test('[TREE-1] a worktree of a client that is behind is moved forward and adopted', () =>
    inRepository(withProject, async (project) => {
      const [one, two] = await addTasks(project, 'Build one', 'Build two')
      const folder = clientTree(project)
      await build(project, one!, { 'src/one.txt': 'one\n' })
      await receive(project, one!)
      const placed = await place(project, two!, { worktree: folder })
      expect(placed.folder).toBe(folder)
      expect(git(folder, 'branch', '--show-current')).toBe(`cleo/${two}.1`)
      expect(onBranch(project.root, placed.branch, 'src/one.txt'), 'moved forward').toBe('one')
      await work(placed, { 'src/two.txt': 'two\n' })
      expect(await finish(placed)).toMatchObject({ ok: true, value: { merge: 'pending' } })
      expect(await receive(project, two!)).toMatchObject({ ok: true })
      expect(onBranch(project.root, 'cleo/T001', 'src/two.txt')).toBe('two')
      expect(branches(project.root), "the client's own branch stays").toContain('client')
    }))
})

test('[TREE-1] git settings that only this worktree has and a repository inside it start no program', () =>
  inRepository(withProject, async (project) => {
    const { root } = project
    const [one, two] = await addTasks(project, 'Build one', 'Build two')
    const first = clientTree(project, 'first')
    const ran = join(root, 'ran')
    git(first, 'init', '-q', join(first, 'vendor'))
    commit(join(first, 'vendor'), 'Vendor', { 'v.txt': 'v\n' })
    git(first, 'add', 'vendor')
    git(join(first, 'vendor'), 'config', 'filter.x.clean', `touch ${ran}; cat`)
    put(first, { 'vendor/.git/info/attributes': '* filter=x\n', 'vendor/v.txt': 'w\n' })
    expect(await adopt(project, one!, first)).toMatchObject({ ok: false, message: /uncommitted changes/ })
    git(root, 'config', 'extensions.worktreeConfig', 'true')
    const second = clientTree(project, 'second')
    git(second, 'config', '--worktree', 'filter.x.clean', `touch ${ran}; cat`)
    expect(await adopt(project, two!, second)).toMatchObject({ ok: false, message: /can start programs/ })
    expect(existsSync(ran)).toBe(false)
  }))

test("[TREE-1] a worktree with changes, with commits of its own, on the user's branch or of another repository is refused", () =>
  inRepository(withProject, async (project) => {
    const { root } = project
    const [one, two] = await addTasks(project, 'Build one', 'Build two')
    await build(project, one!, { 'src/one.txt': 'one\n' })
    await receive(project, one!)
    const refusals: Record<string, string> = {}
    const refuse = async (what: string, folder: string) => {
      const answer = await adopt(project, two!, folder)
      expect(answer, what).toMatchObject({ ok: false, code: 'worktree.invalid', exit: 63 })
      refusals[what] = answer.ok ? '' : `${answer.message} | ${answer.fix}`.replaceAll(folder, 'DIR')
    }
    const dirty = clientTree(project, 'dirty')
    put(dirty, { 'src/open.txt': 'open\n' })
    await refuse('dirty', dirty)
    const ahead = clientTree(project, 'ahead')
    commit(ahead, 'Own', { 'src/own.txt': 'own\n' })
    await refuse('own commits', ahead)
    git(root, 'switch', '-q', '--detach')
    const users = join(root, '.home', 'users')
    git(root, 'worktree', 'add', '-q', users, 'main')
    await refuse("the user's branch", users)
    const other = join(root, '.home', 'other')
    git(root, 'init', '-q', '-b', 'main', other)
    commit(other, 'Other', { 'a.txt': 'a\n' })
    await refuse('another repository', other)
    const [three] = await addTasks(project, 'Build three')
    const { folder: taken } = await place(project, three!)
    await refuse("another agent's", taken)
    expect(git(taken, 'branch', '--show-current')).toBe(`cleo/${three}.1`)
    expect(refusals).toEqual({
      dirty: 'DIR cannot be adopted as a worktree: it has uncommitted changes. | git -C DIR status',
      'own commits':
        'DIR cannot be adopted as a worktree: it does not contain cleo/T001, and has commits of its own. | git -C DIR merge cleo/T001',
      "the user's branch":
        'DIR cannot be adopted as a worktree: it is on main, which is not a branch of its own. | git -C DIR switch --detach',
      "another agent's":
        'DIR cannot be adopted as a worktree: it is the worktree of T004.1. | cleo worktree list',
      'another repository': `DIR cannot be adopted as a worktree: it is not a git worktree of ${root}. | git -C ${root} worktree list`,
    })
    expect(git(dirty, 'status', '--porcelain'), 'nothing was touched').toContain('src/open.txt')
  }))

test('[TREE-1] adopting can be repeated after a kill in between', () =>
  inRepository(withProject, async (project) => {
    const [one] = await addTasks(project, 'Build one')
    const folder = clientTree(project)
    git(folder, 'switch', '-q', '-c', `cleo/${one}.1`)
    expect(await adopt(project, one!, folder)).toMatchObject({ ok: true })
    expect(git(folder, 'branch', '--show-current')).toBe(`cleo/${one}.1`)
  }))
