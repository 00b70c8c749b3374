import { expect } from 'vitest'
import { data, type Runtime, run } from '../support/cleo.ts'
import { together, withTemp } from '../support/temp.ts'
import { manifestState, projectForEntries, twice, without } from './manifest-state.ts'
import { type Random, random } from './random.ts'
import { startHandingIn } from './start-handing-in.ts'

export interface AppendKillsOptions {
  kills: number
  lanes: number
  seed: number
  reader: Runtime
}

/**
 * Kills processes that submit entries, each at a different moment: before, between and after the manifest line and the
 * commit, both for entries that they write and for lines that they ingest.
 */
export const killAppenders = ({ kills, lanes, seed, reader }: AppendKillsOptions): Promise<void> =>
  withTemp(async (project) => {
    await projectForEntries(project)
    const first = await startHandingIn({ project, name: 'first', seed, entries: 20 }).ended
    const chance = random(seed)
    const kept: string[] = [...first.kept]
    let next = 0
    const lane = async () => {
      while (next < kills) {
        const i = next++
        const { kept: some } = await live(project, i, seed, chance)
        kept.push(...some)
      }
    }
    await together(Array.from({ length: lanes }, lane))

    const last = ['manifest', 'append', '--task', 'T001', '--id', 'T001-last', '--status', 'complete']
    data(run(reader, [...last, '--file', 'T001-x.md', '--json'], { cwd: project }))
    const found = manifestState(project)
    console.log(
      `manifest kills: seed ${seed}, ${kills} kills, ${kept.length} acknowledged, ${found.table.length} in the table, ` +
        `${found.file.length} lines`,
    )
    expect(without(kept, found.table), 'no acknowledged entry is lost').toEqual([])
    expect(without(found.table, found.file), 'every entry of the table has a line').toEqual([])
    expect(without(found.file, found.table), 'every line is an entry of the table').toEqual([])
    expect(twice(found.file), 'no line is written twice').toEqual([])
    expect(found.quarantined, 'no line is torn').toEqual([])
    expect(found.texts.toSorted(), 'every entry can be found by its words').toEqual(found.table.toSorted())
    expect(found.logged, 'every entry is in the log once').toBe(found.table.length)
    const synced = run(reader, ['manifest', 'sync', '--json'], { cwd: project })
    expect(data(synced), 'nothing is left to mend').toMatchObject({ noChange: true })
  })

/**
 * Two of three processes kill themselves. Each of them does so one statement later than the one before. The third
 * process is killed from outside after some time.
 */
const live = (project: string, i: number, seed: number, chance: Random) => {
  const options = { project, name: `mortal${i}`, seed: seed + i }
  if (i % 3 < 2) return startHandingIn({ ...options, diesAt: 1 + ((i - Math.floor(i / 3)) % 100) }).ended
  const patience = chance.next() * 60
  let aimed = false
  const worker = startHandingIn(options, () => {
    if (!aimed) setTimeout(worker.kill, patience)
    aimed = true
  })
  return worker.ended
}
