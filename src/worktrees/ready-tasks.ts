import type { Context } from '../operation/context.ts'
import { type ReadyOptions, type ReadySet, readySet } from '../tasks/ready-set.ts'
import * as lists from '../tasks/sql/lists.ts'
import type { ReadyRow } from '../tasks/sql/search.ts'
import { mayChangeCode, sharesFolder } from './shared-folder.ts'

type Wanted = Omit<ReadyOptions, 'shared' | 'safeAmong'> & { shared?: boolean }

/**
 * Returns the tasks that can start now, side by side: where agents share a folder, one that changes code at a time unless
 * declared files keep them apart; tasks that change no code always.
 */
export const readyTasks = async (context: Context, { shared, ...wanted }: Wanted): Promise<ReadySet> =>
  readySet(context.store, {
    ...wanted,
    shared: shared ?? (await sharesFolder(context)),
    safeAmong: (tasks) => safeAmong(context, tasks),
  })

/** Only the title and labels are looked at: in doubt a task changes code. */
const safeAmong = async (context: Context, tasks: readonly ReadyRow[]): Promise<ReadonlySet<string>> => {
  // Loaded only when needed: usually no task has to wait for another one.
  const { dispatchByTitle } = await import('../skills/choose-skill.ts')
  const protocolOf = dispatchByTitle(context)
  const safe = tasks.filter((task) => !mayChangeCode(protocolOf(task.title)))
  if (safe.length === 0) return new Set()
  // A label decides before the title.
  const labels = await lists.readMany(
    context.store,
    'labels',
    safe.map(({ id }) => id),
  )
  return new Set(safe.flatMap(({ id }) => ((labels.get(id) ?? []).length === 0 ? [id] : [])))
}
