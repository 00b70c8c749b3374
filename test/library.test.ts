import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type * as library from '../src/index.ts'
import { allCommands } from '../src/operation/commands.ts'
import { data, executable, run } from './support/cleo.ts'
import { withTemp } from './support/temp.ts'

// Tests the published bundle, not the sources. The types are those of the sources, which the build copies.
const built = join(import.meta.dirname, '..', 'dist', 'index.js')
const { openProject } = (await import(built)) as typeof library

const withLibrary = (work: (project: library.OpenedProject, root: string) => Promise<void>): Promise<void> =>
  withTemp(async (root) => {
    const project = openProject({ project: root, as: 'planner' })
    try {
      const made = await project.call('admin.init', {})
      expect(made).toMatchObject({ ok: true, value: { root } })
      await work(project, root)
    } finally {
      await project.close()
    }
  })

describe('[OPS-4] the package is a library of the same operations', () => {
  test('a call answers a typed value', () =>
    withLibrary(async (project) => {
      const added = await project.call('tasks.add', { title: 'Sign-up form', labels: ['form'] })
      if (!added.ok || 'added' in added.value) throw new Error('not one task')
      const { id } = added.value
      const shown = await project.call('tasks.show', { id })
      if (!shown.ok) throw new Error(shown.message)
      const origin: string = shown.value.origin
      expect([id, shown.value.labels, origin]).toEqual(['T001', ['form'], 'planner'])
      const done = await project.call('tasks.complete', { id })
      expect(done).toEqual({ ok: true, value: { id, status: 'done', unblocked: [] } })
    }))

  test('every operation is in the bundle and checks what it is given', () =>
    withLibrary(async (project) => {
      const names = allCommands().map(({ operation }) => operation as library.OperationName)
      expect(names.length).toBeGreaterThan(90)
      for (const name of names) {
        const answer = await project.call(name, { noSuchField: 1 } as never)
        expect(answer, name).toMatchObject({ ok: false, code: 'input.invalid' })
      }
    }))

  test('a refusal is a value with its code, exit and fix, never an exception', () =>
    withLibrary(async (project) => {
      const missing = await project.call('tasks.complete', { id: 'T099' })
      expect(missing).toEqual({
        ok: false,
        code: 'task.not_found',
        exit: 4,
        message: 'There is no task T099.',
        fix: 'cleo list',
        retryable: false,
      })
      const refused = await project.call('tasks.add', { title: ' ', ...({ hourz: 3 } as object) })
      expect(refused).toMatchObject({ ok: false, code: 'input.invalid', exit: 6 })
      const estimate = await project.call('tasks.add', { title: 'x', ...({ hours: 3 } as object) })
      expect(estimate).toMatchObject({ ok: false, code: 'estimate.refused', exit: 2 })
      const nowhere = openProject({ project: '/' })
      expect(await nowhere.call('tasks.list', {})).toMatchObject({ code: 'project.missing', exit: 9 })
      await nowhere.close()
    }))

  test('a missing database is a refusal, and the same handle works once it is back', () =>
    withLibrary(async (project, root) => {
      const path = join(root, '.cleo', 'cleo.db')
      renameSync(path, `${path}.away`)
      expect(await project.call('tasks.list', {})).toMatchObject({ code: 'store.missing', exit: 3 })
      expect(await project.call('admin.init', {}), 'no empty one in its place').toMatchObject({
        code: 'store.missing',
      })
      renameSync(`${path}.away`, path)
      expect(await project.call('tasks.list', {})).toMatchObject({ ok: true, value: { tasks: [] } })
    }))

  test('eight calls at once on one connection all land', () =>
    withLibrary(async (project) => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) => project.call('tasks.add', { title: `Task ${i}` })),
      )
      expect(answers.every(({ ok }) => ok)).toBe(true)
      const mixed = await Promise.all([
        project.call('tasks.list', {}),
        project.call('tasks.note', { id: 'T001', text: 'one' }),
        project.call('focus.set', { id: 'T002' }),
        project.call('tasks.update', { id: 'T003', depends: ['T004'] }),
        project.call('tasks.update', { id: 'T004', depends: ['T003'] }),
        project.call('tasks.complete', { id: 'T005' }),
        project.call('orchestrate.next', {}),
        project.call('tasks.show', { id: 'T008' }),
      ])
      expect(mixed.map((answer) => (answer.ok ? 'ok' : answer.code))).toEqual([
        ...['ok', 'ok', 'ok', 'ok'],
        'cycle',
        ...['ok', 'ok', 'ok'],
      ])
      const listed = await project.call('tasks.list', { all: true })
      if (!listed.ok) throw new Error(listed.message)
      expect(new Set(listed.value.tasks.map(({ id }) => id)).size).toBe(8)
    }))

  test('a dry run changes nothing, and the command line sees what was written', () =>
    withLibrary(async (project, root) => {
      await project.call('tasks.add', { title: 'Kept' })
      const dry = await project.call('tasks.add', { title: 'Not kept' }, { dryRun: true })
      expect(dry).toMatchObject({ ok: true, value: { id: 'T002' } })
      const { tasks } = data<{ tasks: { title: string }[] }>(run(executable, ['list'], { cwd: root }))
      expect(tasks.map(({ title }) => title)).toEqual(['Kept'])
    }))

  test('close waits for running calls; the session is used', () =>
    withLibrary(async (project, root) => {
      await project.call('tasks.add', { title: 'Customer accounts', type: 'epic' })
      const started = await project.call('session.start', { epic: 'T001' })
      if (!started.ok) throw new Error(started.message)
      const other = openProject({ project: root, as: 'worker', session: started.value.id })
      const writing = other.call('tasks.add', { title: 'Sign-up form', parent: 'T001' })
      await other.call('tasks.list', {})
      await Promise.all([writing, other.close()])
      expect(await writing).toMatchObject({ ok: true, value: { id: 'T002' } })
      const status = await project.call('session.status', { id: started.value.id })
      expect(status).toMatchObject({ value: { tasks: ['T002'] } })
    }))

  test('a process that closed its project ends by itself', () =>
    withTemp((root) => {
      mkdirSync(join(root, 'shop'))
      const script = `
        import { openProject } from ${JSON.stringify(built)}
        const project = openProject()
        await project.call('admin.init', {})
        const { value } = await project.call('tasks.add', { title: 'Sign-up form' })
        await project.close()
        console.log(value.id)`
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['--input-type=module', '--eval', script],
        { cwd: join(root, 'shop'), encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: root } },
      )
      expect([status, stdout, stderr]).toEqual([0, 'T001\n', ''])
    }))
})
