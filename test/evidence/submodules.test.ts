import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commitAsTold, gate, gateOf, problemsIn, refused } from '../support/evidence.ts'
import { type TestProject, withProject } from '../support/project.ts'
import { addTask, commit, git, put, repository, send } from '../support/subagent.ts'

const tests = (as: TestProject) => gate(as, 'testsPassed', 'tool:test')

/** Makes a repository with a submodule `vendor/lib`, which has its own submodule `deep`. T002 has a worktree. */
const withSubmodule = (work: (as: TestProject, tree: string) => Promise<void>) =>
  withProject(async (project) => {
    const { root } = project
    repository(root)
    const make = (name: string): string => {
      put(root, { [`.home/${name}/${name}.txt`]: `${name}\n` })
      git(join(root, '.home', name), 'init', '-q', '-b', 'main')
      commit(join(root, '.home', name), 'Begin')
      return join(root, '.home', name)
    }
    const add = (folder: string, from: string, at: string) =>
      git(folder, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', from, at)
    const lib = make('lib')
    add(lib, make('deep'), 'deep')
    commit(lib, 'Deep')
    const tree = join(root, '.home/tree')
    git(root, 'worktree', 'add', '-q', '-b', 'work', tree)
    add(tree, lib, 'vendor/lib')
    git(tree, '-c', 'protocol.file.allow=always', 'submodule', 'update', '-q', '--init', '--recursive')
    commit(tree, 'Library')
    await addTask(project)
    await send(project, 'T002', { worktree: tree })
    await work(project.from(tree).as('T002.1'), tree)
  })

describe('submodules are part of the commit', () => {
  test('[GATE-4] a clean submodule is fine, also one that is not checked out', () =>
    withSubmodule(async (as, tree) => {
      expect(await tests(as)).toMatchObject({ ok: true })
      expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'passed' })
      git(tree, 'submodule', 'deinit', '-q', '-f', 'vendor/lib')
      expect(await tests(as)).toMatchObject({ ok: true })
      put(tree, { 'vendor/lib/x.c': 'x\n' })
      expect(await tests(as)).toMatchObject(refused('vendor/lib (changed)'))
    }))

  test('[GATE-4] changed, new and staged files in a submodule, at any depth', () =>
    withSubmodule(async (as, tree) => {
      put(tree, { 'vendor/lib/lib.txt': 'evil\n', 'vendor/lib/deep/new.txt': 'new\n' })
      const answer = await tests(as)
      expect(answer).toMatchObject(
        refused('vendor/lib/lib.txt (changed)', 'vendor/lib/deep/new.txt (untracked)'),
      )
      expect(commitAsTold(tree, answer)).toContain('cleo verify T002 --gate testsPassed')
      expect(await tests(as)).toMatchObject({ ok: true })
      put(tree, { 'vendor/lib/deep/new.txt': 'newer\n' })
      commitAsTold(tree, await tests(as))
      expect(await tests(as)).toMatchObject({ ok: true })
      git(tree, 'config', 'submodule.vendor/lib.ignore', 'all')
      git(join(tree, 'vendor/lib'), 'update-index', '--assume-unchanged', 'lib.txt')
      put(tree, { 'vendor/lib/lib.txt': 'worse\n' })
      expect(await tests(as)).toMatchObject(refused('vendor/lib/lib.txt (changed)'))
    }))

  test('[GATE-4] another commit in a submodule', () =>
    withSubmodule(async (as, tree) => {
      expect(await tests(as)).toMatchObject({ ok: true })
      commit(join(tree, 'vendor/lib'), 'Secretly', { 'lib.txt': '2\n' })
      git(tree, 'config', 'submodule.vendor/lib.ignore', 'all')
      expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'stale' })
      expect(await tests(as)).toMatchObject(refused('vendor/lib (at another commit)'))
      commit(tree, 'Update the library')
      expect(await tests(as)).toMatchObject({ ok: true })
      expect(await gate(as, 'implemented', 'commit:HEAD;files:vendor/lib/lib.txt')).toMatchObject({
        ok: true,
      })
    }))
})

test('[GATE-4] a git LFS pointer is not the file', () =>
  withSubmodule(async (as, tree) => {
    commit(tree, 'Large', {
      'a.bin': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 9\n`,
    })
    const pointer = 'a.bin is a git LFS pointer, not the file; run git lfs pull'
    expect(problemsIn(await gate(as, 'implemented', 'commit:HEAD;files:a.bin'))).toContain(pointer)
    expect(problemsIn(await gate(as, 'documented', 'files:a.bin'))).toContain(pointer)
  }))
