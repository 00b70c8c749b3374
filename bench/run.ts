import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { gitEvidence } from './git-evidence.ts'
import { hookCosts } from './hooks.ts'
import { mcpCosts } from './mcp.ts'
import { type Cost, ratio, type Trial } from './measure.ts'
import { plot } from './plot.ts'
import { besidePostgres } from './postgres.ts'
import { type Programs, withPrograms } from './programs.ts'
import { batchRows, nameCommit, placeProject, placeSkills } from './projects.ts'
import { runCosts } from './runs.ts'
import { scanning } from './scan.ts'
import { submittedWork } from './submitted-work.ts'
import { type Bars, isPast, markdown, print, type Row, type Table } from './table.ts'
import { textCosts } from './texts.ts'
import {
  analyze,
  bareInsert,
  bareRead,
  batchAdd,
  empty,
  enter,
  onNode,
  type Place,
  placeBare,
  reads,
  show,
  spawn,
  writes,
} from './trials.ts'
import { worktreeCosts } from './worktrees.ts'

/** `--quick` takes a minute. Its figures are too rough to compare with the limits in bars.json. */
const quick = process.argv.includes('--quick')
/** `--hooks` measures only the hooks and the MCP server. */
const hooksOnly = process.argv.includes('--hooks')
const textsOnly = process.argv.includes('--texts')
const runsOnly = process.argv.includes('--runs')
/** `--evidence` measures only submitted work and evidence from git. */
const evidenceOnly = process.argv.includes('--evidence')
const sizes = quick ? [10, 10_000, 100_000] : [10, 1000, 10_000, 100_000, 1_000_000]
const rounds = quick ? 8 : 40
// Run few rounds, because one long run takes as long as a hundred short ones.
const roundsOfLongRuns = quick ? 2 : 5
const rowsOfBatch = 100_000

/** A folder in memory if there is one. There, fsync costs nothing, so that only CLEO's own work is measured. */
const fast = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
/** How many bytes of memory must be free for the largest project. This includes two copies of its database. */
const memoryForAll = 4e9

const bars = JSON.parse(readFileSync(join(import.meta.dirname, 'bars.json'), 'utf8')) as Bars

const measure = async (programs: Programs): Promise<Table[]> => {
  const tables: Table[] = []
  const report = (table: Table): void => {
    print(table, bars)
    tables.push(table)
  }
  if (textsOnly) {
    await withFolder(fast, async (folder) => {
      const place = await settle(programs, 10, join(folder, 'texts'))
      report({ heading: 'times a bare line', rows: textCosts(programs, place, rounds) })
    })
    return tables
  }
  if (runsOnly) {
    await withFolder(fast, async (folder) =>
      report({ heading: 'runs', rows: await runCosts(programs, join(folder, 'runs')) }),
    )
    return tables
  }
  if (evidenceOnly) {
    await withFolder(fast, async (folder) => {
      report({ heading: 'times a bare read', rows: await submittedWork(programs, folder) })
      for (const table of gitEvidence(programs, folder)) report(table)
    })
    return tables
  }
  if (hooksOnly) {
    await withFolder(fast, async (folder) => {
      const place = await settle(programs, 10_000, join(folder, 'hooks'))
      report({ heading: 'times a bare read', rows: hookCosts(programs, place, rounds) })
      report({ heading: 'other figures', rows: await mcpCosts(programs.cleo, place) })
    })
    return tables
  }
  await withFolder(fast, async (folder) => {
    const places: Place[] = []
    for (const tasks of affordable()) {
      console.error(`a project of ${tasks.toLocaleString('en')} tasks …`)
      const place = await settle(programs, tasks, join(folder, String(tasks)))
      nameCommit(place.folder)
      places.push(place)
    }
    const passes = [measureEveryday(programs, places)]
    report({ heading: 'times a bare read', rows: await spawning(programs, folder) })
    report({
      heading: 'times a bare read',
      rows: hookCosts(programs, await settle(programs, 10_000, join(folder, 'hooks')), rounds),
    })
    report({ heading: 'times a bare line', rows: textCosts(programs, places[0]!, rounds) })
    if (!quick) {
      report({ heading: 'times a bare read', rows: await submittedWork(programs, folder) })
      for (const table of gitEvidence(programs, folder)) report(table)
      passes.push(measureEveryday(programs, places))
      report({ heading: 'worktrees', rows: await worktreeCosts(programs, folder) })
      report({ heading: 'runs', rows: await runCosts(programs, join(folder, 'runs')) })
      report({ heading: 'other figures', rows: await others(programs, places, folder) })
      passes.push(measureEveryday(programs, places))
    }
    const everydayTables = tablesOfEveryday(programs, places, fastest(passes))
    for (const table of everydayTables) print(table, bars)
    tables.unshift(...everydayTables)
  })
  if (quick) return tables
  await withFolder(tmpdir(), async (folder) => {
    const place = await settle(programs, 1000, join(folder, '1000'))
    const trials = [bareInsert(programs, place), ...writes(programs, place)]
    const [floor, ...costs] = programs.clock.interleave(trials, rounds)
    const rows = trials.slice(1).map(({ name }, i) => rowOf(`${name}, on disk`, costs[i], floor))
    report({ heading: 'times a bare insert, in the temporary folder', rows })
  })
  report({ heading: 'PostgreSQL, of 100,000 tasks', rows: await besidePostgres(programs, 100_000) })
  report({ heading: 'CPU time of twice the input', rows: scanning() })
  return tables
}

const affordable = (): number[] => {
  if (quick || freemem() > memoryForAll) return sizes
  console.error('LEFT OUT: 1,000,000 tasks, because less than 4 GB of memory are free')
  return sizes.slice(0, -1)
}

const withFolder = async (parent: string, work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(parent, 'cleo-bench-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const settle = async (programs: Programs, tasks: number, folder: string, skills = 0): Promise<Place> => {
  await placeProject(tasks, folder)
  placeSkills(skills, folder)
  const place = enter(programs, folder, tasks)
  placeBare(folder)
  return place
}

/** The first three programs are for comparison. The reads and writes are the commands that agents use most. */
const everyday = (programs: Programs, place: Place): Trial[] => [
  empty(programs, place),
  bareRead(programs, place),
  bareInsert(programs, place),
  ...reads(programs, place),
  ...writes(programs, place),
]
const writeCount = 3

/** `pass[i][k]` is the cost of the everyday command `k` in the project `i`. */
type Pass = Cost[][]

/** Runs the commands of all projects in turn, so that a slower minute affects all projects alike. */
const measureEveryday = (programs: Programs, places: readonly Place[]): Pass => {
  const trials = places.map((place) => everyday(programs, place))
  const costs = programs.clock.interleave(trials.flat(), rounds)
  return trials.map(({ length }, i) => costs.slice(i * length, (i + 1) * length))
}

/**
 * For each project and each command, returns the cost in the pass in which this command was fastest. A shared machine
 * is sometimes slower for minutes. During such minutes, commands that use more memory are slowed down more than a bare
 * read.
 */
const fastest = (passes: readonly Pass[]): Pass =>
  passes[0]!.map((costs, place) =>
    costs.map((_, command) => {
      const all = passes.map((pass) => pass[place]![command]!)
      return all.toSorted((a, b) => a.wall[0] - b.wall[0])[0]!
    }),
  )

const tablesOfEveryday = (programs: Programs, places: readonly Place[], costs: Pass): Table[] => {
  const columns = places.map(({ tasks }) => tasks)
  const names = everyday(programs, places[0]!).map(({ name }) => name)
  const read = compared(names.slice(3, -writeCount), names, costs, 1)
  const written = compared(names.slice(-writeCount), names, costs, 2)
  return [
    { heading: 'milliseconds', rows: floors(costs), columns },
    { heading: 'times a bare read', rows: read, columns },
    { heading: 'times a bare insert', rows: written, columns },
  ]
}

const floors = (costs: Pass): Row[] =>
  ['empty executable', 'bare read', 'bare insert'].map((name, i) => ({
    name,
    values: costs.map((column) => column[i]!.wall[0]),
    cpu: costs.map((column) => column[i]!.cpu[0]),
  }))

const compared = (names: readonly string[], all: readonly string[], costs: Pass, floor: number): Row[] =>
  names.map((name) => {
    const ratios = costs.map((column) => ratio(column[all.indexOf(name)], column[floor]))
    return { name, values: ratios.map(({ wall }) => wall), cpu: ratios.map(({ cpu }) => cpu) }
  })

const rowOf = (name: string, cost: Cost | undefined, floor: Cost | undefined): Row => {
  const { wall, cpu } = ratio(cost, floor)
  return { name, values: [wall], cpu: [cpu] }
}

/**
 * Measures a spawn in a large project with many skills. For comparison, also measures a spawn in a small project, and a
 * spawn in a project without skills.
 */
const spawning = async (programs: Programs, folder: string): Promise<Row[]> => {
  const at = (tasks: number, skills: number) =>
    settle(programs, tasks, join(folder, `spawn-${tasks}-${skills}`), skills)
  const full = await at(10_000, 50)
  const trials = [
    bareRead(programs, full),
    spawn(programs, full),
    spawn(programs, await at(10, 50)),
    spawn(programs, await at(10_000, 0)),
  ]
  const [floor, whole, fewTasks, noSkills] = programs.clock.interleave(trials, rounds)
  return [
    rowOf('spawn, 10,000 tasks, 50 skills', whole, floor),
    rowOf('spawn, of 10,000 tasks / of 10', whole, fewTasks),
    rowOf('spawn, 50 skills / none', whole, noSkills),
  ]
}

const others = async (programs: Programs, places: readonly Place[], folder: string): Promise<Row[]> => {
  const { clock } = programs
  const at = (tasks: number) => places.find((place) => place.tasks === tasks)!
  const [large, larger] = [at(10_000), at(100_000)]
  const [floor, tenth, whole] = clock.interleave(
    [bareRead(programs, large), analyze(programs, large), analyze(programs, larger)],
    3 * roundsOfLongRuns,
  )
  const [onNodeShow, onNodeEmpty] = clock.interleave(onNode(programs, large), rounds)
  const [shown] = clock.interleave([show(programs, large)], roundsOfLongRuns)
  return [
    ...(await batch(programs, join(folder, 'batch'))),
    ...(await mcpCosts(programs.cleo, large)),
    rowOf('analyze, of 10,000 tasks / bare read', tenth, floor),
    rowOf('analyze, of 100,000 tasks / of 10,000', whole, tenth),
    rowOf('show on Node / empty Node', onNodeShow, onNodeEmpty),
    { name: 'show, megabytes at most', values: [shown!.memory] },
    { name: 'executable, megabytes', values: [programs.size.cleo] },
    { name: 'empty executable, megabytes', values: [programs.size.empty] },
  ]
}

const batch = async (programs: Programs, folder: string): Promise<Row[]> => {
  mkdirSync(folder)
  const input = join(folder, 'rows.jsonl')
  writeFileSync(input, batchRows(rowsOfBatch))
  const place = await settle(programs, 10, join(folder, 'project'))
  const [floor, added] = programs.clock.interleave(
    [bareInsert(programs, place, rowsOfBatch), batchAdd(programs, place, input)],
    roundsOfLongRuns,
  )
  return [
    rowOf('add --batch of 100,000 rows / bare inserts', added, floor),
    { name: 'add --batch of 100,000 rows, megabytes', values: [added!.memory] },
  ]
}

const write = (tables: readonly Table[]): void => {
  const page = join(import.meta.dirname, 'README.md')
  const marks = /(<!-- measured -->\n)[\s\S]*(<!-- end -->)/
  const measured = tables.map((table) => `\n${markdown(table, bars)}`).join('')
  writeFileSync(page, readFileSync(page, 'utf8').replace(marks, `$1${measured}\n$2`))
  const lines = tables.flatMap(({ heading, rows, columns }) =>
    columns && heading !== 'milliseconds'
      ? rows.map(({ name, values }) => ({
          name,
          points: values.map((cost, i) => ({ tasks: columns[i]!, cost })),
        }))
      : [],
  )
  const title = 'Cost of a command, in bare reads (add, update, complete: in bare inserts)'
  writeFileSync(join(import.meta.dirname, 'cost.svg'), plot(title, lines))
}

const missed = (tables: readonly Table[]): Row[] =>
  tables.flatMap(({ rows }) => rows.filter((row) => isPast(row, bars)))

const check = process.argv.includes('--check')
// Other load can make a measurement longer, so a limit counts as missed only if a second measurement misses it too.
const past = await withPrograms(async (programs) => {
  const tables = await measure(programs)
  if (process.argv.includes('--write')) write(tables)
  const first = missed(tables)
  if (first.length === 0 || !check) return first
  console.log(`\nAgain, for ${first.map(({ name }) => name).join(', ')}.`)
  const second = missed(await measure(programs))
  return second.filter(({ name }) => first.some((row) => row.name === name))
})
if (past.length > 0) console.log(`\nPast the bar: ${past.map(({ name }) => name).join(', ')}.`)
if (past.length > 0 && check) process.exit(1)
