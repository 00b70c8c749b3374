import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { openProject } from '../../src/index.ts'
import { together, withTemp } from '../support/temp.ts'
import { startWorker } from './start-worker.ts'

export interface ClaimRaceOptions {
  processes: number
  tasks: number
}

/** Lets several processes claim the same task at the same moment, one task after the other. */
export const claimRace = ({ processes, tasks }: ClaimRaceOptions): Promise<void> =>
  withTemp(async (project) => {
    const ids = await addTasks(project, tasks)
    let answered: (exit: number, racer: number) => void
    const racers = Array.from({ length: processes }, (_, i) =>
      startWorker('claimInRounds', { project, name: `racer-${i}` }, ({ exit }) => answered(exit, i)),
    )
    /**
     * Names a task to all processes and waits for all answers. Each round starts with another process, so that none has
     * an advantage.
     */
    const round = (id: string, first: number) =>
      new Promise<number[]>((resolve) => {
        const exits: number[] = []
        let left = processes
        answered = (exit, racer) => {
          exits[racer] = exit
          if (--left === 0) resolve(exits)
        }
        for (let i = 0; i < processes; i++) racers[(first + i) % processes]!.say(id)
      })

    const winners: number[][] = []
    const refusals = new Set<number>()
    const gone = failure(racers)
    for (const [i, id] of ids.entries()) {
      const exits = await Promise.race([round(id, i % processes), gone])
      winners.push(exits.flatMap((exit, racer) => (exit === 0 ? [racer] : [])))
      for (const exit of exits) if (exit !== 0) refusals.add(exit)
    }
    gone.catch(() => 'as it should be')
    for (const racer of racers) racer.finish()
    await together(racers.map(({ ended }) => ended))

    const wins = racers.map((_, racer) => winners.filter((won) => won.includes(racer)).length)
    console.log(`claims: ${processes}-way × ${tasks}, wins by process ${wins.join(' ')}`)
    const notOne = winners.flatMap((won, i) => (won.length === 1 ? [] : [`${ids[i]}: ${won.length} winners`]))
    expect(notOne, 'every task has one winner').toEqual([])
    expect([...refusals], 'every loser is told 35').toEqual([35])
    expect(taken(project), 'every task was taken once').toEqual(ids.map((task) => ({ task, epoch: 1 })))
    expect(Math.max(...wins), 'it was a race').toBeLessThan(tasks)
  })

const failure = async (racers: { ended: Promise<unknown> }[]): Promise<never> => {
  await Promise.race(racers.map(({ ended }) => ended))
  throw new Error('a racer left before the end')
}

const addTasks = async (project: string, count: number): Promise<string[]> => {
  const opened = openProject({ project, as: 'ada' })
  await opened.call('admin.init', {})
  const batch = Array.from({ length: count }, (_, i) => ({ title: `task ${i}` }))
  const answer = await opened.call('tasks.add', { batch })
  await opened.close()
  if (!answer.ok || !('added' in answer.value)) throw new Error('no tasks')
  return answer.value.added.map(({ id }) => id)
}

const taken = (project: string) => {
  const database = new DatabaseSync(join(project, '.cleo', 'cleo.db'), { readOnly: true })
  const rows = database
    .prepare(
      `SELECT tasks.id AS task, epoch, count(*) AS n FROM tasks JOIN audit ON audit.task = tasks.id
       WHERE operation = 'focus.set' AND after LIKE '%"active"%' GROUP BY tasks.seq ORDER BY tasks.seq`,
    )
    .all()
  database.close()
  return rows.map(({ task, epoch, n }) => ({ task, epoch: Math.max(epoch as number, n as number) }))
}
