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
  /** Writers alive at the same time. */
  lanes: number
  seed: number
  /** The program that must be able to read what is left. */
  reader: Runtime
}

/** One writer's life, as it was heard from outside. */
interface Death {
  name: string
  acknowledged: Acknowledged[]
  /** Where the last write was; `answered` when it had been told. */
  stage: Stage | 'answered'
  op: string
  /** It ended itself, exactly there; a kill from outside may land a little later than the last word. */
  exact: boolean
}

/**
 * Writers on one database are killed, each at a moment of its own, while others write on. Half of them end themselves
 * at a chosen statement; the others are shot from outside, after a while or at the sound of a COMMIT, to die inside it.
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
    // How far a writer gets before a kill from outside reaches it depends on how busy the machine is.
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

/** A writer that ends in peace leaves the compiled sources to those that will not. */
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

/** What is in the log beyond what was told must be all of the write that was on its way, and only where it could be. */
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
