import { join } from 'node:path'
import { expect } from 'vitest'
import { openProject } from '../../src/index.ts'
import { recount } from '../support/recount.ts'
import { together, withTemp } from '../support/temp.ts'
import { integrity, ledger } from './ledger.ts'
import type { Acknowledged, Told } from './mixed-writes.ts'
import { startWorker } from './start-worker.ts'

export interface ManyWritersOptions {
  processes: number
  writes: number
  seed: number
}

/** Lets processes write at the same time through the library. Then every acknowledged write must be in the database. */
export const manyWriters = ({ processes, writes, seed }: ManyWritersOptions): Promise<void> =>
  withTemp(async (project) => {
    const newest = await firstTasks(project)
    const told = new Map<string, Acknowledged[]>()
    const refused = new Map<number, number>()
    await together(
      Array.from({ length: processes }, (_, i) => {
        const name = `writer-${i}`
        const acknowledged: Acknowledged[] = []
        told.set(name, acknowledged)
        const hear = (message: Told) => {
          if ('acknowledged' in message) acknowledged.push(message.acknowledged)
          else refused.set(message.refused, (refused.get(message.refused) ?? 0) + 1)
        }
        return startWorker('writeMany', { project, name, seed: seed + i, writes, newest }, hear).ended
      }),
    )

    const path = join(project, '.cleo', 'cleo.db')
    const found = ledger(path, told)
    const all = [...told.values()].flat()
    const busy = refused.get(7) ?? 0
    console.log(
      `writers: seed ${seed}, ${processes} × ${writes}: ${all.length} acknowledged, ${found.writes} in the log, ` +
        `${found.tasks} tasks; refused by exit ${JSON.stringify(Object.fromEntries(refused))}`,
    )
    const ids = all.filter(({ op }) => op === 'tasks.add').flatMap(({ tasks }) => tasks)
    expect(found.lost, 'no acknowledged write is lost').toEqual([])
    expect(found.surplus, 'no refused write has landed').toEqual([])
    expect(found.broken, 'no write overwrites one it did not see').toEqual([])
    expect(new Set(ids).size, 'no id is given twice').toBe(ids.length)
    expect(found.tasks, 'every task was acknowledged').toBe(ids.length + newest)
    // Each writer waits up to 15 s for its turn, which is more than all of them need together.
    expect(busy, 'a writer waits for its turn instead of giving up').toBeLessThan((processes * writes) / 100)
    expect(all.length, 'most writes land').toBeGreaterThan((processes * writes) / 2)
    expect(recount(path), 'the ready index equals a recount').toEqual([])
    expect(integrity(path)).toBe('ok')
  })

/**
 * Adds three epics, one of which depends on a task of another, so that there is a tree to write on. Returns the newest
 * task number.
 */
export const firstTasks = async (project: string): Promise<number> => {
  const opened = openProject({ project, as: 'ada' })
  try {
    await opened.call('admin.init', {})
    const batch = [
      { key: 'a', title: 'Accounts', type: 'epic' as const },
      { key: 'b', title: 'Billing', type: 'epic' as const, depends: ['a1'] },
      { key: 'c', title: 'Catalogue', type: 'epic' as const },
      ...['a1', 'a2', 'b1', 'b2', 'c1', 'c2'].map((key) => ({ key, title: key, parent: key[0]! })),
    ]
    const added = await opened.call('tasks.add', { batch })
    if (!added.ok) throw new Error(added.message)
    return batch.length
  } finally {
    await opened.close()
  }
}
