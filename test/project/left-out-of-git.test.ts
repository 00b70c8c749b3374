import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { data, executable, run } from '../support/cleo.ts'
import { commit, git, put } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'

interface Init {
  detected: { notIgnored?: string[]; nothingInGit?: true }
}
const init = (root: string): Init['detected'] => data<Init>(run(executable, ['init'], { cwd: root })).detected

test.each([
  ['Python', { 'calc.py': '' }, ['__pycache__/']],
  [
    'Python with an environment',
    { 'pyproject.toml': '', '.venv/pyvenv.cfg': '' },
    ['__pycache__/', '.venv/'],
  ],
  ['npm', { 'package.json': '{}' }, ['node_modules/']],
  ['npm with a build', { 'package.json': '{}', 'dist/a.js': '' }, ['node_modules/', 'dist/']],
  ['Cargo', { 'Cargo.toml': '' }, ['target/']],
  ['Gradle', { 'build.gradle': '' }, ['build/', '.gradle/']],
  ['Make', { Makefile: '' }, undefined],
] as const)('[PROJ-1] init says what a project of %s writes and git does not ignore', (_, files, wanted) =>
  withTemp(async (root) => {
    git(root, 'init', '-q', '-b', 'main')
    put(root, files)
    expect(init(root).notIgnored).toEqual(wanted)
  }),
)

test('[PROJ-1] init says nothing about what git ignores, by any rule', () =>
  withTemp(async (root) => {
    git(root, 'init', '-q', '-b', 'main')
    commit(root, 'Begin', { 'calc.py': '', 'package.json': '{}', '.gitignore': '*.py[co]\n' })
    mkdirSync(join(root, '.git/info'), { recursive: true })
    writeFileSync(join(root, '.git/info/exclude'), 'node_modules\n')
    expect(init(root)).not.toHaveProperty('notIgnored')
  }))

test('[PROJ-1] init says that agents see no file if git has none', () =>
  withTemp(async (root) => {
    git(root, 'init', '-q', '-b', 'main')
    git(root, '-c', 'user.name=Ada', 'commit', '-q', '--allow-empty', '-m', 'Begin')
    writeFileSync(join(root, 'notes.md'), 'n\n')
    const { stdout } = run(executable, ['init', '--human'], { cwd: root })
    expect(stdout).toContain(
      '  not in git: your files, so agents do not see them; git add -A && git commit -m Begin\n',
    )
    expect(stdout).toContain('  yours to commit: .cleo/config.json, and later the reports in claudedocs/\n')
  }))

test('[PROJ-1] an empty folder, or one with a committed file, is not said to be missing from git', () =>
  withTemp(async (root) => {
    git(root, 'init', '-q', '-b', 'main')
    git(root, 'commit', '-q', '--allow-empty', '-m', 'Begin')
    expect(init(root)).not.toHaveProperty('nothingInGit')
  }))
