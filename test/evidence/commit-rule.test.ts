import { chmodSync, existsSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commitAsTold, gate, gateOf, problemsIn, refused, withWorktree } from '../support/evidence.ts'
import { type TestProject, withProject } from '../support/project.ts'
import { addTask, commit, git, handIn, put, repository, send } from '../support/subagent.ts'

const implemented = (as: TestProject, files = 'src/form.ts') =>
  gate(as, 'implemented', `commit:HEAD;files:${files}`)
const tests = (as: TestProject) => gate(as, 'testsPassed', 'tool:test')

describe('the files must be those of HEAD', () => {
  test('[GATE-4] lists untracked, changed, deleted and staged files; its fix commits them', () =>
    withWorktree(async ({ as, tree }) => {
      commit(tree, 'More', { 'src/b.ts': 'b\n', 'src/staged.ts': '1\n' })
      put(tree, { 'src/new.ts': 'new\n', 'src/form.ts': 'export const form = 2\n', 'src/staged.ts': '2\n' })
      rmSync(join(tree, 'src/b.ts'))
      git(tree, 'add', 'src/staged.ts')
      const all = refused(
        `not committed in ${tree} at `,
        'src/b.ts (deleted), src/form.ts (changed), src/staged.ts (staged), src/new.ts (untracked)',
      )
      expect(await tests(as), 'untested by a clone').toMatchObject(all)
      expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'unset' })
      const answer = await implemented(as)
      expect(answer).toMatchObject(all)
      expect(commitAsTold(tree, answer)).toBe(
        'cleo verify T002 --gate implemented --evidence "commit:HEAD;files:src/form.ts" --as T002.1',
      )
      expect(git(tree, 'status', '--porcelain')).toBe('')
      expect(await implemented(as)).toMatchObject({ ok: true })
      expect(await tests(as)).toMatchObject({ ok: true })
    }))

  test('[GATE-4] many names are counted', () =>
    withWorktree(async ({ as, tree }) => {
      put(tree, Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`src/n${i}.ts`, 'x\n'])))
      const answer = await tests(as)
      expect(answer).toMatchObject(refused('src/n0.ts (untracked)', 'and 5 more'))
      commitAsTold(tree, answer)
      expect(await tests(as)).toMatchObject({ ok: true })
    }))

  test('[GATE-4] a commit as evidence of a criterion needs it too; files alone do not', () =>
    withWorktree(async ({ as, tree }) => {
      put(tree, { 'src/new.ts': 'new\n' })
      const evidence = (evidence: string) =>
        as.call('verify.criterion', { id: 'T002', criterion: 1, evidence })
      expect(await evidence('commit:HEAD')).toMatchObject(refused('src/new.ts (untracked)'))
      expect(await evidence('tool:test')).toMatchObject(refused('src/new.ts (untracked)'))
      expect(await evidence('files:src/form.ts')).toMatchObject({ ok: true })
    }))

  test('[GATE-4] ignored files, outputs and the manifest do not count; where outputs are cannot be changed later', () =>
    withWorktree(async ({ as, tree }, project) => {
      put(tree, {
        'claudedocs/agent-outputs/T002-form.md': 'x',
        'claudedocs/agent-outputs/MANIFEST.jsonl': '',
        '.home/ignored.txt': 'x',
      })
      expect(await tests(as)).toMatchObject({ ok: true })
      put(tree, { 'src/new.ts': 'new\n' })
      put(project.root, { '.cleo/config.json': JSON.stringify({ output: { dir: 'src' } }) })
      const later = project.afresh().from(tree).as('T002.1')
      expect(await tests(later)).toMatchObject(refused('src/new.ts (untracked)'))
    }))

  test('[GATE-4] tracked source in an output folder must be committed; documents and the manifest may differ', () =>
    withWorktree(
      async ({ as, tree }) => {
        put(tree, { 'test/notes.md': 'more\n', 'test/M.jsonl': '\n', 'test/T002-form.txt': 'x\n' })
        expect(await tests(as)).toMatchObject({ ok: true })
        put(tree, { 'test/t.js': 'process.exit(0)\n' })
        expect(await tests(as)).toMatchObject(refused('test/t.js (changed)'))
        expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'stale' })
      },
      {
        config: { output: { dir: 'test' }, manifest: { path: 'test/M.jsonl' } },
        files: { 'test/t.js': 'process.exit(1)\n', 'test/notes.md': 'x\n', 'test/M.jsonl': '' },
      },
    ))

  test('[GATE-4] an ignored file is not the work', () =>
    withWorktree(async ({ as, tree }) => {
      commit(tree, 'Ignore', { '.gitignore': '.home/\ndist/\n' })
      put(tree, { 'dist/a.js': 'x\n' })
      expect(problemsIn(await implemented(as, 'dist/a.js'))).toContain(
        'dist/a.js is not committed, because git ignores it',
      )
    }))

  test('[GATE-4] a mode that is not committed', () =>
    withWorktree(async ({ as, tree }) => {
      chmodSync(join(tree, 'src/form.ts'), 0o755)
      expect(await tests(as)).toMatchObject(refused('src/form.ts (changed)'))
      git(tree, 'update-index', '--assume-unchanged', 'src/form.ts')
      expect(await tests(as)).toMatchObject(refused('src/form.ts (changed)'))
    }))

  test('[GATE-4] gates.byproducts names files, folders and globs that need no commit', () =>
    withWorktree(
      async ({ as, tree }) => {
        put(tree, { 'junit.xml': 'x', 'coverage/a/b.html': 'x', 'test/__snapshots__/a.snap': 'x' })
        expect(await tests(as)).toMatchObject({ ok: true })
        put(tree, { 'coverage.txt': 'x' })
        expect(await tests(as)).toMatchObject(refused('not committed', 'coverage.txt (untracked)'))
      },
      { config: { gates: { byproducts: ['junit.xml', 'coverage/', '**/*.snap'] } } },
    ))

  test('[GATE-4] what tools leave behind is no work, and source beside it is', () =>
    withWorktree(async ({ as, tree }) => {
      commit(tree, 'A crate\n\nTask: T002', { 'crate/Cargo.toml': '[package]\n' })
      put(tree, { 'src/__pycache__/a.cpython-312.pyc': 'x', '.pytest_cache/v/cache/nodeids': '[]' })
      put(tree, { '.mypy_cache/3.12/a.json': 'x', '.ruff_cache/0.1/a': 'x', '.nyc_output/a.json': '{}' })
      put(tree, {
        'coverage/lcov.info': 'x',
        'coverage/lcov-report/sorter.js': 'x',
        'tsconfig.tsbuildinfo': 'x',
      })
      put(tree, { 'crate/target/debug/calc.d': 'x', 'src/.DS_Store': 'x' })
      expect(await tests(as)).toMatchObject({ ok: true })
      // Paths that look like those of caches, although programs load source code from them.
      const caches = ['.pytest_cache/a.js', '.nyc_output/b.cjs', '.mypy_cache/c.py']
      const sources = [...caches, 'coverage/helper.js', 'src/__pycache__/a.py', 'src/a.pyc', 'target/a.d']
      // The name of a property that every object has.
      sources.push('src/constructor/a.md')
      for (const path of sources) {
        put(tree, { [path]: 'x' })
        expect(await tests(as)).toMatchObject(refused('not committed', `${path} (untracked)`))
        rmSync(join(tree, path))
      }
      commit(tree, 'A tracked one\n\nTask: T002', { 'src/__pycache__/b.pyc': 'x' })
      put(tree, { 'src/__pycache__/b.pyc': 'y' })
      expect(await tests(as)).toMatchObject(refused('not committed', 'src/__pycache__/b.pyc (changed)'))
    }))

  test('[GATE-4] untracked node_modules and the like belong in .gitignore, and the fix puts them there', () =>
    withWorktree(async ({ as, tree }) => {
      rmSync(join(tree, '.gitignore'))
      commit(tree, 'A .gitignore without a last line break', { '.gitignore': 'dist' })
      put(tree, { 'node_modules/a/index.js': 'x', 'node_modules/b.js': 'x', '.venv/bin/python': 'x' })
      put(tree, { 'src/new.ts': 'new\n' })
      const answer = await tests(as)
      expect(answer).toMatchObject(
        refused(
          '.venv/ (untracked), node_modules/ (untracked), src/new.ts (untracked).',
          'add .venv/ and node_modules/ to .gitignore',
        ),
      )
      expect(commitAsTold(tree, answer)).toBe(
        'cleo verify T002 --gate testsPassed --evidence "tool:test" --as T002.1',
      )
      expect(git(tree, 'show', '--format=', '--name-only', 'HEAD')).toBe('.gitignore\nsrc/new.ts')
      expect(readFileSync(join(tree, '.gitignore'), 'utf8')).toBe('dist\n.venv/\nnode_modules/\n')
      expect(await tests(as)).toMatchObject({ ok: true })
    }))

  test('[GATE-4] complete checks again', () =>
    withWorktree(
      async ({ as, tree, ...sent }) => {
        await handIn({ ...sent, as })
        await implemented(as)
        await tests(as)
        await gate(as, 'qaPassed', 'tool:lint')
        put(tree, { 'src/new.ts': 'new\n' })
        const late = await as.call('tasks.complete', { id: 'T002' })
        expect(late).toMatchObject({
          code: 'evidence.stale',
          exit: 46,
          problems: [
            { path: 'implemented', message: 'stale: src/new.ts not committed' },
            { path: 'testsPassed', message: 'stale: src/new.ts changed after the run' },
            { path: 'qaPassed' },
          ],
        })
        rmSync(join(tree, 'src/new.ts'))
        expect(await as.call('tasks.complete', { id: 'T002' })).toMatchObject({ ok: true })
      },
      { task: { acceptance: [] } },
    ))
})

describe('what git is told cannot hide a change', () => {
  test('[GATE-4] assume-unchanged and skip-worktree', () =>
    withWorktree(async ({ as, tree }) => {
      git(tree, 'update-index', '--assume-unchanged', 'src/a.ts')
      git(tree, 'update-index', '--skip-worktree', 'Makefile')
      expect(await tests(as)).toMatchObject({ ok: true })
      put(tree, { 'src/a.ts': 'hidden\n' })
      expect(await tests(as)).toMatchObject(refused('src/a.ts (changed)'))
      git(tree, 'checkout', '-q', '-f', 'HEAD', '--', 'src/a.ts')
      rmSync(join(tree, 'src/a.ts'))
      git(tree, 'update-index', '--skip-worktree', 'src/a.ts')
      git(tree, 'config', 'core.sparseCheckout', 'true')
      expect(await tests(as), 'without rules').toMatchObject(refused('src/a.ts (deleted)'))
      put(git(tree, 'rev-parse', '--absolute-git-dir'), { 'info/sparse-checkout': '/*\n!/src/a.ts\n' })
      expect(await tests(as), 'a sparse checkout made after the spawn').toMatchObject(
        refused('src/a.ts (deleted)'),
      )
    }))

  test('[GATE-4] a sparse checkout from before the spawn is fine', () =>
    withProject(async (project) => {
      repository(project.root)
      commit(project.root, 'Docs', { 'docs/a.md': 'a\n' })
      const tree = join(project.root, '.home/tree')
      git(project.root, 'worktree', 'add', '-q', '-b', 'work', tree)
      git(tree, 'sparse-checkout', 'set', '--no-cone', '/*', '!/docs/')
      await addTask(project)
      await send(project, 'T002', { worktree: tree })
      const as = project.from(tree).as('T002.1')
      expect(await tests(as)).toMatchObject({ ok: true })
    }))

  test('[GATE-4] a filter that git used for the index', () =>
    withWorktree(async ({ as, tree }) => {
      put(tree, { 'src/a.ts': 'evil\n' })
      git(tree, 'config', 'filter.trap.clean', "printf 'export const a = 1\\n'")
      put(git(tree, 'rev-parse', '--git-common-dir'), { 'info/attributes': 'src/a.ts filter=trap\n' })
      git(tree, 'add', 'src/a.ts')
      // Date the index in the future, because git reads a file again unless the file is older than the index.
      utimesSync(join(git(tree, 'rev-parse', '--absolute-git-dir'), 'index'), new Date(), new Date(2100, 0))
      git(tree, 'config', '--unset', 'filter.trap.clean')
      expect(git(tree, '--no-optional-locks', 'diff-index', '--name-only', 'HEAD')).toBe('')
      expect(await tests(as)).toMatchObject(refused('src/a.ts (changed)'))
    }))

  test('[GATE-4] a filter whose name cannot be given on the command line', () =>
    withWorktree(async ({ as, tree }, { root }) => {
      git(tree, 'config', 'filter.x=y.clean', `echo ran >> ${root}/.home/trapped; cat`)
      expect(await tests(as)).toMatchObject(refused('git could not compare'))
      expect(existsSync(join(root, '.home/trapped'))).toBe(false)
    }))

  test('[GATE-4] settings about case', () =>
    withWorktree(async ({ as, tree }) => {
      git(tree, 'config', 'core.ignoreCase', 'true')
      put(tree, { 'src/FORM.ts': 'x\n' })
      expect(await tests(as)).toMatchObject(refused('src/FORM.ts (untracked)'))
    }))
})

describe('the history must be that of the spawn', () => {
  test('[GATE-4] HEAD must descend from where the spawn began', () =>
    withWorktree(async ({ as, tree }) => {
      git(tree, 'checkout', '-q', '--orphan', 'other')
      commit(tree, 'Anew', { 'src/form.ts': 'export const form = 3\n' })
      const problem = refused('does not descend from', 'where T002.1 began')
      expect(await implemented(as)).toMatchObject(problem)
      expect(await tests(as)).toMatchObject(problem)
      git(tree, 'checkout', '-q', 'cleo/T002.1')
      await implemented(as)
      expect(await gateOf(as, 'implemented')).toMatchObject({ state: 'passed' })
      git(tree, 'checkout', '-q', 'other')
      expect(await gateOf(as, 'implemented')).toMatchObject({ state: 'stale' })
    }))

  test('[GATE-4] a new repository in the same folder is another one', () =>
    withProject(async (project) => {
      repository(project.root)
      await addTask(project)
      const { as } = await send(project, 'T002')
      rmSync(join(project.root, '.git'), { recursive: true })
      git(project.root, 'init', '-q', '-b', 'main')
      commit(project.root, 'All of it', { 'src/form.ts': 'export const form = 1\n' })
      const problem = refused('is another repository: it does not have commit', 'where T002.1 began')
      expect(await implemented(as)).toMatchObject(problem)
      expect(await tests(as)).toMatchObject(problem)
    }))

  test('[GATE-4] a spawn before the first commit accepts any first commit', () =>
    withProject(async (project) => {
      git(project.root, 'init', '-q', '-b', 'main')
      await addTask(project)
      const { as } = await send(project, 'T002')
      put(project.root, { 'src/form.ts': 'x\n', Makefile: 'test:\n\t@echo "1 passed"\n' })
      expect(problemsIn(await implemented(as))).toMatch(
        /there is no commit HEAD.*src\/form.ts \(untracked\)/s,
      )
      commit(project.root, 'First', { '.gitignore': '.home/\n' })
      expect(await implemented(as)).toMatchObject({ ok: true })
      expect(await tests(as)).toMatchObject({ ok: true })
    }))

  test('[GATE-4] a later attempt may start from a rewritten history', () =>
    withProject(async (project) => {
      const { root } = project
      repository(root)
      await addTask(project)
      await send(project, 'T002')
      git(root, 'commit', '-q', '--amend', '-m', 'Begin, better said')
      await project.must('tasks.update', { id: 'T002', title: 'Sign-up form, again' })
      const { as } = await send(project, 'T002')
      commit(root, 'Work', { 'src/form.ts': 'x\n' })
      expect(await implemented(as)).toMatchObject({ ok: true })
    }))
})

describe('a file that is replaced only while the tests run', () => {
  const withScript = (script: string, work: (as: TestProject, tree: string) => Promise<void>, config = {}) =>
    withWorktree(
      async ({ as, tree }) => {
        await work(as, tree)
      },
      {
        config,
        files: {
          Makefile: 'test:\n\t@/bin/sh ./run.sh\n',
          'run.sh': `PATH=/usr/bin:/bin\n${script}\necho "1 passed"\n`,
        },
      },
    )
  const swap =
    'cp -p src/a.ts .home/kept; echo evil > src/a.ts; cat .home/kept > src/a.ts; touch -r .home/kept src/a.ts'

  test('[GATE-4] is noticed by its stat data, although content, size and time are the same', () =>
    withScript(`mkdir -p .home; ${swap}`, async (as, tree) => {
      const before = readFileSync(join(tree, 'src/a.ts'), 'utf8')
      expect(await tests(as), 'replaced and put back').toMatchObject(
        refused('src/a.ts was rewritten while make test ran', 'gates.byproducts'),
      )
      expect(readFileSync(join(tree, 'src/a.ts'), 'utf8')).toBe(before)
      expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'failed' })
    }))

  test('[GATE-4] also if the index is brought up to date afterwards', () =>
    withScript(`mkdir -p .home; ${swap}; git add src/a.ts; git status >/dev/null`, async (as) => {
      expect(await tests(as)).toMatchObject(refused('src/a.ts was rewritten while make test ran'))
    }))

  test('[GATE-4] unless a person listed it in gates.byproducts', () =>
    withScript(
      `mkdir -p .home; ${swap}`,
      async (as) => {
        expect(await tests(as)).toMatchObject({ ok: true })
        expect(await gateOf(as, 'testsPassed')).toMatchObject({ state: 'passed' })
      },
      { gates: { byproducts: ['src/a.ts'] } },
    ))

  test('[GATE-4] a commit made by the run', () =>
    withScript('git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x', async (as) => {
      expect(await tests(as)).toMatchObject(refused('HEAD moved while make test ran'))
    }))

  test('[GATE-4] touching a file before the run changes nothing', () =>
    withScript('true', async (as, tree) => {
      const path = join(tree, 'src/a.ts')
      const { atime } = statSync(path)
      utimesSync(path, atime, new Date())
      expect(await tests(as)).toMatchObject({ ok: true })
    }))
})
