import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { openProject } from '../../src/index.ts'
import { compileCache } from './compile-cache.ts'
import { startPostgres } from './postgres-server.ts'
import { withTemp } from './temp.ts'

export interface Chaos {
  tasks: number
  workers: number
  kills: number
  cuts: number
  restarts: number
  /** The share of claims after which the agent hangs until another agent has claimed the task. */
  hangs: number
}

export interface Aftermath {
  open: number
  lostNotes: string[]
  lostCompletions: string[]
  /** Completions by an agent that was not the last to claim the task. */
  stale: string[]
  /** How often an agent came too late: it was refused, or another agent had completed the task. */
  overtaken: number
  acknowledged: number
}

const worker = join(import.meta.dirname, '..', 'reliability', 'chaos-worker.ts')
const leaseMinutes = 0.02

/** Runs agents on one PostgreSQL while processes are killed, connections cut and the server restarted. */
export const playChaos = (chaos: Chaos): Promise<Aftermath> =>
  withTemp(async (root) => {
    const server = await startPostgres()
    try {
      const address = await server.database('chaos')
      process.env['CLEO_DATABASE_URL'] = address
      const project = openProject({ project: root, as: 'ada' })
      await project.call('admin.init', {})
      const config = join(root, '.cleo', 'config.json')
      const { project: id } = JSON.parse(readFileSync(config, 'utf8')) as { project: string }
      writeFileSync(config, JSON.stringify({ project: id, claims: { lease: leaseMinutes } }))
      await project.call('tasks.add', {
        batch: Array.from({ length: chaos.tasks }, (_, i) => ({ title: `task ${i}` })),
      })
      const lines = await struggle(root, address, server.restart, chaos)
      const found = await aftermath(project, lines, address, id)
      await project.close()
      return found
    } finally {
      delete process.env['CLEO_DATABASE_URL']
      await server.stop()
    }
  })

const struggle = async (
  root: string,
  address: string,
  restart: () => Promise<void>,
  chaos: Chaos,
): Promise<string[]> => {
  const lines: string[] = []
  const running = new Map<number, ChildProcess>()
  let finished = 0
  const begin = (n: number, attempt: number): void => {
    const child = spawn(
      process.execPath,
      [worker, root, `w${n}.${attempt}`, String(chaos.hangs), String(n * 100 + attempt)],
      {
        env: {
          ...process.env,
          CLEO_DATABASE_URL: address,
          ...compileCache,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    running.set(n, child)
    let text = ''
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    child.on('close', (code) => {
      lines.push(...text.split('\n').filter(Boolean))
      if (code === 0) finished++
      else begin(n, attempt + 1)
    })
  }
  for (let n = 1; n <= chaos.workers; n++) begin(n, 1)
  const deeds: (() => Promise<unknown>)[] = [
    ...Array.from(
      { length: chaos.kills },
      (_, i) => async () => running.get((i % chaos.workers) + 1)!.kill('SIGKILL'),
    ),
    ...Array.from({ length: chaos.cuts }, () => () => cutOne(address)),
    ...Array.from({ length: chaos.restarts }, () => restart),
  ]
  // Shuffle in the same way every time.
  deeds.sort((a, b) => ((deeds.indexOf(a) * 7) % deeds.length) - ((deeds.indexOf(b) * 7) % deeds.length))
  for (const deed of deeds) {
    await sleep(250)
    await deed()
  }
  while (finished < chaos.workers) await sleep(50)
  return lines
}

const cutOne = async (address: string): Promise<void> => {
  const client = new Client(address)
  client.on('error', () => undefined)
  await client.connect()
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'cleo' AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1`,
  )
  await client.end()
}

const aftermath = async (
  project: ReturnType<typeof openProject>,
  lines: string[],
  address: string,
  id: string,
): Promise<Aftermath> => {
  const said = lines.map((line) => line.split(' '))
  const client = new Client({ connectionString: address, options: `-c search_path=cleo_${id}` })
  await client.connect()
  const notes = new Set(
    (await client.query("SELECT task || ' ' || text AS note FROM notes")).rows.map(({ note }) => note),
  )
  const closed = new Set(
    (await client.query("SELECT id FROM tasks WHERE status = 'done'")).rows.map((row) => row.id),
  )
  const stale = await client.query(
    `SELECT c.task AS task FROM audit c WHERE c.operation = 'tasks.complete' AND c.actor <> (
       SELECT f.actor FROM audit f WHERE f.operation = 'focus.set' AND f.task = c.task AND f.seq < c.seq
       ORDER BY f.seq DESC LIMIT 1)`,
  )
  await client.end()
  const open = await project.call('tasks.list', { limit: 1 })
  const mine = (word: string) => said.filter(([first]) => first === word)
  return {
    open: open.ok ? (open.page?.total ?? -1) : -1,
    lostNotes: mine('note')
      .map(([, task, text]) => `${task} ${text}`)
      .filter((note) => !notes.has(note)),
    lostCompletions: mine('done').flatMap(([, task]) => (closed.has(task) ? [] : [task!])),
    stale: stale.rows.map(({ task }) => task),
    overtaken: mine('refused').length + mine('late').length,
    acknowledged: mine('note').length + mine('done').length,
  }
}
