import * as spawns from '../claims/sql/spawns.ts'
import type { Context } from '../operation/context.ts'
import { type ReadyOptions, type ReadySet, readySet } from '../tasks/ready-set.ts'
import * as lists from '../tasks/sql/lists.ts'
import type { ReadyRow } from '../tasks/sql/search.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { mayChangeCode, sharesFolder } from './shared-folder.ts'

type Wanted = Omit<ReadyOptions, 'shared' | 'safeAmong'> & { shared?: boolean }

/**
 * Returns the tasks that can start now, in parallel. Tasks that change no code can always start. Other tasks start
 * together only if their declared files do not overlap. If agents share a folder, a task that declares no files has
 * to run alone.
 */
export const readyTasks = async (context: Context, { shared, ...wanted }: Wanted): Promise<ReadySet> =>
  readySet(context.store, {
    ...wanted,
    shared: shared ?? (await sharesFolder(context)),
    safeAmong: (tasks) => safeAmong(context, tasks),
  })

/**
 * Returns the tasks whose protocol changes no code. A task that is out has the protocol of its spawn. For any other
 * task, the protocol is the one that dispatch would choose.
 */
const safeAmong = async (context: Context, ready: readonly ReadyRow[]): Promise<ReadonlySet<string>> => {
  const { store } = context
  const ids = ready.map(({ id }) => id)
  // Import on demand. This function is called only if a task would have to wait for another, which is rare.
  const { quickDispatch } = await import('../skills/choose-skill.ts')
  const dispatched = quickDispatch(context)
  const rows = await tasks.findMany(store, ids)
  const labels = await lists.readMany(store, 'labels', ids)
  const spawned = await spawns.latestWork(
    store,
    [...rows.values()].flatMap(({ id, attempt_out }) => (attempt_out > 0 ? [id] : [])),
  )
  const safe = new Set<string>()
  for (const row of rows.values()) {
    const protocol = spawned.get(row.id)?.protocol ?? dispatched(row, labels.get(row.id) ?? [])
    if (!mayChangeCode(protocol)) safe.add(row.id)
  }
  return safe
}
