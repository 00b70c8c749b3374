import { fail } from '../../model/result.ts'
import type { TaskRow } from '../../store/rows.ts'
import * as tasks from '../../store/tasks.ts'
import type { Write } from '../context.ts'
import { transition } from './transition.ts'

/** Why a task cannot be done yet. */
export const unfinished = async ({ db }: Write, task: TaskRow) => {
  const { id, status } = task
  if (status === 'blocked' || status === 'cancelled')
    return fail('task.status', { id, status, verb: 'complete' })
  const waits = task.blockers > 0 ? await tasks.openNeeds(db, id) : []
  if (waits.length > 0) return fail('dependency.open', { id, on: waits })
  const open = task.children > 0 ? await tasks.openChildren(db, id) : []
  return open.length > 0 ? fail('children.open', { id, open }) : undefined
}

/** A parent is done with its last child, unless it says otherwise, waits itself, or is an epic short of its last stage. */
export const completeParents = async (
  write: Write,
  task: TaskRow,
  unblocked: string[],
): Promise<string[]> => {
  const completed: string[] = []
  for (let child = task; child.parent; ) {
    const parent = await tasks.find(write.db, child.parent)
    if (!parent || !closesItself(parent) || (await unfinished(write, parent))) break
    unblocked.push(...(await transition(write, parent, { to: 'done', outcome: 'complete' })))
    completed.push(parent.id)
    child = parent
  }
  return completed
}

const lastStages: (string | null)[] = [null, 'release', 'contribution']
const closesItself = ({ completes, type, stage }: TaskRow): boolean =>
  completes === 'auto' && (type !== 'epic' || lastStages.includes(stage))
