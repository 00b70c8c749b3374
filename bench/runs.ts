import { spawnSync, spawn as startProcess } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { countingGit } from './counting-git.ts'
import { succeed } from './measure.ts'
import type { Programs } from './programs.ts'
import type { Row } from './table.ts'

const tasks = 30
const tasksOfCount = 6
const emptyRuns = 20
/** How often a run is measured. The result is the lower quartile, as in the other rows. */
const rounds = 5

/**
 * Measures what a run costs. Leaves out the cost of git, of the agents and of the commands of gates. One main figure is
 * the CPU time that the driver uses for each task after the first, as a multiple of the CPU time of an empty
 * executable. The other main figure is the time from a merge to the spawn of the task that waited for it.
 *
 * The system counts the time of starting git and agents as CPU time of the driver. To subtract this time, one run
 * counts how often the driver starts git for a task. Then `bare-starts.ts` starts git equally often, and also one
 * program in place of the agent. The CPU time of `bare-starts.ts` is subtracted.
 */
export const runCosts = async (programs: Programs, folder: string): Promise<Row[]> => {
  const processes = await gitProcessesOfTask(programs, `${folder}-counted`)
  const costs: RunCost[] = []
  for (let round = 0; round < rounds; round++)
    costs.push(await runCost(programs, `${folder}-${round}`, processes))
  const quartile = (of: (cost: RunCost) => number): number =>
    costs.map(of).toSorted((a, b) => a - b)[costs.length >> 2]!
  return [
    { name: 'run, CPU of the driver for a task / empty executable', values: [quartile(({ cpu }) => cpu)] },
    { name: 'run, git processes of a task', values: [processes] },
    {
      name: 'run, starting git and the agent of a task / empty executable',
      values: [quartile(({ starts }) => starts)],
    },
    {
      name: 'run, CPU of the driver without starting git and agents / empty executable',
      values: [quartile(({ cpu, starts }) => cpu - starts)],
    },
    { name: 'run, milliseconds from ready to spawn', values: [quartile(({ wait }) => wait)] },
  ]
}

/**
 * `cpu` and `starts` are CPU times, as multiples of the CPU time of an empty executable that is measured right after
 * the run. `wait` is in milliseconds.
 */
interface RunCost {
  cpu: number
  starts: number
  wait: number
}

const runCost = async (programs: Programs, folder: string, processes: number): Promise<RunCost> => {
  const { cwd, env } = settle(programs, folder, tasks)
  const { used } = await cpuOf(programs.cleo, runArgs(env), { cwd, env })
  const starts = await costOfStarts(programs, { cwd, env }, processes)
  const empty = Array.from({ length: emptyRuns }, () =>
    programs.clock.run({ program: programs.empty, args: [], cwd, env }),
  ).map((run) => run.cpu)
  const events = eventsOf(cwd, tasks)
  const waits = events.flatMap(({ kind, at }, i) =>
    kind === 'spawn' && events[i - 1]?.kind === 'merged' ? [at - events[i - 1]!.at] : [],
  )
  const merges = events.flatMap(({ kind, at }) => (kind === 'merged' ? [at] : []))
  // Leaves out the first task, which pays for the start of the run.
  const cpu = (used(merges.at(-1)!) - used(merges[0]!)) / (merges.length - 1)
  const floor = median(empty)
  return { cpu: cpu / floor, starts: starts / floor, wait: median(waits) }
}

/** Counts the git processes that the driver itself starts for a task, in a run with a `git` that logs its calls. */
const gitProcessesOfTask = async (programs: Programs, folder: string): Promise<number> => {
  const at = settle(programs, folder, tasksOfCount)
  const counting = countingGit(`${folder}-git`)
  const env = { ...at.env, PATH: `${counting.folder}:${at.env.PATH}` }
  const { pid } = await cpuOf(programs.cleo, runArgs(env), { cwd: at.cwd, env })
  eventsOf(at.cwd, tasksOfCount)
  const own = counting.calls().filter(({ parent }) => parent === pid)
  // Each task has one worktree. Counts the calls from the first `git worktree add` to the last one, to leave out the
  // start of the run.
  const begins = own.flatMap(({ args }, i) => (args.includes('worktree') && args.includes('add') ? [i] : []))
  return (begins.at(-1)! - begins[0]!) / (tasksOfCount - 1)
}

/**
 * Returns the CPU milliseconds that a program needs to start this many git processes and an agent, and nothing else.
 */
const costOfStarts = async (
  { starts }: Programs,
  { cwd, env }: { cwd: string; env: Record<string, string> },
  processes: number,
): Promise<number> => {
  const git = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim()
  const count = Math.round(processes)
  const { used, output } = await cpuOf(starts, [git, cwd, String(count), String(tasks)], { cwd, env })
  const [first, last] = output.trim().split('\n').map(Number)
  return (used(last!) - used(first!)) / (tasks - 1)
}

const runArgs = ({ HOME }: { HOME: string }): string[] => [
  ...['run', 'T001', '--agent', 'command', '--command', join(HOME, 'agent.sh')],
  ...['--parallel', '1'],
]

const eventsOf = (folder: string, all: number): { kind: string; at: number }[] => {
  const db = new DatabaseSync(join(folder, '.cleo', 'cleo.db'), { readOnly: true })
  const events = db
    .prepare("SELECT kind, at FROM run_events WHERE kind IN ('merged', 'spawn') ORDER BY seq")
    .all()
  const { n } = db
    .prepare("SELECT count(*) AS n FROM tasks WHERE type = 'task' AND merge = 'merged'")
    .get() as { n: number }
  db.close()
  if (n !== all) throw new Error(`${n} of ${all} tasks were merged`)
  return events.map(({ kind, at }) => ({ kind: String(kind), at: Number(at) }))
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** Creates an epic whose tasks wait for each other, and an agent that does nothing but submit. */
const settle = ({ cleo }: Programs, folder: string, tasks: number) => {
  const env = {
    PATH: `${join(cleo, '..')}:${process.env['PATH'] ?? ''}`,
    HOME: join(folder, '.home'),
    USER: 'bench',
  }
  mkdirSync(env.HOME, { recursive: true })
  mkdirSync(join(folder, '.cleo'))
  const config = { gates: { required: { implementation: ['implemented'] } } }
  writeFileSync(join(folder, '.cleo', 'config.json'), JSON.stringify(config))
  writeFileSync(join(folder, '.gitignore'), '.home/\n.cleo/\n')
  writeFileSync(join(env.HOME, '.gitconfig'), '[user]\nname = a\nemail = a@example.invalid\n[gc]\nauto = 0\n')
  writeFileSync(join(env.HOME, 'agent.sh'), agent)
  chmodSync(join(env.HOME, 'agent.sh'), 0o755)
  const rows = Array.from({ length: tasks }, (_, n) => ({
    ...{ key: `k${n}`, title: `Build ${n}`, description: 'Build it.', parent: 'T001' },
    ...(n > 0 && { depends: [`k${n - 1}`] }),
  }))
  const batch = join(env.HOME, 'rows.jsonl')
  writeFileSync(batch, rows.map((row) => JSON.stringify(row)).join('\n'))
  const at = { cwd: folder, env }
  for (const words of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'Begin'],
  ])
    succeed({ program: 'git', args: words, ...at })
  for (const words of [['init'], ['add', 'Epic', '--type', 'epic'], ['trust', '--yes']])
    succeed({ program: cleo, args: words, ...at })
  succeed({ program: cleo, args: ['add', '--batch'], ...at, input: batch })
  return at
}

const agent = `#!/bin/sh
cat > /dev/null
task=\${CLEO_AGENT_ID%.*}
cleo focus set $task > /dev/null
echo "$task" > $task.txt
sed -i 's/^## Summary$/## Summary\\n\\nIt is done./' claudedocs/agent-outputs/$task-*
git add -A
git commit -q -m "Build $task"
cleo finish $task --finding "It is built." --no-tests "A benchmark." > /dev/null
`

const ticksPerSecond = 100

interface Used {
  pid: number
  output: string
  /** Returns how many milliseconds of processor time the program itself had used by the given time. */
  used(time: number): number
}

/** Runs a program and follows its processor time. The time of the programs that it starts is not included. */
const cpuOf = (program: string, args: readonly string[], at: { cwd: string; env: Record<string, string> }) =>
  new Promise<Used>((resolve, reject) => {
    const file = join(at.env['HOME']!, 'output')
    const descriptor = openSync(file, 'w')
    const child = startProcess(program, args, { ...at, stdio: ['ignore', descriptor, 'ignore'] })
    closeSync(descriptor)
    const samples: { time: number; ms: number }[] = []
    const timer = setInterval(() => {
      try {
        const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        const ticks = Number(fields[11]) + Number(fields[12])
        samples.push({ time: Date.now(), ms: (ticks * 1000) / ticksPerSecond })
      } catch {
        // The process has ended.
      }
    }, 20)
    const used = (time: number) => samples.findLast((sample) => sample.time <= time)?.ms ?? 0
    child.once('close', (code) => {
      clearInterval(timer)
      if (code === 0) resolve({ pid: child.pid!, output: readFileSync(file, 'utf8'), used })
      else reject(new Error(`${args.join(' ')} ended with ${code}`))
    })
  })
