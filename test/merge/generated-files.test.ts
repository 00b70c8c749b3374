import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inGit, spawned, type Worked } from '../support/landing.ts'
import { onSqlite, type TestProject } from '../support/project.ts'
import { addTask, commit, git, put } from '../support/subagent.ts'

const compiled = {
  '__pycache__/calc.cpython-314.pyc': 'compiled by the agent\n',
  'src/__pycache__/a.cpython-314.pyc': 'compiled by the agent\n',
}
const found = 'generated files are committed: __pycache__/, src/__pycache__/. To take them out of git'

/** Plays an agent that commits everything it finds, and finishes. Returns the answer. */
const finish = async (
  project: TestProject,
  { task, spawn, folder }: Worked,
  files: Record<string, string>,
) => {
  const agent = project.as(spawn).from(folder)
  await agent.must('focus.set', { id: task })
  commit(folder, 'Add sums', files)
  const { path } = await agent.must('output.new', { id: task })
  writeFileSync(path, '# Work\n\n## Summary\n\nIt is done.\n')
  const report = { id: task, finding: ['It works.'], noTests: 'covered by test_sum' }
  return agent.call('tasks.finish', report)
}

const warningsOf = (answer: { warnings?: readonly string[] }): string => (answer.warnings ?? []).join('\n')

onSqlite((withProject) => {
  const inRepository = inGit(withProject)

  test('[GATE-4] generated files in the commits of a spawn are a warning of finish, receive and land, with the commands', () =>
    inRepository(async (project) => {
      const { root } = project
      const worked = await spawned(project)
      const finished = await finish(project, worked, { 'src/calc.py': 'calc\n', ...compiled })
      expect(finished.ok).toBe(true)
      expect(warningsOf(finished).split(found)).toHaveLength(2)
      const received = await project.call('orchestrate.receive', { id: worked.task })
      expect(received.ok && warningsOf(received)).toContain(found)

      put(root, compiled)
      put(root, { '__pycache__/calc.cpython-314.pyc': 'compiled by the user\n' })
      const refused = await project.call('worktree.land', { epic: 'T001' })
      expect(refused).toMatchObject({
        code: 'land.overwrites',
        fix: `git -C ${root} stash push --all -- __pycache__/`,
      })
      expect(JSON.stringify(refused)).not.toMatch(/commit/)
      git(root, 'stash', 'push', '--all', '--', '__pycache__/')
      const landed = await project.call('worktree.land', { epic: 'T001' })
      expect(landed.ok && warningsOf(landed)).toContain(`${found} after landing: `)
      expect(existsSync(join(root, '__pycache__/calc.cpython-314.pyc'))).toBe(true)

      const command = warningsOf(landed).split(' after landing: ')[1]!
      git(root, 'config', 'user.name', 'Ada')
      git(root, 'config', 'user.email', 'ada@example.com')
      execFileSync('sh', ['-c', command], { cwd: root })
      expect(git(root, 'ls-files', '--', '*.pyc')).toBe('')
      expect(readFileSync(join(root, '.gitignore'), 'utf8')).toMatch(/\n__pycache__\/\n$/)
      expect(existsSync(join(root, 'src/__pycache__/a.cpython-314.pyc'))).toBe(true)
      expect(git(root, 'status', '--porcelain', '--', 'src', '__pycache__')).toBe('')
    }))

  test('[GATE-1] [GATE-4] a file that a later commit takes out of git is no evidence, although it stays on the disk', () =>
    inRepository(async (project) => {
      const worked = await spawned(project)
      commit(worked.folder, 'Add everything', compiled)
      git(worked.folder, 'rm', '-r', '-q', '--cached', '--', ...Object.keys(compiled))
      commit(worked.folder, 'Ignore generated files', { '.gitignore': '__pycache__/\n' })
      const finished = await finish(project, worked, { 'src/calc.py': 'calc\n' })
      expect(finished).toMatchObject({ ok: true })
      expect(warningsOf(finished)).toBe('')
      expect(existsSync(join(worked.folder, 'src/__pycache__/a.cpython-314.pyc'))).toBe(true)
    }))

  test('[GATE-4] many generated files are taken out by one short command', () =>
    inRepository(async (project) => {
      const worked = await spawned(project)
      const many = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`p${i}/__pycache__/a.pyc`, 'x\n']))
      const text = warningsOf(await finish(project, worked, many))
      expect(text).toContain('p4/__pycache__/ and 4 more')
      expect(text).toContain("git rm -r -q --cached -- ':(glob)**/__pycache__/**'")
      execFileSync('git', ['rm', '-r', '-q', '--cached', '--', ':(glob)**/__pycache__/**'], {
        cwd: worked.folder,
      })
      expect(git(worked.folder, 'ls-files', '--', '*.pyc')).toBe('')
    }))

  test('[GATE-4] no warning where the project keeps such files in git, or the task declares them', () =>
    inRepository(async (project) => {
      commit(project.root, 'Vendor', { 'node_modules/a/index.js': 'a\n', 'package.json': '{}\n' })
      const worked = await spawned(project)
      expect(warningsOf(await finish(project, worked, { 'node_modules/b/index.js': 'b\n' }))).toBe('')
      commit(project.root, 'Use a bundler', { 'package.json': '{ }\n' })
      const id = await addTask(project, { title: 'Bundle', files: ['dist/**'] })
      const store = await project.store()
      await project.must('orchestrate.spawn', { id, ref: true })
      const row = await store.get<{ folder: string }>(
        'SELECT folder FROM worktrees WHERE spawn = ?',
        `${id}.1`,
      )
      const bundle = { task: id, spawn: `${id}.1`, folder: row!.folder }
      expect(warningsOf(await finish(project, bundle, { 'dist/app.js': 'app\n' }))).toBe('')
    }))

  test('[TREE-7] a file of the user in the way of a landing is put away by the fix, and never to be committed', () =>
    inRepository(async (project) => {
      const { root } = project
      const worked = await spawned(project)
      await finish(project, worked, { 'notes.md': 'of the agent\n' })
      await project.must('orchestrate.receive', { id: worked.task })
      put(root, { 'notes.md': 'mine\n' })
      const refused = await project.call('worktree.land', { epic: 'T001' })
      if (refused.ok) throw new Error('it landed')
      expect(refused).toMatchObject({ fix: `git -C ${root} stash push --all -- notes.md` })
      expect(JSON.stringify(refused)).not.toMatch(/commit/)
      git(root, 'stash', 'push', '--all', '--', 'notes.md')
      await project.must('worktree.land', { epic: 'T001' })
      expect(readFileSync(join(root, 'notes.md'), 'utf8')).toBe('of the agent\n')
      expect(git(root, 'show', 'stash@{0}^3:notes.md')).toBe('mine')
    }))

  test('[TREE-7] land removes the branch of an epic whose tasks were all cancelled, once the epic is closed', () =>
    inRepository(async (project) => {
      const { root } = project
      const { task } = await spawned(project)
      await project.must('tasks.cancel', { id: task, reason: 'not needed' })
      const human = await project.must('orchestrate.status', { epic: 'T001' })
      expect(human).toMatchObject({ why: 'cleo cancel T001 --reason "…"' })
      expect(await project.must('worktree.land', { epic: 'T001' })).toMatchObject({ noChange: true })
      await project.must('tasks.cancel', { id: 'T001', reason: 'not needed' })
      expect(await project.must('worktree.land', { epic: 'T001' })).toMatchObject({ removed: true })
      expect(git(root, 'branch', '--list', 'cleo/T001')).toBe('')
    }))
})
