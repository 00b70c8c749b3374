import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { commit, repository } from '../support/subagent.ts'
import { together, withTemp } from '../support/temp.ts'
import { finishOnce } from './finish-worker.ts'
import { call, killedAt } from './killed-at.ts'
import { manifestOf } from './manifest-state.ts'

/**
 * Kills processes that finish a task, each at a different statement or step. Whatever a killed process leaves behind,
 * the next finish completes the task, with one entry, its evidence once, and one completion.
 */
export const killFinishers = async ({ kills, lanes }: { kills: number; lanes: number }): Promise<void> => {
  const results = await together(
    Array.from({ length: lanes }, (_, lane) => killInOneProject({ lane, lanes, kills })),
  )
  const left = results.flat()
  console.log(`finish kills: ${left.length} of ${kills} processes killed`)
  expect(left.length, 'most processes are killed before they end').toBeGreaterThan(kills / 2)
}

interface Lane {
  lane: number
  lanes: number
  kills: number
}

const killInOneProject = ({ lane, lanes, kills }: Lane): Promise<string[]> =>
  withTemp(async (project) => {
    repository(project)
    await call(project, 'ada', 'admin.init', {})
    await call(project, 'ada', 'tasks.add', { title: 'Forms', type: 'epic' })
    await call(project, 'ada', 'tasks.update', { id: 'T001', completes: 'manual' })
    const killed: string[] = []
    // The first process is not killed. It shows at how many moments a process can be killed.
    const first = await begin(project, 1)
    const { answer, moments } = await finishOnce({ project, task: first, diesAt: 0 })
    expect(answer, JSON.stringify(answer)).toMatchObject({ ok: true })
    for (let i = lane, n = 2; i < kills; i += lanes, n++) {
      const task = await begin(project, n)
      const diesAt = 1 + Math.floor((i * moments) / kills)
      if (await killedAt('finish-worker.ts', { project, task, diesAt })) killed.push(task)
      const { answer: again } = await finishOnce({ project, task, diesAt: 0 })
      expect(again, `after a kill at ${diesAt}`).toMatchObject({ ok: true, value: { status: 'done' } })
      check(project, task, diesAt)
    }
    return killed
  })

/** Adds, spawns and starts a task, and does its work. */
const begin = async (project: string, n: number): Promise<string> => {
  const title = `Form ${n}`
  const acceptance = ['has a form', 'has tests']
  const { id: task } = await call<{ id: string }>(project, 'ada', 'tasks.add', {
    title,
    acceptance,
    parent: 'T001',
    description: 'Build it.',
  })
  await call(project, 'ada', 'orchestrate.spawn', { id: task, ref: true, here: true })
  const { output } = await call<{ output: string }>(project, `${task}.1`, 'focus.set', { id: task })
  writeFileSync(output, readFileSync(output, 'utf8').replace('## Summary\n', '## Summary\n\nIt is done.\n'))
  const form = `export const form = ${n}\n`
  const files = { [`src/form-${n}.ts`]: form, [`test/form-${n}.test.ts`]: form }
  commit(project, `Build form ${n}\n\nTask: ${task}`, files)
  return task
}

const check = (project: string, task: string, diesAt: number): void => {
  const database = new DatabaseSync(join(project, '.cleo', 'cleo.db'), { readOnly: true })
  const all = <T>(sql: string) => database.prepare(sql).all(task) as T[]
  const when = `after a kill at ${diesAt}`
  const entries = all<{ id: string }>('SELECT id FROM entries WHERE task = ?')
  expect(entries, `one entry ${when}`).toHaveLength(1)
  const given = all<{ what: string }>(
    "SELECT coalesce(gate, 'criterion ' || criterion) AS what FROM evidence WHERE task = ? ORDER BY what",
  ).map(({ what }) => what)
  const once = ['criterion 1', 'criterion 2', 'implemented', 'qaPassed', 'testsPassed']
  expect(given, `evidence is there once ${when}`).toEqual(once)
  const done = all(`SELECT 1 FROM audit WHERE task = ? AND after LIKE '{"status":"done"%'`)
  expect(done, `one completion ${when}`).toHaveLength(1)
  database.close()
  const lines = readFileSync(manifestOf(project), 'utf8').split('\n').filter(Boolean)
  const own = lines.filter((line) => (JSON.parse(line) as { id: string }).id.startsWith(`${task}-`))
  expect(own, `one line ${when}`).toHaveLength(1)
}
