import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { openProject } from '../../src/index.ts'
import { commit, repository } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'
import { finishOnce } from './finish-worker.ts'
import { manifestOf } from './manifest-state.ts'

/**
 * Kills processes that finish a task, each at another statement or step. Whatever a killed process has left, the next
 * finish completes the task: with one entry, evidence once, and one completion.
 */
export const killFinishers = async ({ kills, lanes }: { kills: number; lanes: number }): Promise<void> => {
  const results = await Promise.all(
    Array.from({ length: lanes }, (_, lane) => killInOneProject({ lane, lanes, kills })),
  )
  const left = results.flat()
  console.log(`finish kills: ${left.length} of ${kills} processes killed`)
  expect(left.length, 'most processes are killed before they end').toBeGreaterThan(kills * 0.8)
}

interface Lane {
  lane: number
  lanes: number
  kills: number
}

const killInOneProject = ({ lane, lanes, kills }: Lane): Promise<string[]> =>
  withTemp(async (project) => {
    const opened = openProject({ project, as: 'ada' })
    repository(project)
    await opened.call('admin.init', {})
    const killed: string[] = []
    // The first one is not killed: it tells how many moments there are.
    const first = await begin(project, 1)
    const { answer, moments } = await finishOnce({ project, task: first, diesAt: 0 })
    expect(answer).toMatchObject({ ok: true })
    for (let i = lane, n = 2; i < kills; i += lanes, n++) {
      const task = await begin(project, n)
      const diesAt = 1 + Math.floor((i * moments) / kills)
      if (await killedAt({ project, task, diesAt })) killed.push(task)
      const { answer: again } = await finishOnce({ project, task, diesAt: 0 })
      expect(again, `after a kill at ${diesAt}`).toMatchObject({ ok: true, value: { status: 'done' } })
      check(project, task, diesAt)
    }
    await opened.close()
    return killed
  })

/** Adds and spawns a task, starts on it, and does its work. */
const begin = async (project: string, n: number): Promise<string> => {
  const opened = openProject({ project, as: 'ada' })
  const added = await opened.call('tasks.add', {
    title: `Form ${n}`,
    acceptance: ['has a form', 'has tests'],
    description: 'Build it.',
  })
  const task = added.ok && 'id' in added.value ? added.value.id : ''
  await opened.call('orchestrate.spawn', { id: task, ref: true })
  const subagent = openProject({ project, as: `${task}.1` })
  const focus = await subagent.call('focus.set', { id: task })
  const output = focus.ok ? focus.value.output! : ''
  writeFileSync(output, readFileSync(output, 'utf8').replace('## Summary\n', '## Summary\n\nIt is done.\n'))
  commit(project, `Build form ${n}\n\nTask: ${task}`, { [`src/form-${n}.ts`]: `export const form = ${n}\n` })
  await subagent.close()
  await opened.close()
  return task
}

const killedAt = (options: { project: string; task: string; diesAt: number }): Promise<boolean> => {
  const script = join(import.meta.dirname, 'finish-worker.ts')
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    cwd: options.project,
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      HOME: join(options.project, '.home'),
      NODE_COMPILE_CACHE: join(options.project, '.home', 'compile-cache'),
      NODE_NO_WARNINGS: '1',
    },
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (_, signal) => resolve(signal === 'SIGKILL'))
  })
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
