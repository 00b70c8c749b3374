import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { priorities, sizes } from '../../src/kernel/task.ts'
import { taskCounts } from '../support/counted.ts'
import { type TestProject, withProject } from '../support/project.ts'
import fc from '../support/properties.ts'
import { exported, plant, tablesOf } from '../support/transfer.ts'

/** Returns every row of every table, including the counts. */
const dump = async (project: TestProject): Promise<string[]> => {
  const store = await project.store()
  const lines: string[] = []
  for (const { name } of await tablesOf(project))
    for (const row of await store.all<object>(
      // A status that no task has any more keeps a row with the count zero.
      `SELECT * FROM ${name}${name === 'task_counts' ? ' WHERE n <> 0' : ''}`,
    ))
      lines.push(`${name} ${JSON.stringify(row)}`)
  return lines.sort()
}

const words = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30, unit: 'binary' }),
  fc.constantFrom(
    '__proto__',
    'T002',
    "it's “quoted”",
    'a\u202eb\u009b31m',
    '{"record":"task"}',
    'tab\tand\nline',
  ),
)
const steps = fc.array(
  fc.record({
    verb: fc.constantFrom(
      'add',
      'add',
      'add',
      'note',
      'complete',
      'cancel',
      'block',
      'reopen',
      'depend',
      'move',
      'focus',
      'session',
      'criteria',
    ),
    text: words,
    one: fc.nat(),
    other: fc.nat(),
    agent: fc.constantFrom('ada', 'bob', 'T001.1'),
  }),
  { minLength: 5, maxLength: 40 },
)
type Step = Parameters<Parameters<typeof steps.map>[0]>[0][number]

/** Runs the commands of the steps. Some are refused. */
const live = async (project: TestProject, all: readonly Step[]): Promise<void> => {
  let made = 0
  let session: string | undefined
  for (const { verb, text, one, other, agent } of all) {
    const id = `T${(one % Math.max(made, 1)) + 1}`
    const by = project.as(agent, session)
    const some = { priority: priorities[one % 4]!, size: sizes[other % 3]!, labels: [`l${one % 5}`] }
    if (verb === 'add') {
      const place = one % 3 ? { parent: id } : {}
      const needs = made > 0 && other % 2 ? { depends: [`T${(other % made) + 1}`] } : {}
      const added = await by.call('tasks.add', {
        title: text,
        description: text,
        ...some,
        ...place,
        ...needs,
      })
      if (added.ok) made++
    } else if (verb === 'note') await by.call('tasks.note', { id, text })
    else if (verb === 'complete') await by.call('tasks.complete', { id })
    else if (verb === 'cancel') await by.call('tasks.cancel', { id, reason: text })
    else if (verb === 'block') await by.call('tasks.block', { id, reason: text })
    else if (verb === 'reopen') await by.call('tasks.reopen', { id, reason: text })
    else if (verb === 'depend') await by.call('tasks.update', { id, addDepends: [`T${(other % 9) + 1}`] })
    else if (verb === 'move')
      await by.call('tasks.update', { id, parent: other % 2 ? 'none' : `T${(other % 9) + 1}` })
    else if (verb === 'focus') await by.call('focus.set', { id })
    else if (verb === 'criteria')
      await by.call('tasks.update', { id, addAcceptance: [text], files: ['src/x.ts'] })
    else if (session === undefined) {
      const started = await project.call('session.start', { name: text })
      session = started.ok ? started.value.id : undefined
    } else {
      await project.call('session.end', { id: session, note: text })
      session = undefined
    }
    if (one % 7 === 0) await project.pass(20 * 60_000)
  }
}

test('[PROJ-5] an import into an empty project restores every row and exports to the same bytes', () =>
  fc.assert(
    fc.asyncProperty(steps, (all) =>
      withProject((project) =>
        withProject(async (copy) => {
          await live(project, all)
          const document = await exported(project)
          const { mapped, left } = await copy.as('eve').must('admin.import', { file: document })
          expect({ mapped, left }).toEqual({ mapped: [], left: [] })
          expect(await dump(copy)).toEqual(await dump(project))
          expect(await exported(copy)).toBe(document)
        }),
      ),
    ),
    { numRuns: 40 },
  ))

test('[PROJ-5] an import into a project with tasks adds them under new ids with their graph and counts', () =>
  fc.assert(
    fc.asyncProperty(steps, (all) =>
      withProject((project) =>
        withProject(async (target) => {
          await live(project, all)
          await plant(target)
          const before = await dump(target)
          const { mapped } = await target.must('admin.import', { file: await exported(project) })
          const to = new Map(mapped.map(({ from, to }) => [from, to]))
          expect(mapped.map(({ to }) => to)).toEqual(
            mapped.map((_, i) => `T${String(i + 4).padStart(3, '0')}`),
          )
          const after = await dump(target)
          const touched = before.filter((line) => !after.includes(line))
          expect(touched.filter((line) => !/^(counters|task_counts) /.test(line))).toEqual([])
          const { kept, counted } = await taskCounts(await target.store())
          expect(kept).toEqual(counted)
          expect(await graphOf(target, new Map())).toEqual(expect.arrayContaining(await graphOf(project, to)))
        }),
      ),
    ),
    { numRuns: 25 },
  ))

/**
 * Returns all tasks with their related rows and counts. Replaces each task id by the one in `ids`, if there is one.
 */
const graphOf = async (project: TestProject, ids: Map<string, string>) => {
  const store = await project.store()
  const named = (id: string | null) => (id === null ? null : (ids.get(id) ?? id))
  const listed = async (sql: string, id: string) => store.all<{ value: string }>(sql, id)
  const rows = await store.all<Record<string, string> & { id: string; parent: string | null; root: string }>(
    'SELECT * FROM tasks ORDER BY seq',
  )
  const graph = []
  for (const { seq: _, epoch: __, ...row } of rows) {
    const depends = await listed('SELECT needs AS value FROM depends WHERE task = ? ORDER BY pos', row.id)
    graph.push({
      ...row,
      status: row['status'] === 'active' && ids.size > 0 ? 'pending' : row['status'],
      id: named(row.id),
      parent: named(row.parent),
      root: named(row.root),
      depends: depends.map(({ value }) => named(value)),
      labels: await listed('SELECT label AS value FROM labels WHERE task = ? ORDER BY pos', row.id),
      files: await listed('SELECT path AS value FROM files WHERE task = ? ORDER BY pos', row.id),
      notes: await listed('SELECT text AS value FROM notes WHERE task = ? ORDER BY seq', row.id),
      criteria: await store.all(
        'SELECT n, text, source, state FROM criteria WHERE task = ? ORDER BY n',
        row.id,
      ),
    })
  }
  return graph
}

test('[PROJ-5] import lists what it left out, and why', () =>
  withProject((project) =>
    withProject(async (target) => {
      await plant(project)
      await target.must('tasks.add', { title: 'Own' })
      const answer = await target.must('admin.import', { file: await exported(project) })
      expect(answer.imported).toBe(3)
      expect(answer.mapped[0]).toEqual({ from: 'T001', to: 'T002' })
      expect(answer.left.map(({ what, count }) => [what, count])).toEqual([
        ['sessions with their notes', 1],
        ['links from notes to sessions', 1],
        ['claims', 1],
        ['tasks in focus', 1],
        ['tasks that were active', 1],
        ['lines of the audit log', expect.any(Number)],
        ['tasks whose text names old ids', 1],
      ])
      const { tasks } = await target.must('orchestrate.ready', { shared: false })
      expect(tasks.map(({ id }) => id)).toEqual(['T001', 'T004'])
      const { entries } = await target.must('admin.log', { operation: 'admin.import' })
      expect(entries.map(({ taskId }) => taskId)).toEqual(['T004', 'T003', 'T002'])
    }),
  ))

test('[PROJ-5] a project with history is not empty', () =>
  withProject((project) =>
    withProject(async (target) => {
      await plant(project)
      await target.must('session.start', { name: 'look around' })
      const { mapped } = await target.must('admin.import', { file: await exported(project) })
      expect(mapped).toHaveLength(3)
      expect((await target.must('session.list', {})).sessions).toHaveLength(1)
    }),
  ))

test('[PROJ-5] import reads a file, with a BOM and CRLF too', () =>
  withProject((project) =>
    withProject(async (target) => {
      await plant(project)
      const document = await exported(project)
      writeFileSync(join(target.root, 'shop.jsonl'), `\uFEFF${document.replaceAll('\n', '\r\n')}`)
      expect(await target.must('admin.import', { file: 'shop.jsonl' })).toMatchObject({ imported: 3 })
      expect(await exported(target)).toBe(document)
      for (const file of ['none.jsonl', '.cleo', '.cleo/cleo.db'])
        expect(await target.call('admin.import', { file })).toMatchObject({
          code: 'file.unreadable',
          exit: 3,
        })
    }),
  ))

test('[PROJ-5] a dry run imports nothing and returns the same', () =>
  withProject((project) =>
    withProject(async (target) => {
      await plant(project)
      const file = await exported(project)
      const answer = await target.call('admin.import', { file }, { dryRun: true })
      expect(answer).toMatchObject({ ok: true, value: { imported: 3 } })
      expect((await target.must('tasks.list', {})).tasks).toEqual([])
    }),
  ))

const header = '{"cleo":"export","version":1}'
const time = '2026-01-01T00:00:00.000Z'
const hash = 'a'.repeat(40)
const task = (id: string, more: object = {}) =>
  JSON.stringify({
    record: 'task',
    id,
    title: id,
    type: 'task',
    status: 'pending',
    priority: 'medium',
    size: 'small',
    origin: 'ada',
    epoch: 0,
    createdAt: time,
    updatedAt: time,
    ...more,
  })
const claim = (more: object) =>
  JSON.stringify({
    record: 'claim',
    task: 'T001',
    owner: 'a',
    epoch: 1,
    state: 'held',
    expiresAt: time,
    ...more,
  })

const refused: [string, string[], Record<string, RegExp>][] = [
  ['no export at all', ['# Tasks', ''], { file: /^must be one of: a CLEO export, tasks\.json/ }],
  ['an empty text', ['\n'], { file: /^must be one of/ }],
  [
    'a newer version',
    ['{"cleo":"export","version":2}'],
    { 'line 1': /version 2; this CLEO reads version 1/ },
  ],
  [
    'bad lines, every one of them',
    [header, '<<<<<<< HEAD', task('T001', { priority: 'urgent', due: 'friday' }), '{"record":"epic"}', '[]'],
    {
      'line 2': /not JSON/,
      'line 3, priority': /must be one of critical, high, medium, low/,
      'line 3, due': /not a known field/,
      'line 4': /not one of counter, task/,
      'line 5': /not one of counter, task/,
    },
  ],
  [
    'a torn last line',
    [header, task('T001'), '{"record":"task","id":"T0'],
    { 'line 3': /cut off in the middle/ },
  ],
  [
    'missing references',
    [header, task('T001', { parent: 'T008', depends: ['T009'] }), claim({ task: 'T007' })],
    { 'line 2, parent': /T008 is not in/, 'line 2, depends': /T009 is not in/, 'line 3, task': /T007/ },
  ],
  [
    'no reference to a line that is named already',
    [header, task('T001', { size: 'huge' }), task('T002', { depends: ['T001'] })],
    { 'line 2, size': /must be one of/ },
  ],
  [
    'branches, folders and commits that CLEO did not record',
    [
      header,
      task('T001', { type: 'epic' }),
      task('T002', { parent: 'T001' }),
      JSON.stringify({
        ...{ record: 'integration', epic: 'T001', branch: 'main', base: 'HEAD', tip: hash, at: time },
      }),
      JSON.stringify({
        ...{
          record: 'worktree',
          spawn: 'T002.1',
          task: 'T002',
          epic: 'T001',
          folder: '/tmp/x',
          branch: 'main',
        },
        ...{ base: '--all', madeBy: 'cleo', slot: 1, portBase: 0, state: 'there', at: time },
      }),
      JSON.stringify({
        ...{ record: 'worktree', spawn: 'T001.1', task: 'T002', epic: 'T001', folder: '/tmp/y', base: hash },
        ...{ madeBy: 'cleo', slot: 2, portBase: 0, state: 'there', at: time },
      }),
    ],
    {
      'line 4, branch': /must be cleo\/T001/,
      'line 4, base': /full hash of a commit/,
      'line 5, branch': /must be cleo\/T002\.1/,
      'line 5, folder': /must end in \/T002\.1/,
      'line 5, base': /full hash of a commit/,
      'line 6, spawn': /not a spawn of T002/,
      'line 6, folder': /must end in \/T001\.1/,
    },
  ],
  [
    'a cycle',
    [header, task('T001', { depends: ['T002'] }), task('T002', { depends: ['T001'] })],
    { 'line 2, depends': /T001 → T002 → T001 would be a cycle/ },
  ],
  [
    'a circle of parents',
    [header, task('T001', { parent: 'T002' }), task('T002', { parent: 'T001' })],
    { 'line 2, depends': /would be a cycle/ },
  ],
  [
    'a tree too deep',
    [header, ...['T001', 'T002', 'T003', 'T004'].map((id, i) => task(id, i ? { parent: `T00${i}` } : {}))],
    { 'line 5, parent': /level 4/ },
  ],
  [
    'children of a subtask, and an epic below another',
    [
      header,
      task('T001', { type: 'epic' }),
      task('T002', { type: 'epic', parent: 'T001' }),
      task('T003', { type: 'subtask', parent: 'T001' }),
      task('T004', { parent: 'T003' }),
    ],
    { 'line 3, parent': /an epic cannot have a parent/, 'line 5, parent': /a subtask cannot have children/ },
  ],
  [
    'duplicates',
    [
      header,
      task('T001', { labels: ['a', 'a'] }),
      task('T002'),
      task('t2'),
      claim({ task: 'T002' }),
      claim({ task: 'T002' }),
      claim({ task: 'T002', owner: 'b' }),
    ],
    {
      'line 2, labels': /contains a duplicate/,
      'line 4, id': /T002 is already on an earlier line/,
      'line 6, owner': /earlier/,
      'line 6, state': /T002 already has an owner/,
      'line 7, state': /T002 already has an owner/,
    },
  ],
  [
    'a counter that would give a number again',
    [header, '{"record":"counter","name":"task","value":1}', task('T002')],
    { 'line 2, value': /1 is lower than T002/ },
  ],
  [
    'an invalid time',
    [header, task('T001', { createdAt: 'yesterday' })],
    { 'line 2, createdAt': /must be a time/ },
  ],
]

test.each(refused)('[PROJ-5] import refuses %s', (_, lines, expected) =>
  withProject(async (project) => {
    const answer = await project.call('admin.import', { file: lines.join('\n') })
    if (answer.ok) throw new Error('it was imported')
    expect(answer).toMatchObject({ code: 'import.invalid', exit: 6 })
    const problems = answer.problems ?? []
    expect(problems.map(({ path }) => path)).toEqual(Object.keys(expected))
    for (const { path, message } of problems) expect(message).toMatch(expected[path]!)
    expect((await project.must('tasks.list', {})).tasks).toEqual([])
  }),
)

test('[PROJ-5] a chain of a hundred thousand parents is refused without overflowing the stack', () =>
  withProject(async (project) => {
    const id = (n: number) => `T${String(n).padStart(6, '0')}`
    const lines = Array.from({ length: 100_000 }, (_, i) =>
      task(id(i + 1), i < 99_999 ? { parent: id(i + 2) } : {}),
    )
    expect(await project.call('admin.import', { file: [header, ...lines].join('\n') })).toMatchObject({
      code: 'import.invalid',
    })
  }))
