import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { gate, refused } from '../support/evidence.ts'
import { type TestProject, withProject } from '../support/project.ts'
import { addTask, commit, git, put, send } from '../support/subagent.ts'

const program = (folder: string, path: string, text: string) => {
  put(folder, { [path]: text })
  chmodSync(join(folder, path), 0o755)
}

/** Makes a project with these files and T002 spawned. The caller's PATH starts with a folder of the project. */
const withPath = (
  files: Record<string, string>,
  bin: string,
  work: (agent: TestProject, project: TestProject, person: TestProject) => Promise<void>,
): Promise<void> =>
  withProject(async (project) => {
    const { root } = project
    git(root, 'init', '-q', '-b', 'main')
    commit(root, 'Begin', { '.gitignore': '.home/\n.venv/\nnode_modules/\n', ...files })
    await addTask(project)
    await send(project, 'T002')
    const person = project.afresh({ PATH: `${root}/${bin}:${process.env['PATH']}`, HOME: `${root}/.home` })
    await work(person.as('T002.1'), project, person)
  })

const tests = (project: TestProject) => gate(project, 'testsPassed', 'tool:test')

test('[GATE-5] a node in a folder of the project is refused for npm, with the way out', () =>
  withPath(
    { 'package.json': JSON.stringify({ scripts: { test: 'node --version' } }) },
    'bin',
    async (agent, { root }) => {
      expect(await tests(agent)).toMatchObject({ ok: true })
      program(root, 'bin/node', '#!/bin/sh\nexit 0\n')
      expect(await tests(agent)).toMatchObject(
        refused(
          `node resolves to ${root}/bin/node, which is part of the project and is not trusted; take ${root}/bin off PATH`,
          'cleo config set commands.test',
        ),
      )
    },
  ))

test('[GATE-5] so is a program that a make recipe or the first line of a script names', () =>
  withPath(
    { Makefile: '.PHONY: test\ntest:\n\t@./check.sh && mycheck\n', 'check.sh': '#!/usr/bin/env mysh\n' },
    'tools',
    async (agent, { root }) => {
      for (const name of ['mycheck', 'mysh', 'sh']) {
        program(root, `tools/${name}`, '#!/bin/sh\nexit 0\n')
        expect(await tests(agent), name).toMatchObject(refused(`${name} resolves to ${root}/tools/${name}`))
        rmSync(join(root, 'tools', name))
      }
    },
  ))

const unittest = {
  'test_a.py': 'import unittest\nclass A(unittest.TestCase):\n    def test_a(self):\n        pass\n',
}
/** The Python of this machine. If it has none, the tests that need Python are skipped. */
const python = (() => {
  try {
    const code = 'import sys; print(sys.executable)'
    return execFileSync('/usr/bin/env', ['python3', '-c', code], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
})()
const withPython = test.skipIf(python === undefined)

/** Makes the parts of a `python -m venv` folder that CLEO looks at. */
const makeEnvironment = (root: string, name = '.venv') => {
  mkdirSync(join(root, name, 'bin'), { recursive: true })
  writeFileSync(join(root, name, 'pyvenv.cfg'), `home = ${dirname(python!)}\ncommand = x -m venv ${root}\n`)
  for (const each of ['python', 'python3']) symlinkSync(python!, join(root, name, 'bin', each))
}

withPython('[GATE-5] an active .venv inside the project works once it is trusted, in any folder', () =>
  withPath(unittest, '.venv/bin', async (agent, project, person) => {
    const { root } = project
    makeEnvironment(root)
    expect(await tests(agent)).toMatchObject(
      refused(
        'python is a program of an environment inside the project, which is not trusted: .venv/bin/python →',
        'only a person can accept it. Question Q1 in the inbox asks a person, and this evidence waits for the answer',
      ),
    )
    // A second request, even for another gate, adds no second question.
    expect(await gate(agent, 'qaPassed', 'tool:test')).toMatchObject({ ok: false })
    expect(await tests(agent)).toMatchObject({
      alternatives: ['A person can answer question Q1: cleo inbox'],
    })
    expect(await project.must('inbox.list', {})).toMatchObject({ items: [{ id: 'Q1' }] })
    // A person need not have the environment active to trust it.
    await project.afresh({ PATH: process.env['PATH']! }).must('admin.trust', { yes: true })
    const { items } = await project.must('admin.trust.status', {})
    expect(items.map(({ name }) => name)).toContain('program .venv/bin/python')
    expect(await tests(agent)).toMatchObject({
      value: { state: 'passed', evidence: ['tool:test exit 0, 1 passed'] },
    })
    // A worktree with its own environment needs no additional trust.
    const tree = join(root, '.home', 'tree')
    git(root, 'worktree', 'add', '-q', '-b', 'work', tree)
    makeEnvironment(tree)
    await addTask(project)
    await send(project, 'T003', { worktree: tree })
    const there = project
      .afresh({ PATH: `${tree}/.venv/bin:${process.env['PATH']}` })
      .from(tree)
      .as('T003.1')
    const asked = { id: 'T003', gate: 'testsPassed', evidence: 'tool:test' }
    expect(await there.call('verify.gate', asked)).toMatchObject({ ok: true })
    // An agent that replaces the interpreter is refused.
    rmSync(join(root, '.venv/bin/python'))
    program(root, '.venv/bin/python', '#!/bin/sh\necho "1 passed"\n')
    expect(await tests(agent)).toMatchObject(refused('has changed since it was trusted'))
    expect(await tests(person)).toMatchObject({ ok: false })
  }),
)

test('[GATE-5] a program in node_modules/.bin is accepted as the first word once trusted', () =>
  withPath(
    { '.cleo/config.json': JSON.stringify({ commands: { test: ['runner'] } }) },
    'node_modules/.bin',
    async (agent, project) => {
      program(project.root, 'node_modules/runner/cli.js', '#!/bin/sh\necho "2 passed"\n')
      mkdirSync(join(project.root, 'node_modules/.bin'))
      symlinkSync('../runner/cli.js', join(project.root, 'node_modules/.bin/runner'))
      expect(await tests(agent)).toMatchObject(refused('runner is a program of an environment'))
      await project.must('admin.trust', { yes: true })
      expect(await tests(agent)).toMatchObject({ value: { state: 'passed' } })
      program(project.root, 'node_modules/runner/cli.js', '#!/bin/sh\necho "3 passed"\n')
      expect(await tests(agent)).toMatchObject(refused('has changed since it was trusted'))
    },
  ))

withPython('[GATE-5] a module that shadows the test program is refused', () =>
  withPath(unittest, '.', async (_, { root, as }) => {
    const agent = as('T002.1')
    expect(await tests(agent)).toMatchObject({ value: { evidence: ['tool:test exit 0, 1 passed'] } })
    for (const name of ['unittest.py', 'sitecustomize.py', 'argparse.py']) {
      commit(root, 'Harmless', { [name]: 'import sys\nsys.exit(0)\n' })
      expect(await tests(agent), name).toMatchObject(refused('the command for test was changed', name))
      git(root, 'rm', '-q', name)
      git(root, 'commit', '-q', '-m', 'Remove it')
    }
  }),
)

withPython('[GATE-5] a failed run says what to do before the same command is run again', () =>
  withPath({ 'test_a.py': 'def test_a():\n    pass\n' }, '.', async (_, { root, as }) => {
    // The fix names something to do first. The same command alone would fail again, because the test fails or this
    // interpreter lacks pytest.
    commit(root, 'Break it', { 'test_a.py': 'def test_a():\n    assert False\n' })
    const answer = await tests(as('T002.1'))
    expect(answer).toMatchObject({
      ok: false,
      fix: expect.stringMatching(
        /^(?:correct what failed \(see .*\)|install pytest for python3, or a person can .*), then: cleo verify T002 --gate testsPassed/,
      ),
    })
  }),
)
