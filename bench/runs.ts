import { spawn as startProcess } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { succeed } from './measure.ts'
import type { Programs } from './programs.ts'
import type { Row } from './table.ts'

const tasks = 30
const emptyRuns = 20

/**
 * Measures what the driver of a run costs. The first row is the CPU time of the driver for each task after the first,
 * divided by that of an empty executable. It leaves out git, the agents and the commands of the gates, but includes
 * starting these processes, because the system counts the start for the driver. The second row is the time from a merge
 * to the spawn of the task that waited for it.
 */
export const runCosts = async (programs: Programs, folder: string): Promise<Row[]> => {
  const { cwd, env } = settle(programs, folder)
  const args = [
    'run',
    'T001',
    '--agent',
    'command',
    '--command',
    join(env.HOME, 'agent.sh'),
    '--parallel',
    '1',
  ]
  const used = await cpuOf(programs.cleo, args, { cwd, env })
  const empty = Array.from({ length: emptyRuns }, () =>
    programs.clock.run({ program: programs.empty, args: [], cwd, env }),
  ).map((run) => run.cpu)
  const db = new DatabaseSync(join(cwd, '.cleo', 'cleo.db'), { readOnly: true })
  const events = db
    .prepare("SELECT kind, at FROM run_events WHERE kind IN ('merged', 'spawn') ORDER BY seq")
    .all()
  const { n } = db
    .prepare("SELECT count(*) AS n FROM tasks WHERE type = 'task' AND merge = 'merged'")
    .get() as { n: number }
  db.close()
  if (n !== tasks) throw new Error(`${n} of ${tasks} tasks were merged`)
  const waits = events.flatMap(({ kind, at }, i) =>
    kind === 'spawn' && events[i - 1]?.['kind'] === 'merged'
      ? [Number(at) - Number(events[i - 1]!['at'])]
      : [],
  )
  const merges = events.flatMap(({ kind, at }) => (kind === 'merged' ? [Number(at)] : []))
  // Leaves out the first task, which pays for the start of the run.
  const cpu = (used(merges.at(-1)!) - used(merges[0]!)) / (merges.length - 1)
  return [
    {
      name: 'run, CPU of the driver for a task / empty executable',
      values: [cpu / median(empty)],
    },
    { name: 'run, milliseconds from ready to spawn', values: [median(waits)] },
  ]
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** Creates an epic whose tasks wait for each other, and an agent that does nothing but submit. */
const settle = ({ cleo }: Programs, folder: string) => {
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

/**
 * Runs a program. Returns a function that takes a time and tells how many milliseconds of processor time the program
 * had used by then, without the programs that it started.
 */
const cpuOf = (program: string, args: readonly string[], at: { cwd: string; env: Record<string, string> }) =>
  new Promise<(time: number) => number>((resolve, reject) => {
    const child = startProcess(program, args, { ...at, stdio: 'ignore' })
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
    child.once('close', (code) => {
      clearInterval(timer)
      if (code === 0) resolve((time) => samples.findLast((sample) => sample.time <= time)?.ms ?? 0)
      else reject(new Error(`${args.join(' ')} ended with ${code}`))
    })
  })
