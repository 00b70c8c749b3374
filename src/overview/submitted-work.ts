import type { Context } from '../operation/context.ts'
import * as search from '../tasks/sql/search.ts'

export interface SubmittedWork {
  /** Done tasks that wait to be received and merged. */
  submitted: string[]
  /**
   * Tasks whose partial work was received, but whose gates do not hold. The work is merged later, together with the
   * work of a follow-up.
   */
  kept: string[]
}

/**
 * At most this many tasks with unmerged work are read, oldest first. There are rarely more, because most work is
 * merged as soon as it is received.
 */
const mostRows = 50

/** Each of the two lists has at most `limit` tasks. */
export const submittedWork = async (
  context: Context,
  root: string | undefined,
  limit: number,
): Promise<SubmittedWork> => {
  const work: SubmittedWork = { submitted: [], kept: [] }
  for (const row of await search.submitted(context.store, root, mostRows)) {
    if (work.submitted.length === limit) break
    const isKept = row.received === 1 && !(await gatesHold(context, row))
    const list = work[isKept ? 'kept' : 'submitted']
    if (list.length < limit) list.push(row.id)
  }
  return work
}

/**
 * Called for a task whose work was received but not merged. If all gates of the task hold, `receive` was stopped before
 * the merge. In that case, running `receive` again merges the work.
 */
const gatesHold = async (context: Context, row: search.SubmittedRow): Promise<boolean> => {
  const { recordedGates } = await import('../standing/recorded-gates.ts')
  const gates = Object.values((await recordedGates(context, row)) ?? {})
  return gates.every(({ state }) => state === 'passed' || state === 'na')
}
