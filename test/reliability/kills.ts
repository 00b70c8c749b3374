import { join } from 'node:path'
import { expect } from 'vitest'
import { data, type Runtime, run } from '../support/cleo.ts'
import { recount } from '../support/recount.ts'
import { together, withTemp } from '../support/temp.ts'
import { type Entry, integrity, ledger } from './ledger.ts'
import { firstTasks } from './many-writers.ts'
import type { Acknowledged } from './mixed-writes.ts'
import { type Random, random } from './random.ts'
import { startWorker } from './start-worker.ts'
import type { Life, Stage } from './write-until-killed.ts'

export interface KillsOptions {
  kills: number
  /** How many writers are alive at the same time. */
  lanes: number
  seed: number
  /** The program that must be able to read the database afterwards. */
  reader: Runtime
}

/** A killed writer, as far as it could be observed from outside. */
interface Death {
  name: string
  acknowledged: Acknowledged[]
  /** How far the last write got. `answered` means that it was acknowledged. */
  stage: Stage | 'answered'
  op: string
  /**
   * Whether the writer killed itself at exactly this stage. A kill from outside can come a little later than the
   * last output.
   */
  exact: boolean
}

/**
 * Kills writers on one database while others go on writing. Half of the writers kill themselves at a chosen statement.
 * The others are killed from outside, after some time or when they report a COMMIT, so that they die during it.
 */
export const killWriters = ({ kills, lanes, seed, reader }: KillsOptions): Promise<void> =>
  withTemp(async (project) => {
    const newest = await firstTasks(project)
    await warmUp(project, newest)
    const chance = random(seed)
    const deaths: Death[] = []
    let next = 0
    const lane = async () => {
      while (next < kills) {
        const i = next++
        const options = { project, name: `mortal-${i}`, seed: seed + i, newest: newest + i }
        deaths.push(await ways[i % ways.length]!(options, chance))
      }
    }
    await together(Array.from({ length: lanes }, lane))

    const path = join(project, '.cleo', 'cleo.db')
    const told = new Map(deaths.map(({ name, acknowledged }) => [name, acknowledged]))
    const found = ledger(path, told)
    const surplus = Map.groupBy(found.surplus, ({ actor }) => actor)
    const inside = deaths.filter(({ stage }) => stage !== 'calling' && stage !== 'answered')
    // On a busy machine, a writer that is killed from outside has often done less by then, so only exact kills
    // count here.
    const aimed = inside.filter(({ exact }) => exact).length
    console.log(
      `kills: seed ${seed}, ${kills} kills, ${inside.length} between BEGIN and acknowledgement: ${distribution(deaths)}; ` +
        `${[...told.values()].flat().length} acknowledged, ${surplus.size} landed unacknowledged, ${found.tasks} tasks`,
    )
    expect(integrity(path)).toBe('ok')
    expect(found.lost, 'no acknowledged write is lost').toEqual([])
    expect(found.broken, 'no write is half there').toEqual([])
    expect(recount(path), 'the ready index equals a recount').toEqual([])
    expect(
      deaths.flatMap((death) => unexplained(death, surplus.get(death.name) ?? [])),
      'a write that was cut off is there whole or not at all',
    ).toEqual([])
    expect(aimed, 'most that end themselves die between BEGIN and acknowledgement').toBeGreaterThan(kills / 4)
    const listed = run(reader, ['list', '--all', '--limit', '5', '--json'], { cwd: project })
    expect(data<{ tasks: unknown[] }>(listed).tasks).toHaveLength(5)
  })

/** Runs one writer to its end, so that the sources are compiled before writers are killed. */
const warmUp = async (project: string, newest: number): Promise<void> => {
  const options = { project, name: 'first', seed: 1, writes: 60, newest }
  await startWorker('writeMany', options, () => undefined).ended
}

type Options = Parameters<typeof startWorker<'writeUntilKilled'>>[1]
type Hear = (life: Life, kill: () => void) => void

const selfEnded = (options: Options, chance: Random): Promise<Death> =>
  live({ ...options, diesAt: 1 + chance.below(150) }, () => undefined)

const shotAfterAWhile = (options: Options, chance: Random): Promise<Death> => {
  const patience = chance.next() * 40
  let aimed = false
  return live(options, (_, kill) => {
    if (!aimed) setTimeout(kill, patience)
    aimed = true
  })
}

const shotAtCommit = (options: Options, chance: Random): Promise<Death> => {
  let left = 1 + chance.below(10)
  return live(options, (life, kill) => {
    if ('stage' in life && life.stage === 'committing' && --left === 0) kill()
  })
}

const ways = [selfEnded, shotAfterAWhile, selfEnded, shotAtCommit]

const live = async (options: Options, hear: Hear): Promise<Death> => {
  const death: Death = {
    name: options.name,
    acknowledged: [],
    stage: 'calling',
    op: '',
    exact: options.diesAt !== undefined,
  }
  const worker = startWorker('writeUntilKilled', options, (life) => {
    hear(life, worker.kill)
    if ('stage' in life) Object.assign(death, life)
    else if ('diesIn' in life) death.stage = life.diesIn
    else death.stage = 'answered'
    if ('acknowledged' in life) death.acknowledged.push(life.acknowledged)
  })
  const { killed } = await worker.ended
  if (!killed) throw new Error(`${options.name} ended by itself`)
  return death
}

/**
 * The log can have lines of a write that was not acknowledged. They must belong to the write that was under way
 * when the process died, and that write must have got so far that it could have been committed.
 */
const unexplained = ({ name, stage, op, exact }: Death, surplus: readonly Entry[]): string[] => {
  const story = `${name} died ${stage} ${op}`
  const landed = surplus.length > 0
  const strange = surplus.filter(({ operation }) => operation !== op)
  if (strange.length > 0) return [`${story}, and ${strange[0]!.operation} is there`]
  const never = stage === 'answered' || (exact && stage !== 'committed')
  return landed && never ? [`${story}, and it is there`] : []
}

const distribution = (deaths: readonly Death[]): string =>
  (['calling', 'working', 'committing', 'committed', 'answered'] as const)
    .map((stage) => {
      const here = deaths.filter((death) => death.stage === stage)
      return `${stage} ${here.length} (${here.filter(({ exact }) => !exact).length} from outside)`
    })
    .join(', ')
