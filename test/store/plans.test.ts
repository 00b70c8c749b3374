import { expect, test } from 'vitest'
import { nodeHost } from '../../src/host/node-host.ts'
import { type Connection, connect } from '../../src/perform/connection.ts'
import { load } from '../../src/perform/generated/load.ts'
import { perform } from '../../src/perform/perform.ts'
import type { Store } from '../../src/store/port.ts'
import { listening, type Statement } from '../support/listening.ts'
import { postgresDatabase } from '../support/postgres.ts'
import { withTemp } from '../support/temp.ts'

const size = 20_000
const id = (n: string) => `'T' || lpad((${n})::text, greatest(3, length((${n})::text)), '0')`

/** Adds an epic with many tasks and the rows that belong to each task, all in a few SQL statements. */
const fill = async (store: Store): Promise<void> => {
  const many = `generate_series(2, ${size}) AS n`
  await store.tx(async (db) => {
    await db.run(
      `INSERT INTO tasks (seq, id, title, description, type, parent, root, status, priority, size, completes, origin, epoch,
         blockers, unblocks, children, created_at, updated_at)
       SELECT n, ${id('n')}, 'task ' || n, 'words', CASE n WHEN 1 THEN 'epic' ELSE 'task' END, CASE n WHEN 1 THEN NULL ELSE 'T001' END,
         'T001', 'pending', n % 4, 'medium', 'auto', 'ada', 0, 0, 0, CASE n WHEN 1 THEN ${size - 1} ELSE 0 END, n, n
       FROM generate_series(1, ${size}) AS n`,
    )
    await db.run(
      `INSERT INTO depends (task, needs, pos) SELECT ${id('n')}, ${id('n - 1')}, 0 FROM ${many} WHERE n % 3 = 0`,
    )
    await db.run('UPDATE tasks SET blockers = 1 WHERE seq % 3 = 0 AND seq > 1')
    await db.run(`INSERT INTO labels (task, label, pos) SELECT ${id('n')}, 'l' || n % 50, 0 FROM ${many}`)
    await db.run(`INSERT INTO files (task, path, pos) SELECT ${id('n')}, 'src/' || n, 0 FROM ${many}`)
    await db.run(
      `INSERT INTO criteria (task, n, text, source, state) SELECT ${id('n')}, 1, 'x', 'given', 'open' FROM ${many}`,
    )
    await db.run(`INSERT INTO notes (task, at, actor, text) SELECT ${id('n')}, n, 'ada', 'x' FROM ${many}`)
    await db.run(
      `INSERT INTO audit (at, actor, operation, task) SELECT n, 'ada', 'tasks.add', ${id('n')} FROM ${many}`,
    )
    await db.run(
      `INSERT INTO claims (task, owner, epoch, state, expires_at) SELECT ${id('n')}, 'a' || n, 1, 'lost', n FROM ${many}`,
    )
    await db.run(
      `INSERT INTO focus (session, agent, task, since) SELECT '', 'a' || n, ${id('n')}, n FROM ${many}`,
    )
    await db.run(
      `INSERT INTO spawns (id, task, attempt, protocol, tier, hash, tokens, actor, at, asked, report, prompt)
       SELECT ${id('n')} || '.1', ${id('n')}, 1, 'research', 1, 'x', 1, 'ada', n, '{}', '{"skills":[]}', 'x' FROM ${many} WHERE n <> 500`,
    )
    await db.run(
      `INSERT INTO worktrees (spawn, task, epic, folder, base, made_by, slot, port_base, state, at)
       SELECT ${id('n')} || '.1', ${id('n')}, 'T001', '/w/' || n, 'x', 'cleo', n, 0, 'gone', n FROM ${many}`,
    )
    await db.run(
      `INSERT INTO returns (task, spawn, at, actor, breach)
       SELECT ${id('n')}, ${id('n')} || '.1', n, 'ada', 'manifest.missing' FROM ${many} WHERE n <> 500`,
    )
    await db.run(
      `INSERT INTO entries (id, task, spawn, status, body, appended_at)
       SELECT ${id('n')} || '-x', ${id('n')}, ${id('n')} || '.1', 'complete', '{}', n FROM ${many}`,
    )
    await db.run(
      `INSERT INTO evidence (task, gate, state, atoms, actor, at) SELECT ${id('n')}, 'documented', 'passed', '[]', 'ada', n FROM ${many}`,
    )
    await db.run(
      `INSERT INTO links (task, entry, at, actor) SELECT ${id('n')}, ${id('n')} || '-x', n, 'ada' FROM ${many}`,
    )
    await db.run(
      `INSERT INTO memory (kind, text, actor, at) SELECT 'learning', 'words ' || n, 'ada', n FROM ${many}`,
    )
    await db.run(`INSERT INTO memory_tasks (memory, task) SELECT n - 1, ${id('n')} FROM ${many}`)
    await db.run(
      `INSERT INTO texts (kind, ref, words) SELECT 'memory', (n - 1)::text, to_tsvector('simple', 'words ' || n) FROM ${many}`,
    )
    await db.run(
      `INSERT INTO consensus (task, question, threshold, round, actor, at) SELECT ${id('n')}, 'x', 0.5, 1, 'ada', n FROM ${many}`,
    )
    await db.run(`INSERT INTO consensus_options (consensus, name, pos) SELECT n - 1, 'a', 0 FROM ${many}`)
    await db.run(
      `INSERT INTO consensus_voters (task, consensus, round, pos) SELECT ${id('n')}, n - 1, 1, 1 FROM ${many} WHERE n <> 500`,
    )
    await db.run(
      `INSERT INTO votes (consensus, round, agent, option, position, confidence, rationale, evidence, conflicts, at)
       SELECT n - 1, 1, 'ada', 'a', 'accept', 1, 'x', '[]', '[]', n FROM ${many}`,
    )
    await db.run(
      `INSERT INTO stage_moves (epic, move, from_stage, actor, at) SELECT ${id('n')}, 'advance', 'research', 'ada', n FROM ${many}`,
    )
    await db.run(
      `INSERT INTO questions (kind, matter, question, asked, actor, at, answered_at) SELECT 'person', 'm' || n, 'x', '{}', 'ada', n, n FROM ${many}`,
    )
    await db.run(
      `INSERT INTO evidence (task, gate, state, atoms, actor, at) SELECT ${id('n')}, 'documented', 'passed', '[]', 'ada', n FROM ${many}`,
    )
    await db.run(`UPDATE counters SET value = ${size} WHERE name = 'task'`)
  })
  await store.all('ANALYZE')
}

const hot: [string, object][] = [
  ['tasks.show', { id: 'T500' }],
  ['tasks.find', { query: 'T500', exact: true }],
  ['tasks.exists', { id: 'T500' }],
  ['orchestrate.next', { epic: 'T001' }],
  ['orchestrate.next', {}],
  ['orchestrate.status', {}],
  ['orchestrate.status', { epic: 'T001' }],
  ['tasks.list', {}],
  ['tasks.list', { all: true, epic: 'T001' }],
  ['tasks.list', { status: 'blocked', epic: 'T001' }],
  ['tasks.list', { parent: 'T001' }],
  ['tasks.list', { type: 'epic' }],
  ['tasks.list', { priority: 'critical' }],
  ['tasks.list', { size: 'large' }],
  ['admin.log', { task: 'T500' }],
  ['admin.log', { actor: 'nobody' }],
  ['admin.log', { operation: 'tasks.cancel' }],
  ['focus.show', {}],
  ['focus.set', { id: 'T500' }],
  ['tasks.note', { id: 'T500', text: 'x' }],
  ['tasks.add', { title: 'x', parent: 'T001', depends: ['T500'], labels: ['l1'] }],
  ['tasks.update', { id: 'T600', addDepends: ['T500'], priority: 'high' }],
  ['orchestrate.spawn', { id: 'T601' }],
  ['orchestrate.spawn.list', { task: 'T601' }],
  ['tasks.complete', { id: 'T500' }],
  ['verify.view', { id: 'T600' }],
  ['pipeline.manifest.show', { id: 'T600' }],
  ['research.links', { id: 'T600' }],
  ['memory.find', { query: 'words 77', limit: 5 }],
  ['memory.show', { id: 'M77' }],
  ['consensus.tally', { id: 'C77' }],
]

test('[PROJ-3] the statements of everyday commands go by index in PostgreSQL', () =>
  withTemp(async (root) => {
    const host = { ...nodeHost(), cwd: root, env: { CLEO_DATABASE_URL: await postgresDatabase() } }
    const plain = connect({ host, named: root, wait: 'retry' })
    const caller = { actor: { id: 'ada', agent: false }, dryRun: false }
    await perform((await load('admin.init'))!, {}, plain, caller)
    const store = await plain.store()
    await fill(store)
    const whole: string[] = []
    for (const [name, input] of hot) {
      const asked: Statement[] = []
      const connection: Connection = { ...plain, store: async () => listening(store, asked) }
      const result = await perform((await load(name))!, input, connection, caller)
      expect(result.ok, `${name}: ${result.ok || result.message}`).toBe(true)
      expect(asked.length).toBeGreaterThan(0)
      for (const { sql, params } of asked) {
        const plan = await store.all<Record<string, string>>(`EXPLAIN ${sql}`, ...params)
        const lines = plan.map((row) => Object.values(row)[0]!)
        const scan = lines.find((line) => /Seq Scan on (?!sessions|counters|task_counts)/.test(line))
        if (scan) whole.push(`${name}: ${scan.trim()} in ${sql}`)
      }
    }
    expect(whole).toEqual([])
    await plain.close()
  }))
