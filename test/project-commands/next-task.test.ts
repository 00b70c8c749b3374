import { expect, test } from 'vitest'
import { gate, refused } from '../support/evidence.ts'
import { onSqlite, type TestProject, type WithProject, withProject } from '../support/project.ts'
import { addTask, commit, git, send } from '../support/subagent.ts'

const scripts = (test: string, more: object = {}) => ({
  'package.json': JSON.stringify({ scripts: { test, ...more } }),
})
const tests = (project: TestProject, id: string) =>
  project.call('verify.gate', { id, gate: 'testsPassed', evidence: 'tool:test' })

/** Makes a project in which T002 was spawned and T003 is next. */
const withTwoTasks = (
  withProject: WithProject,
  work: (project: TestProject) => Promise<void>,
): Promise<void> =>
  withProject(async (project) => {
    git(project.root, 'init', '-q', '-b', 'main')
    commit(project.root, 'Begin', { ...scripts('node --version'), '.gitignore': '.home/\n' })
    await addTask(project)
    await addTask(project)
    await send(project, 'T002')
    await work(project)
  })

const changed = 'it was "npm test → test: node --version" and is now "npm test → test: true"'

onSqlite((withProject) => {
  test('[GATE-5] a script that an agent edits is not pinned for the next task: a warning, a question, a refusal', () =>
    withTwoTasks(withProject, async (project) => {
      commit(project.root, 'Edit the script', scripts('true'))
      const spawned = await project.must('orchestrate.spawn', { id: 'T003', ref: true, here: true })
      expect(JSON.stringify(spawned), 'spawn warns').toContain(
        JSON.stringify(`the command for test was changed: ${changed}`).slice(1, -1),
      )
      expect(await tests(project.as('T003.1'), 'T003'), 'the edit does not count').toMatchObject(
        refused(changed),
      )
      const { items } = await project.must('inbox.list', {})
      expect(items.map(({ why, taskId }) => [why, taskId])).toEqual([
        [expect.stringContaining(changed), 'T003'],
      ])
      // A second spawn does not ask the same question again.
      await project.must('orchestrate.spawn', { id: 'T002', replace: true, ref: true, here: true })
      expect((await project.must('inbox.list', {})).items).toHaveLength(1)
    }))
})

test("[GATE-5] a person's own edit is accepted by trust, also for later tasks", () =>
  withTwoTasks(withProject, async (project) => {
    commit(project.root, 'Edit the script', scripts('node --help'))
    await project.must('admin.trust', { yes: true })
    const spawned = await project.must('orchestrate.spawn', { id: 'T003', ref: true, here: true })
    expect(spawned).not.toHaveProperty('warnings')
    expect(await tests(project.as('T003.1'), 'T003')).toMatchObject({ ok: true })
    // An agent cannot go back to the earlier command.
    commit(project.root, 'Undo it', scripts('node --version'))
    await project.must('tasks.update', { id: 'T003', title: 'Again' })
    await project.must('orchestrate.spawn', { id: 'T003', ref: true, here: true })
    expect(await tests(project.as('T003.2'), 'T003')).toMatchObject(refused('was changed'))
  }))

test('[GATE-5] a command that an agent removes is missed by the next task, until a person accepts that', () =>
  withTwoTasks(withProject, async (project) => {
    commit(project.root, 'Remove the tests', { 'package.json': '{"scripts":{"lint":"node --version"}}' })
    const spawned = await project.must('orchestrate.spawn', { id: 'T003', ref: true, here: true })
    expect(JSON.stringify(spawned)).toContain('the command for test was removed; it was npm test')
    expect(await tests(project.as('T003.1'), 'T003')).toMatchObject(refused('was removed'))
    await project.must('admin.trust', { yes: true })
    expect(await tests(project.as('T003.1'), 'T003')).toMatchObject({ value: { state: 'na' } })
  }))

test('[GATE-5] a package that an agent adds to a workspace changes nothing, also after trust', () =>
  withProject(async (project) => {
    const { root } = project
    git(root, 'init', '-q', '-b', 'main')
    commit(root, 'Begin', {
      'package.json': JSON.stringify({
        scripts: { test: 'npm test --workspaces' },
        workspaces: ['packages/*'],
      }),
      'packages/a/package.json': JSON.stringify({ name: 'a', scripts: { test: 'node --version' } }),
      '.gitignore': '.home/\nnode_modules/\n',
    })
    await addTask(project)
    await addTask(project)
    await project.must('admin.trust', { yes: true })
    await send(project, 'T002')
    commit(root, 'Add a package', {
      'packages/b/package.json': JSON.stringify({ name: 'b', scripts: { test: 'node --version' } }),
    })
    expect(await gate(project.as('T002.1'), 'testsPassed', 'tool:test')).toMatchObject({ ok: true })
    const spawned = await project.must('orchestrate.spawn', { id: 'T003', ref: true, here: true })
    expect(spawned).not.toHaveProperty('warnings')
    // From now on the new package is pinned too.
    commit(root, 'Weaken it', {
      'packages/b/package.json': JSON.stringify({ name: 'b', scripts: { test: 'true' } }),
    })
    expect(await tests(project.as('T003.1'), 'T003')).toMatchObject(
      refused('depends on packages/b/package.json, which changed'),
    )
  }))
