import { expect, test } from 'vitest'
import { nodeHost } from '../../src/host/node-host.ts'
import { type Connection, connect } from '../../src/perform/connection.ts'
import { load } from '../../src/perform/generated/load.ts'
import { perform } from '../../src/perform/perform.ts'
import { listening, type Statement } from '../support/listening.ts'
import { withTemp } from '../support/temp.ts'

const epic = 'T001'

/** Commands whose cost must not depend on the number of tasks or log entries. */
const flat: [string, object][] = [
  ['orchestrate.status', {}],
  ['orchestrate.status', { epic }],
  ['orchestrate.next', {}],
  ['orchestrate.next', { epic }],
  ['orchestrate.ready', { epic }],
  ['orchestrate.prime', {}],
  ['orchestrate.prime', { epic }],
  ['tasks.list', {}],
  ['tasks.list', { all: true }],
  ['tasks.list', { after: 'T001' }],
  ['tasks.list', { status: 'done', after: 'T001' }],
  ['tasks.list', { epic, after: 'T001' }],
  ['tasks.list', { epic, all: true }],
  ['tasks.list', { epic, status: 'blocked' }],
  ['tasks.list', { parent: epic, after: 'T001' }],
  ['tasks.list', { parent: epic, status: 'done' }],
  ['tasks.list', { type: 'epic', after: 'T001' }],
  ['tasks.list', { priority: 'high', after: 'T001' }],
  ['tasks.list', { size: 'large', after: 'T001' }],
  ['tasks.list', { label: 'a', after: 'T001' }],
  ['tasks.tree', {}],
  ['tasks.tree', { id: epic, all: true }],
  ['inbox.list', {}],
  ['admin.log', {}],
  ['admin.log', { task: 'T002', after: 99 }],
  ['admin.log', { actor: 'ada', after: 99 }],
  ['admin.log', { operation: 'tasks.add', after: 99 }],
  ['admin.log', { in: 'ses_4f0k2m9x1c7d', after: 99 }],
]

/**
 * Whether a step reads a whole table or sorts it. Reading the first rows of a table is fine. Sorting the rows of a
 * subquery named `run` is fine too, because they are no more than a page.
 */
const readsAll = ({ sql }: Statement, step: string, before = ''): boolean =>
  (/^SCAN (tasks|audit|labels|files|depends)\b/.test(step) &&
    (/\bWHERE\b/.test(sql) || !/\bLIMIT\b/.test(sql))) ||
  (step.startsWith('USE TEMP B-TREE') &&
    /\bFROM (tasks|audit)\b/.test(sql) &&
    !/^SCAN (\w+_)?run$/.test(before))

test('[PROJ-3] lists of tasks and log entries are read from an index that has their order, in SQLite', () =>
  withTemp(async (root) => {
    const host = { ...nodeHost(), cwd: root, env: {} }
    const plain = connect({ host, named: root, wait: 'retry' })
    const caller = { actor: { id: 'ada', agent: false }, dryRun: false }
    const run = async (name: string, input: object, connection: Connection) => {
      const result = await perform((await load(name))!, input, connection, caller)
      expect(result.ok, `${name}: ${result.ok || result.message}`).toBe(true)
    }
    await run('admin.init', {}, plain)
    await run('tasks.add', { title: 'epic', type: 'epic' }, plain)
    // 25 rows fill a page. With fewer, a list knows the total without counting.
    const batch = Array.from({ length: 25 }, (_, i) => ({
      title: `task ${i}`,
      parent: epic,
      labels: ['a'],
      priority: 'high',
      size: 'large',
    }))
    await run('tasks.add', { batch }, plain)
    await run('tasks.block', { id: 'T003', reason: 'later' }, plain)
    const store = await plain.store()
    const whole: string[] = []
    let explained = 0
    for (const [name, input] of flat) {
      const asked: Statement[] = []
      await run(name, input, { ...plain, store: async () => listening(store, asked) })
      for (const statement of asked) {
        const { sql, params } = statement
        const steps = await store.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...params)
        explained++
        for (const [i, { detail }] of steps.entries())
          if (readsAll(statement, detail, steps[i - 1]?.detail))
            whole.push(`${name} ${JSON.stringify(input)}: ${detail} in ${sql}`)
        // Few tasks are out, and their own index finds them. With an index by status, all pending tasks would be read.
        if (
          sql.includes('attempt_out > 0') &&
          !steps.some(({ detail }) => detail.includes('INDEX tasks_out'))
        )
          whole.push(`${name} ${JSON.stringify(input)}: not by tasks_out in ${sql}`)
      }
    }
    expect(explained).toBeGreaterThan(100)
    expect(whole).toEqual([])
    await plain.close()
  }))
