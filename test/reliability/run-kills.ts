import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { processesOf } from '../../src/host/node-own-processes.ts'
import { executable, type Runtime, run, runtimeEnvironment } from '../support/cleo.ts'
import { git, repository } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'
import { random } from './random.ts'

interface Load {
  tasks: number
  parallel: number
  /** How many times the process that drives the run is killed with -9. */
  kills: number
  seed: number
  runtime?: Runtime
}

/**
 * Drives a run with scripted agents and real git, and kills the driver with -9 at random events. After each resume the
 * run goes on: in the end, every task is merged once, nothing is lost, and no process of an agent is left.
 */
export const killRuns = ({ tasks, parallel, kills, seed, runtime = executable }: Load): Promise<void> =>
  withTemp(async (root) => {
    const chance = random(seed)
    repository(root)
    const cleo = (...args: string[]) => {
      const ran = run(runtime, args, { cwd: root })
      if (ran.exit !== 0) throw new Error(`${args.join(' ')}: ${ran.stdout}${ran.stderr}`)
    }
    cleo('init')
    cleo('add', 'Modules', '--type', 'epic', '--description', 'All of them.')
    const rows = Array.from({ length: tasks }, (_, n) => ({
      ...{ key: `k${n}`, title: `Build module ${n}`, description: 'Build it.', parent: 'T001' },
      ...(n >= parallel && n % 3 === 0 && { depends: [`k${n - parallel}`] }),
    }))
    run(runtime, ['add', '--batch'], { cwd: root, input: rows.map((row) => JSON.stringify(row)).join('\n') })
    const scenario = join(root, '.home-scenario.json')
    writeFileSync(scenario, JSON.stringify({ tasks: { '*': [buildSteps] } }))

    let left = kills
    let args = ['run', 'T001', '--agent', 'scripted', '--scenario', scenario, '--parallel', String(parallel)]
    for (let round = 0; ; round++) {
      expect(round, 'the run comes to an end').toBeLessThan(kills + 3)
      const most = left > 0 ? 2 + chance.below(Math.max(4, Math.ceil((tasks * 8) / (kills + 1)))) : undefined
      const exit = await driven(runtime, args, root, most)
      if (exit === 0) break
      expect(exit, 'killed').toBe('killed')
      left--
      args = ['run', 'resume', 'R001']
    }
    await check(root, tasks)
  })

/**
 * Drives a run with agents that never end by themselves, and kills the driver with -9. Nobody resumes the run. Returns
 * the milliseconds until no process of an agent was left.
 */
export const killWithoutResume = ({
  parallel,
  runtime = executable,
}: Pick<Load, 'parallel' | 'runtime'>): Promise<number> =>
  withTemp(async (root) => {
    repository(root)
    const cleo = (args: string[], input = '') => {
      const ran = run(runtime, args, { cwd: root, input })
      if (ran.exit !== 0) throw new Error(`${args.join(' ')}: ${ran.stdout}${ran.stderr}`)
    }
    cleo(['init'])
    cleo(['add', 'Modules', '--type', 'epic', '--description', 'All of them.'])
    const rows = Array.from({ length: parallel }, (_, n) => ({
      ...{ title: `Build module ${n}`, description: 'Build it.', parent: 'T001' },
    }))
    cleo(['add', '--batch'], rows.map((row) => JSON.stringify(row)).join('\n'))
    const scenario = join(root, '.home-scenario.json')
    const steps = [{ run: ['sh', '-c', 'setsid sleep 600 > /dev/null 2>&1 < /dev/null &'] }, { hang: true }]
    writeFileSync(scenario, JSON.stringify({ tasks: { '*': [steps] } }))
    const args = ['run', 'T001', '--agent', 'scripted', '--scenario', scenario, '--parallel', `${parallel}`]
    expect(await driven(runtime, args, root, parallel, /\bstarted\b/)).toBe('killed')
    const killed = performance.now()
    const db = new DatabaseSync(join(root, '.cleo', 'cleo.db'), { readOnly: true })
    const markers = db.prepare('SELECT marker FROM run_agents').all() as { marker: string }[]
    db.close()
    expect(markers).toHaveLength(parallel)
    const left = () =>
      markers.flatMap(({ marker }) => processesOf({ variable: 'CLEO_RUN_MARKER', value: marker }))
    while (left().length > 0 && performance.now() - killed < 60_000) await pause(250)
    expect(left(), 'no process of an agent is left').toEqual([])
    return performance.now() - killed
  })

/** What a scripted agent does that builds one file and submits it. */
export const buildSteps = [
  { cleo: ['focus', 'set', '{{task}}'] },
  { summary: 'It is done.' },
  { write: 'src/{{task}}.ts', text: 'export const n = 1\n' },
  { commit: 'Build {{task}}' },
  { cleo: ['finish', '{{task}}', '--finding', 'It is built.', '--no-tests', 'The test plays an agent.'] },
]

/** Runs the driver until it ends, or kills it once it has printed `most` lines of a kind. */
const driven = (
  { command, ...runtime }: Runtime,
  args: readonly string[],
  cwd: string,
  most: number | undefined,
  kind = /./,
): Promise<number | 'killed'> =>
  new Promise((resolve) => {
    const [program, ...first] = command
    const env = runtimeEnvironment({ command, ...runtime }, { cwd })
    const child = spawn(program, [...first, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
    let lines = 0
    const all: string[] = []
    createInterface({ input: child.stdout }).on('line', (line) => {
      all.push(line)
      if (kind.test(line) && ++lines === most) child.kill('SIGKILL')
    })
    child.on('close', (code) => {
      if (code !== null && code !== 0) console.error(all.slice(-5).join('\n'))
      resolve(code ?? 'killed')
    })
  })

const check = async (root: string, tasks: number): Promise<void> => {
  const db = new DatabaseSync(join(root, '.cleo', 'cleo.db'), { readOnly: true })
  const open = db
    .prepare("SELECT id, status, merge, reason FROM tasks WHERE type = 'task' AND merge <> 'merged'")
    .all()
  const said = db
    .prepare('SELECT task, kind, data FROM run_events ORDER BY seq DESC LIMIT 20')
    .all()
    .map((row) => JSON.stringify(row))
  expect(open, said.toReversed().join('\n')).toEqual([])
  const twice = db
    .prepare(
      "SELECT task, count(*) AS n FROM merges WHERE state = 'merged' GROUP BY task HAVING count(*) > 1",
    )
    .all()
  expect(twice, 'no task was merged twice').toEqual([])
  const markers = db.prepare('SELECT marker FROM run_agents').all() as { marker: string }[]
  db.close()
  for (let n = 1; n <= tasks; n++) {
    const id = `T${String(n + 1).padStart(3, '0')}`
    expect(git(root, 'show', `cleo/T001:src/${id}.ts`), id).toBe('export const n = 1')
  }
  git(root, 'fsck', '--strict', '--no-dangling')
  const left = () =>
    markers.flatMap(({ marker }) => processesOf({ variable: 'CLEO_RUN_MARKER', value: marker }))
  for (let waited = 0; left().length > 0 && waited < 600; waited++) await pause(100)
  expect(left(), 'no process of an agent is left').toEqual([])
}
