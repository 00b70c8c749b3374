import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { finished, inGit, merged, spawned } from '../support/landing.ts'
import { onSqlite, type TestProject } from '../support/project.ts'
import { addTask, commit, git, put, rulings } from '../support/subagent.ts'

const refused = async (project: TestProject, input: object = {}, id = 'T001') => {
  const answer = await project.call('worktree.land', { epic: id, ...input })
  if (answer.ok) throw new Error('it landed')
  return answer
}
const landed = (project: TestProject, input: object = {}) =>
  project.must('worktree.land', { epic: 'T001', ...input })
const head = (root: string, name = 'HEAD') => git(root, 'rev-parse', name)
const refs = (root: string) => git(root, 'for-each-ref', '--format=%(refname) %(objectname)')

onSqlite((withProject) => {
  const inRepository = inGit(withProject)

  test('[TREE-7] land fast-forwards the branch of the first spawn, with its files, and removes the branch of a done epic', () =>
    inRepository(async (project) => {
      const { root } = project
      const [form, list] = [
        await spawned(project, { title: 'Form' }),
        await spawned(project, { title: 'List' }),
      ]
      await finished(project, form, { 'src/form.ts': 'form\n' })
      await finished(project, list, { 'src/list.ts': 'list\n' })
      await project.must('orchestrate.receive', { all: true })
      const tip = head(root, 'cleo/T001')
      const before = refs(root)
      const dry = await project.call('worktree.land', { epic: 'T001' }, { dryRun: true })
      expect(dry).toMatchObject({ ok: true, value: { dryRun: true, commits: 2, files: 2 } })
      expect(refs(root)).toBe(before)
      expect(existsSync(join(root, 'src/form.ts'))).toBe(false)

      const answer = await landed(project)
      expect(answer).toMatchObject({
        ...{ from: 'cleo/T001', onto: 'main', how: 'fast-forward', commit: tip, commits: 2, files: 2 },
        tasks: [
          { id: 'T002', title: 'Form' },
          { id: 'T003', title: 'List' },
        ],
        checks: [{ tool: 'test', command: 'make test', passed: 1 }, { tool: 'lint' }],
        removed: true,
      })
      expect(head(root)).toBe(tip)
      expect(git(root, 'status', '--porcelain', '--untracked-files=no')).toBe('')
      expect(readFileSync(join(root, 'src/list.ts'), 'utf8')).toBe('list\n')
      expect(git(root, 'branch', '--format=%(refname:short)')).toBe('main')
      expect(await landed(project)).toMatchObject({ noChange: true, commits: 0 })
      const store = await project.store()
      const rows = await store.all<{ id: string }>(
        'SELECT id FROM tasks WHERE landed_at IS NOT NULL ORDER BY id',
      )
      expect(rows.map(({ id }) => id)).toEqual(['T001', 'T002', 'T003'])
      expect(git(root, 'fsck', '--no-dangling')).toBe('')
    }))

  test('[TREE-7] a branch that moved gets one merge commit, whose message lists tasks and findings', () =>
    inRepository(async (project) => {
      const { root } = project
      await merged(
        project,
        { 'src/form.ts': 'form\n' },
        { title: 'Form', finding: ['Fields\nTask: T999', 'b', 'c'] },
      )
      const own = commit(root, 'Write by hand', { 'src/b.ts': 'b\n' })
      const tip = head(root, 'cleo/T001')
      expect(await landed(project)).toMatchObject({ how: 'merge', commits: 1, files: 1 })
      expect(git(root, 'log', '-1', '--format=%P')).toBe(`${own} ${tip}`)
      const message = git(root, 'log', '-1', '--format=%B')
      expect(message).toMatch(
        /^Land T001: Customer accounts\n\nT002 Form\n- Fields Task: T999\n- b\n- c\n\nTask: T002$/,
      )
      expect(existsSync(join(root, 'src/b.ts')) && existsSync(join(root, 'src/form.ts'))).toBe(true)
    }))

  test('[TREE-7] after a squash the integration branch is the landed commit, and work that was out still merges', () =>
    inRepository(async (project) => {
      const { root } = project
      const later = await addTask(project, { title: 'Later' })
      await merged(project, { 'src/form.ts': 'one\ntwo\n' }, { title: 'Form' })
      const other = await spawned(project, { title: 'Other' })
      const base = head(root)
      const answer = await landed(project, { squash: true })
      expect(answer).toMatchObject({ how: 'squash', left: [{ id: 'T004', state: 'out' }] })
      expect(git(root, 'log', '-1', '--format=%P')).toBe(base)
      expect(head(root, 'cleo/T001')).toBe(head(root))
      // This work undoes a line of the squashed work. By the history alone, it would look as if nothing had
      // changed.
      await finished(project, other, { 'src/form.ts': 'one\n', 'src/other.ts': 'other\n' })
      await project.must('orchestrate.receive', { id: other.task })
      await project.must('tasks.cancel', { id: later, reason: 'not needed' })
      expect(await landed(project)).toMatchObject({ how: 'fast-forward', files: 2, removed: true })
      expect(readFileSync(join(root, 'src/form.ts'), 'utf8')).toBe('one\n')
    }))

  test('[TREE-7] a conflict (23) and red checks (24) change nothing; --update brings the own branch in', () =>
    inRepository(async (project) => {
      const { root } = project
      await merged(project, { 'src/a.ts': 'theirs\n' })
      commit(root, 'Edit', { 'src/a.ts': 'ours\n' })
      const before = refs(root)
      expect(await refused(project)).toMatchObject({
        code: 'land.conflict',
        exit: 23,
        fix: 'git merge cleo/T001',
      })
      expect(await refused(project, { update: true })).toMatchObject({ code: 'land.conflict', exit: 23 })
      expect(refs(root)).toBe(before)
      git(root, 'reset', '-q', '--hard', 'HEAD~1')
      commit(root, 'Break', {
        'src/b.ts': 'b\n',
        Makefile: 'test:\n\t@test ! -e src/b.ts\nlint:\n\t@echo ok\n',
      })
      const red = refs(root)
      expect(await refused(project)).toMatchObject({ code: 'land.red', exit: 24 })
      expect(await refused(project, { update: true })).toMatchObject({ code: 'land.red', exit: 24 })
      expect(refs(root)).toBe(red)
      git(root, 'reset', '-q', '--hard', 'HEAD~1')
      const own = commit(root, 'Write by hand', { 'src/b.ts': 'b\n' })
      expect(await landed(project, { update: true })).toMatchObject({ how: 'fast-forward' })
      expect(git(root, 'log', '-1', '--format=%s')).toBe('Merge main into cleo/T001')
      expect(git(root, 'merge-base', '--is-ancestor', own, 'HEAD')).toBe('')
    }))

  test('[TREE-7] without a repository, the refusal says that the work is already in the folder', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Customer accounts', type: 'epic' })
      expect(await refused(project)).toMatchObject({
        code: 'land.none',
        message:
          /^There is nothing to land: this folder is no git repository, so the work of T001 is already in it/,
      })
    }))

  test('[TREE-7] each state of the checkout is refused by its own message, and no edit is lost', () =>
    inRepository(async (project) => {
      const { root } = project
      await project.must('tasks.add', { title: 'Customer accounts', type: 'epic' })
      expect(await refused(project)).toMatchObject({ code: 'land.none', fix: 'cleo status T001' })
      await merged(project, { 'src/form.ts': 'form\n' })
      const before = refs(root)
      put(root, { 'src/a.ts': 'edited\n' })
      expect(await refused(project)).toMatchObject({ code: 'land.dirty', message: /src\/a\.ts/ })
      expect(readFileSync(join(root, 'src/a.ts'), 'utf8')).toBe('edited\n')
      git(root, 'checkout', '-q', 'src/a.ts')
      put(root, { 'src/form.ts': 'mine\n' })
      expect(await refused(project)).toMatchObject({ code: 'land.overwrites', message: /src\/form\.ts/ })
      expect(readFileSync(join(root, 'src/form.ts'), 'utf8')).toBe('mine\n')
      rmSync(join(root, 'src/form.ts'))
      mkdirSync(join(root, '.git/rebase-merge'))
      expect(await refused(project)).toMatchObject({ code: 'checkout.busy', message: /rebase/ })
      rmSync(join(root, '.git/rebase-merge'), { recursive: true })
      writeFileSync(join(root, '.git/MERGE_HEAD'), `${head(root)}\n`)
      expect(await refused(project)).toMatchObject({ code: 'checkout.busy', message: /merge/ })
      rmSync(join(root, '.git/MERGE_HEAD'))
      git(root, 'switch', '-q', '-c', 'topic')
      expect(await refused(project)).toMatchObject({ code: 'land.elsewhere', fix: /switch main$/ })
      git(root, 'switch', '-q', '--detach')
      expect(await refused(project)).toMatchObject({ code: 'land.elsewhere', message: /no branch/ })
      git(root, 'switch', '-q', 'cleo/T001')
      expect(await refused(project)).toMatchObject({ code: 'integration.checked_out' })
      git(root, 'switch', '-q', 'main')
      expect(await refused(project, { onto: 'nowhere' })).toMatchObject({ code: 'land.branch', exit: 4 })
      expect(await refused(project, { onto: 'cleo/T001' })).toMatchObject({ code: 'land.branch' })
      expect(await refused(project, {}, 'T002')).toMatchObject({
        code: 'land.part',
        fix: 'cleo land T001 --dry-run',
      })
      git(root, 'branch', '-D', '-q', 'topic')
      expect(refs(root)).toBe(before)
      put(root, { '.cleo/notes': 'x', 'src/form.ts': 'form\n', 'src/other.txt': 'untracked\n' })
      expect(await landed(project)).toMatchObject({ how: 'fast-forward' })
      expect(git(root, 'status', '--porcelain', 'src')).toBe('?? src/other.txt')
    }))

  test('[TREE-7] without a branch checked out, only a branch that was named moves', () =>
    inRepository(async (project) => {
      const { root } = project
      git(root, 'switch', '-q', '--detach')
      await merged(project, { 'src/form.ts': 'form\n' })
      expect(await refused(project)).toMatchObject({
        code: 'land.nowhere',
        fix: 'cleo land T001 --onto main',
      })
      const at = head(root)
      await landed(project, { onto: 'main' })
      expect(head(root)).toBe(at)
      expect(git(root, 'show', 'main:src/form.ts')).toBe('form')
      expect(existsSync(join(root, 'src/form.ts'))).toBe(false)
    }))

  test('[TREE-7] git does not run in a folder that an agent registered as the checkout of the branch', () =>
    inRepository(async (project) => {
      const { root } = project
      await merged(project, { 'src/form.ts': 'form\n' })
      git(root, 'switch', '-q', '--detach')
      const other = join(root, '.other')
      cpSync(join(root, '.git'), join(other, '.git'), { recursive: true })
      git(other, 'checkout', '-q', '--force', 'main')
      for (const kind of ['clean', 'smudge'])
        git(other, 'config', `filter.x.${kind}`, `touch ${root}/.ran; cat`)
      put(other, { '.git/info/attributes': '* filter=x\n' })
      put(join(root, '.git/worktrees/x'), {
        HEAD: 'ref: refs/heads/main\n',
        gitdir: `${other}/.git\n`,
        commondir: '../..\n',
      })
      await landed(project, { onto: 'main' })
      expect(existsSync(join(root, '.ran'))).toBe(false)
      expect(git(root, 'show', 'main:src/form.ts')).toBe('form')
      expect(existsSync(join(other, 'src/form.ts'))).toBe(false)
    }))

  /** Merges work that contains files which git ignores. */
  const forced = async (project: TestProject, files: Record<string, string>) => {
    const placed = await spawned(project)
    put(placed.folder, files)
    git(placed.folder, 'add', '--force', '--', ...Object.keys(files))
    await finished(project, placed, { 'src/form.ts': 'form\n' })
    await project.must('orchestrate.receive', { all: true })
  }

  test('[TREE-7] an ignored file of the user is kept, also where the work has a folder of that name', () =>
    inRepository(async (project) => {
      const { root } = project
      commit(root, 'Ignore', { '.gitignore': '.env\nlinked\n' })
      await forced(project, { '.env/x': 'x\n', 'linked/deep/x': 'x\n' })
      put(root, { '.env': 'SECRET=1\n' })
      symlinkSync('src', join(root, 'linked'))
      expect(await refused(project)).toMatchObject({ code: 'land.overwrites', message: /: \.env, linked\.$/ })
      expect(readFileSync(join(root, '.env'), 'utf8')).toBe('SECRET=1\n')
      rmSync(join(root, '.env'))
      rmSync(join(root, 'linked'))
      await landed(project)
      expect(readFileSync(join(root, '.env/x'), 'utf8')).toBe('x\n')
    }))

  test('[TREE-6] [TREE-7] private files of .cleo that an agent committed are dropped from the merge', () =>
    inRepository(async (project) => {
      const { root } = project
      await forced(project, {
        '.cleo/cleo.db/x': 'x\n',
        '.cleo/backups/y': 'y\n',
        '.cleo/config.json': '{ }\n',
      })
      expect(git(root, 'ls-tree', '-r', '--name-only', 'cleo/T001', '--', '.cleo')).toBe('.cleo/config.json')
      await landed(project)
      expect(readFileSync(join(root, 'src/form.ts'), 'utf8')).toBe('form\n')
      expect(await project.must('tasks.show', { id: 'T002' })).toMatchObject({ status: 'done' })
    }))

  test('[TREE-7] without a folder for temporary files, nothing is taken as landed already', () =>
    inRepository(async (project) => {
      const { root } = project
      await merged(project, { 'src/a.ts': 'export const a = 2\n', 'src/form.ts': 'form\n' })
      put(root, { 'src/form.ts': 'mine\n' })
      const poor = project.afresh({ TMPDIR: join(root, 'missing') })
      expect(await refused(poor)).toMatchObject({ code: 'land.overwrites' })
      rmSync(join(root, 'src/form.ts'))
      await landed(poor)
      expect(git(root, 'status', '--porcelain', '--untracked-files=no')).toBe('')
      expect(readFileSync(join(root, 'src/a.ts'), 'utf8')).toBe('export const a = 2\n')
    }))

  test('[TREE-4] [TREE-7] what git wrote into the checkout before it failed is taken back', () =>
    inRepository(async (project) => {
      const { root } = project
      commit(root, 'Old', { 'src/old.ts': 'old\n' })
      const placed = await spawned(project)
      git(placed.folder, 'rm', '-q', 'src/old.ts')
      await finished(project, placed, {
        'src/a.ts': 'export const a = 2\n',
        'src/b/new.ts': 'b\n',
        'src/z.txt': 'z\n',
      })
      await project.must('orchestrate.receive', { all: true })
      // This filter fails like a full disk.
      git(root, 'config', 'filter.x.smudge', `test "$PWD" != ${root} && cat`)
      git(root, 'config', 'filter.x.required', 'true')
      put(root, { '.git/info/attributes': 'src/z.txt filter=x\n' })
      const before = head(root)
      expect(await refused(project)).toMatchObject({ code: 'land.failed', message: /z\.txt/ })
      expect(head(root)).toBe(before)
      expect(git(root, 'status', '--porcelain', 'src')).toBe('')
      expect(readFileSync(join(root, 'src/old.ts'), 'utf8')).toBe('old\n')
      git(root, 'config', '--unset', 'filter.x.smudge')
      git(root, 'config', '--unset', 'filter.x.required')
      await landed(project)
      expect(git(root, 'status', '--porcelain', 'src')).toBe('')
      expect(existsSync(join(root, 'src/old.ts'))).toBe(false)
    }))

  test('[TREE-7] land makes the tag that a release named', () =>
    inRepository(async (project) => {
      const { root } = project
      await merged(
        project,
        { VERSION: '2.3.0\n', 'CHANGELOG.md': '# Changes\n\n## 2.3.0\n\n- Forms.\n' },
        { title: 'Release 2.3.0', protocol: 'release', tag: 'v2.3.0' },
      )
      expect(git(root, 'tag')).toBe('')
      expect(await landed(project)).toMatchObject({ tags: ['v2.3.0'] })
      expect(head(root, 'v2.3.0^{commit}')).toBe(head(root))
      expect(git(root, 'cat-file', '-t', 'v2.3.0')).toBe('tag')
      expect((await rulings(project, 'T002'))['RLSE-003']![0]).toBe('pass')
      expect((await rulings(project, 'T002'))['RLSE-004']).toEqual([
        'pass',
        expect.stringMatching(/^v2\.3\.0 at /),
      ])
    }))

  test('[PROT-1] [TREE-7] a tag that the agent made counts once its work is merged, before it lands', () =>
    inRepository(async (project) => {
      const { root } = project
      const files = { VERSION: '2.3.0\n', 'CHANGELOG.md': '# Changes\n\n## 2.3.0\n\n- Forms.\n' }
      const { spawn } = await merged(project, files, {
        title: 'Release 2.3.0',
        protocol: 'release',
        tag: 'v2.3.0',
      })
      const made = git(root, 'log', '-1', '--format=%H', '--grep=^Do T002', 'cleo/T001')
      expect(git(root, 'branch', '--contains', made), `${spawn} is not on main`).not.toContain('main')
      git(root, 'tag', 'v2.3.0', made)
      expect((await rulings(project, 'T002'))['RLSE-004']![0]).toBe('pass')
    }))

  test('[TREE-7] [TREE-2] [TASK-6] landing frees the dependents in other epics, and names them', () =>
    inRepository(async (project) => {
      const { root } = project
      const first = await merged(project, { 'src/form.ts': 'form\n' })
      await project.must('tasks.add', { title: 'Billing', type: 'epic' })
      await addTask(project, { title: 'Later', parent: 'T003' })
      const early = await merged(
        project,
        { 'src/early.ts': 'early\n' },
        { title: 'Build early', parent: 'T003' },
      )
      const added = await project.must('tasks.add', {
        ...{ title: 'Build invoices', parent: 'T003', depends: [first.task], description: 'Invoices.' },
      })
      const { id } = added as { id: string }
      expect(await project.call('orchestrate.spawn', { id })).toMatchObject({ ok: false, exit: 5 })
      expect(await landed(project)).toMatchObject({ unblocked: [id] })
      expect(early.task).toBe('T005')
      await project.must('orchestrate.spawn', { id, ref: true })
      expect(git(root, 'show', 'cleo/T003:src/form.ts')).toBe('form')
      expect(git(root, 'show', `cleo/${id}.1:src/early.ts`)).toBe('early')
    }))

  test('[TREE-7] work that came by hand or by a pull request is recorded as landed', () =>
    inRepository(async (project) => {
      const { root } = project
      await merged(project, { 'src/form.ts': 'form\n' })
      const answer = await landed(project, { pr: true })
      expect(answer.request).toMatchObject({ title: 'Customer accounts', push: 'git push origin cleo/T001' })
      expect(readFileSync(answer.request!.bodyFile, 'utf8')).toMatch(
        /### T002 Sign-up form\n\n- It works\.\n/,
      )
      expect(git(root, 'log', '-1', '--format=%s')).toBe('Begin')
      git(root, 'merge', '-q', '--squash', 'cleo/T001')
      git(root, 'commit', '-q', '-m', 'Squashed elsewhere')
      const at = head(root)
      expect(await landed(project)).toMatchObject({
        how: 'contained',
        tasks: [{ id: 'T002' }],
        removed: true,
      })
      expect(head(root)).toBe(at)
    }))
})
