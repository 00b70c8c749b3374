import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { interleave, peakMemory, type Trial } from './measure.ts'
import { besidePostgres } from './postgres.ts'
import { type Programs, withPrograms } from './programs.ts'
import { placeProject, placeSkills } from './projects.ts'
import { scanning } from './scan.ts'
import { submittedWork } from './submitted-work.ts'
import { type Bars, isPast, print, type Row } from './table.ts'
import { analyze, enter, nothing, onNode, type Place, reads, show, spawn, writes } from './trials.ts'

const sizes = [10, 1000, 10_000, 100_000]
const rounds = 40
// One run of these takes as long as a hundred others.
const roundsOfAnalyses = 10

/** In memory an fsync is free, so that only CLEO's own work is measured. */
const fast = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const ordinary = tmpdir()

const bars = JSON.parse(readFileSync(join(import.meta.dirname, 'bars.json'), 'utf8')) as Bars

const measure = async (programs: Programs): Promise<Row[]> =>
  withFolders(async (inMemory, onDisk) => {
    const settle = async (tasks: number, folder: string): Promise<Place> => {
      const place = join(folder, String(tasks))
      await placeProject(tasks, place)
      return enter(programs, place, tasks)
    }
    const places: Place[] = []
    for (const tasks of sizes) places.push(await settle(tasks, inMemory))
    const everyday = bySize(programs, places)
    print(`times an empty executable; writes in ${fast}`, everyday, bars, sizes)

    const place = await settle(1000, onDisk)
    print(`the same on the disk of ${ordinary}`, ratios(programs, place, writes(programs, place)), {}, [1000])

    const spawned = await spawning(programs, inMemory)
    print('', spawned, bars)
    const returned = await submittedWork(programs, inMemory)
    print('', returned, bars)
    const others = beyond(programs, places as [Place, Place, Place, Place])
    const stores = await besidePostgres(programs, 100_000)
    print('', [...others, ...stores], bars)
    const scanned = scanning()
    print('', scanned, bars)
    return [...everyday, ...spawned, ...returned, ...others, ...stores, ...scanned]
  })

const withFolders = async <T>(work: (inMemory: string, onDisk: string) => Promise<T>): Promise<T> => {
  const folders = [fast, ordinary].map((folder) => mkdtempSync(join(folder, 'cleo-bench-')))
  try {
    return await work(folders[0]!, folders[1]!)
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

/** Every command at every size. */
const bySize = (programs: Programs, places: readonly Place[]): Row[] => {
  const columns = places.map((place) =>
    ratios(programs, place, [...reads(programs, place), ...writes(programs, place)]),
  )
  return columns[0]!.map(({ name }, i) => ({ name, values: columns.map((rows) => rows[i]!.values[0]!) }))
}

/** Each trial compared with the empty executable in the same rounds. */
const ratios = (programs: Programs, place: Place, trials: readonly Trial[]): Row[] => {
  const [empty, ...times] = interleave([nothing(programs, place), ...trials], rounds)
  return trials.map(({ name }, i) => ({ name, values: [times[i]! / empty!] }))
}

/** A prompt made and recorded: in a large project with many skills, and without one of the two for comparison. */
const spawning = async (programs: Programs, folder: string): Promise<Row[]> => {
  const settle = async (tasks: number, skills: number): Promise<Place> => {
    const place = join(folder, `spawn-${tasks}-${skills}`)
    await placeProject(tasks, place)
    placeSkills(skills, place)
    return enter(programs, place, tasks)
  }
  const full = await settle(10_000, 50)
  const [empty, whole, fewTasks, noSkills] = interleave(
    [
      nothing(programs, full),
      spawn(programs, full),
      spawn(programs, await settle(10, 50)),
      spawn(programs, await settle(10_000, 0)),
    ],
    rounds,
  )
  return [
    { name: 'orchestrate spawn, 10,000 tasks, 50 skills', values: [whole! / empty!] },
    { name: 'spawn, of 10,000 tasks / of 10', values: [whole! / fewTasks!] },
    { name: 'spawn, 50 skills / none', values: [whole! / noSkills!] },
  ]
}

const beyond = (programs: Programs, [smallest, , large, largest]: [Place, Place, Place, Place]): Row[] => {
  const [short, long] = interleave([show(programs, smallest), show(programs, largest)], rounds)
  const [empty, tenth, whole] = interleave(
    [nothing(programs, large), analyze(programs, large), analyze(programs, largest)],
    roundsOfAnalyses,
  )
  const [onNodeShow, onNodeEmpty] = interleave(onNode(programs, large), rounds)
  const memory = peakMemory(show(programs, large))
  return [
    { name: 'show, of 100,000 tasks / of 10', values: [long! / short!] },
    { name: 'analyze, of 10,000 tasks / empty', values: [tenth! / empty!] },
    { name: 'analyze, of 100,000 tasks / of 10,000', values: [whole! / tenth!] },
    { name: 'show on Node / empty Node', values: [onNodeShow! / onNodeEmpty!] },
    ...(memory === undefined ? [] : [{ name: 'show, megabytes at most', values: [memory] }]),
  ]
}

// A disturbance always makes a measurement longer: a bar counts as missed when a second measurement misses it, too.
const past = await withPrograms(async (programs) => {
  const first = (await measure(programs)).filter((row) => isPast(row, bars))
  if (first.length === 0 || !process.argv.includes('--check')) return first
  console.log(`\nAgain, for ${first.map(({ name }) => name).join(', ')}.`)
  const second = (await measure(programs)).filter((row) => isPast(row, bars))
  return second.filter(({ name }) => first.some((row) => row.name === name))
})
if (past.length > 0) console.log(`\nPast the bar: ${past.map(({ name }) => name).join(', ')}.`)
if (past.length > 0 && process.argv.includes('--check')) process.exit(1)
