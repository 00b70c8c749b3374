import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeHost } from '../../src/host/node-host.ts'
import { refuse } from '../../src/kernel/result.ts'
import { connect } from '../../src/perform/connection.ts'
import { load } from '../../src/perform/generated/load.ts'
import { perform } from '../../src/perform/perform.ts'
import { data, executable, type Ran, run, start } from '../support/cleo.ts'
import { withProject } from '../support/project.ts'
import { recount } from '../support/recount.ts'
import { withTemp } from '../support/temp.ts'
import { integrity, ledger } from './ledger.ts'
import { manyWriters } from './many-writers.ts'
import type { Acknowledged } from './mixed-writes.ts'

// This test runs the sources, because it also runs with patches of test/mutants. `npm run test:long` has the larger
// counts.
test('[PROJ-3] [TASK-2] 4 processes write 100 times each: nothing is lost, nothing comes twice', () =>
  manyWriters({ processes: 4, writes: 100, seed: 1 }))

test('[PROJ-3][TASK-2] 32 commands at once, twice: each lands or answers 7', () =>
  withTemp(async (cwd) => {
    run(executable, ['init'], { cwd })
    const adds = await atOnce(32, (i) => start(executable, ['add', `task ${i}`], { cwd }))
    const ids = adds.map((ran) => data<{ id: string }>(ran).id)
    // All commands change one task. Each reads it, and must not overwrite what another command has changed since.
    const labels = await atOnce(32, (i) =>
      start(executable, ['update', 'T001', `--add-labels=l${i}`], { cwd }),
    )

    const told: Acknowledged[] = [
      ...ids.map((id) => ({ op: 'tasks.add' as const, tasks: [id] })),
      ...labels.map(() => ({ op: 'tasks.update' as const, tasks: ['T001'] })),
    ]
    const path = join(cwd, '.cleo', 'cleo.db')
    const { lost, surplus, broken } = ledger(path, new Map([['ada', told]]))
    expect({ lost, surplus, broken }).toEqual({ lost: [], surplus: [], broken: [] })
    expect(new Set(ids).size, 'no id is given twice').toBe(ids.length)
    const listed = run(executable, ['list', '--limit', '100'], { cwd })
    expect(data<{ tasks: { id: string }[] }>(listed).tasks.map(({ id }) => id)).toEqual(ids.toSorted())
    const shown = run(executable, ['show', 'T001'], { cwd })
    expect(data<{ labels: string[] }>(shown).labels, 'no update is lost').toHaveLength(labels.length)
    expect(recount(path), 'the ready index equals a recount').toEqual([])
    expect(integrity(path)).toBe('ok')
  }))

test('[TASK-10] a failure to run hooks is a warning: the write is kept', () =>
  withProject(async ({ root, call, must }) => {
    writeFileSync(join(root, '.cleo', 'config.json'), '{"hooks": {"task.added": [["true"]]}}')
    mkdirSync(join(root, '.home', '.cleo'), { recursive: true })
    writeFileSync(join(root, '.home', '.cleo', 'trust.json'), 'not a record')
    const answer = await call('tasks.add', { title: 'one' })
    expect(answer).toMatchObject({
      ok: true,
      warnings: expect.arrayContaining([expect.stringContaining('trust.json')]),
    })
    expect((await must('tasks.list', {})).tasks).toHaveLength(1)
  }))

test('[PROJ-3] a lock after the commit is a warning: the write is kept', () =>
  withProject(async ({ root, must }) => {
    const connection = connect({ host: nodeHost(), named: root, wait: 'retry' })
    const store = await connection.store()
    const locked = { ...store, get: async () => refuse('store.busy', { path: root, seconds: 15 }) }
    const caller = { actor: { id: 'ann', agent: false }, dryRun: false }
    const add = (await load('tasks.add'))!
    const answer = await perform(add, { title: 'one' }, { ...connection, store: async () => locked }, caller)
    await connection.close()
    expect(answer).toMatchObject({
      ok: true,
      warnings: [
        expect.stringContaining('a spawn would refuse T001'),
        expect.stringContaining('claim not renewed'),
      ],
    })
    expect((await must('tasks.list', {})).tasks).toHaveLength(1)
  }))

/**
 * Starts commands at the same time. Returns those that succeeded. The others must have failed because of a lock,
 * and for no other reason.
 */
const atOnce = async (count: number, command: (i: number) => Promise<Ran>): Promise<Ran[]> => {
  const ran = await Promise.all(Array.from({ length: count }, (_, i) => command(i)))
  const landed = ran.filter(({ exit }) => exit === 0)
  console.log(`commands: ${count} at once, ${landed.length} landed, ${count - landed.length} refused`)
  const wrong = ran.filter(({ exit }) => exit !== 0 && exit !== 7)
  expect(wrong, 'each lands or answers 7').toEqual([])
  return landed
}
