import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gate, gateOf, refused } from '../support/evidence.ts'
import { type TestProject, withProject } from '../support/project.ts'
import { addTask, commit, git, put, repository, send } from '../support/subagent.ts'

/** Makes a repository with T002 spawned and one commit of work. */
const withWork = (work: (as: TestProject, root: string, project: TestProject) => Promise<void>) =>
  withProject(async (project) => {
    repository(project.root)
    await addTask(project)
    const { as } = await send(project, 'T002')
    commit(project.root, 'Build the form', { 'src/form.ts': 'export const form = 1\n' })
    await work(as, project.root, project)
  })

const implemented = (as: TestProject) => gate(as, 'implemented', 'commit:HEAD;files:src/form.ts')

const edited = refused('not committed in', 'src/form.ts (changed)')
const edit = (root: string) => put(root, { 'src/form.ts': 'export const form = 2\n' })

describe('a git that fails is not the same as no repository', () => {
  test('[GATE-3] git is missing, or is a program inside the project', () =>
    withWork(async (as, root, project) => {
      edit(root)
      mkdirSync(join(root, '.home/empty'), { recursive: true })
      const without = project.afresh({ PATH: join(root, '.home/empty') }).as('T002.1')
      const gitFailed = refused(`git failed in ${root}: it did not start`)
      expect(await gate(without, 'implemented', 'files:src/form.ts')).toMatchObject(
        refused('commit:HEAD together with files:<paths>'),
      )
      expect(await implemented(without)).toMatchObject(gitFailed)
      expect(await gate(without, 'testsPassed', 'tool:test')).toMatchObject(gitFailed)
      // Evidence that needs no git still works.
      expect(await gate(without, 'documented', 'files:src/form.ts')).toMatchObject({ ok: true })
      put(root, { 'bin/git': '#!/bin/sh\n' })
      const own = project.afresh({ PATH: `${root}/bin:/usr/bin:/bin` }).as('T002.1')
      expect(await implemented(own)).toMatchObject(refused('is part of the repository'))
      expect(await implemented(as)).toMatchObject(edited)
    }))

  test('[GATE-4] evidence is stale while git cannot check it', () =>
    withWork(async (as, root, project) => {
      await as.must('verify.gate', { id: 'T002', gate: 'testsPassed', evidence: 'tool:test' })
      const without = project.afresh({ PATH: join(root, 'none') })
      expect(await gateOf(without, 'testsPassed')).toMatchObject({
        state: 'stale',
        why: `git failed in ${root}: it did not start: there is no such program`,
      })
      put(root, { '.git/config': 'not a configuration' })
      expect(await gateOf(as, 'testsPassed')).toMatchObject({
        why: expect.stringContaining('exited with 128'),
      })
    }))

  test('[GATE-3] the repository was moved away', () =>
    withWork(async (as, root) => {
      edit(root)
      renameSync(join(root, '.git'), join(root, 'away'))
      const lost = refused(`T002.1 was spawned in a git repository, but ${root} is not in one now`)
      expect(await gate(as, 'implemented', 'files:src/form.ts')).toMatchObject(refused('commit:HEAD'))
      expect(await implemented(as)).toMatchObject(lost)
      expect(await gate(as, 'testsPassed', 'tool:test')).toMatchObject(lost)
    }))

  test('[GATE-3] settings and variables that point to another folder are ignored', () =>
    withWork(async (_, root, project) => {
      edit(root)
      const elsewhere = join(root, '.home/elsewhere')
      mkdirSync(elsewhere, { recursive: true })
      git(elsewhere, 'init', '-q')
      git(root, 'config', 'core.worktree', elsewhere)
      const as = project.afresh({ GIT_DIR: join(elsewhere, '.git'), GIT_WORK_TREE: elsewhere }).as('T002.1')
      expect(await implemented(as)).toMatchObject(edited)
      expect(await gate(as, 'testsPassed', 'tool:test')).toMatchObject(edited)
      put(root, { 'src/form.ts': 'export const form = 1\n' })
      expect(await implemented(as)).toMatchObject({ ok: true })
      expect(await gate(as, 'testsPassed', 'tool:test')).toMatchObject({ ok: true })
      edit(root)
      expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'stale' })
    }))
})

describe('files are compared by their bytes', () => {
  test('[GATE-3] a git filter does not run and cannot hide a change', () =>
    withWork(async (as, root) => {
      const trap = `sh -c 'echo ran >> ${root}/.home/trapped; git show HEAD:src/form.ts'`
      git(root, 'config', 'filter.trap.clean', trap)
      git(root, 'config', 'filter.trap.process', trap)
      put(root, { '.git/info/attributes': '* filter=trap\n' })
      edit(root)
      expect(await implemented(as)).toMatchObject(edited)
      expect(await gate(as, 'testsPassed', 'tool:test')).toMatchObject(edited)
      put(root, { 'src/form.ts': 'export const form = 1\n' })
      expect(await gate(as, 'testsPassed', 'tool:test')).toMatchObject({ ok: true })
      put(root, { 'src/form.ts': 'export const form = 3\n' })
      expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'stale' })
      await as.call('orchestrate.validate', { id: 'T002' })
      expect(existsSync(join(root, '.home/trapped'))).toBe(false)
    }))

  test('[GATE-3] nothing is fetched for a missing commit', () =>
    withWork(async (as, root) => {
      const url = `ext::sh -c touch% ${root}/.home/trapped`
      git(root, 'config', 'extensions.partialClone', 'origin')
      git(root, 'config', 'remote.origin.promisor', 'true')
      git(root, 'config', 'remote.origin.url', url)
      git(root, 'config', 'protocol.ext.allow', 'always')
      const missing = 'commit:1234567890123456789012345678901234567890;files:src/form.ts'
      expect(await gate(as, 'implemented', missing)).toMatchObject({ exit: 41 })
      expect(existsSync(join(root, '.home/trapped'))).toBe(false)
    }))

  test('[GATE-3] a file that git was told to ignore, or a replaced commit', () =>
    withWork(async (as, root) => {
      git(root, 'update-index', '--assume-unchanged', 'src/form.ts')
      edit(root)
      expect(await implemented(as)).toMatchObject(edited)
      git(root, 'update-index', '--no-assume-unchanged', 'src/form.ts')
      const head = git(root, 'rev-parse', 'HEAD')
      const other = commit(root, 'Later', { 'src/form.ts': 'export const form = 2\n' })
      git(root, 'reset', '-q', '--soft', head)
      git(root, 'replace', head, other)
      expect(await implemented(as)).toMatchObject(refused('src/form.ts (staged)'))
    }))

  test('[GATE-4] a change with the same size and time', () =>
    withWork(async (as, root) => {
      const path = join(root, 'src/form.ts')
      const { atime, mtime } = statSync(path)
      git(root, 'config', 'core.trustctime', 'false')
      git(root, 'config', 'core.checkStat', 'minimal')
      await as.must('verify.gate', { id: 'T002', gate: 'testsPassed', evidence: 'tool:test' })
      edit(root)
      utimesSync(path, atime, mtime)
      expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'stale' })
    }))

  test('[GATE-4] a repository inside the folder is not part of the commit', () =>
    withWork(async (as, root) => {
      put(root, { 'lib/x.ts': '1\n' })
      git(join(root, 'lib'), 'init', '-q')
      const answer = await gate(as, 'testsPassed', 'tool:test')
      expect(answer).toMatchObject(refused('lib/ (a repository)'))
      expect(answer).not.toHaveProperty('fix')
    }))

  test('[GATE-3] LFS pointers and other line endings count as the same file', () =>
    withWork(async (as, root) => {
      const large = 'large\n'
      const oid = createHash('sha256').update(large).digest('hex')
      commit(root, 'Large', {
        'a.bin': `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${large.length}\n`,
      })
      put(root, { 'a.bin': large, 'src/form.ts': 'export const form = 1\r\n' })
      expect(await gate(as, 'implemented', 'commit:HEAD;files:a.bin,src/form.ts')).toMatchObject({ ok: true })
      put(root, { 'a.bin': 'other\n' })
      expect(await gate(as, 'implemented', 'commit:HEAD;files:a.bin')).toMatchObject(
        refused('a.bin (changed)'),
      )
    }))
})
