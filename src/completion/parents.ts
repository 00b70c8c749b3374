import { fail } from '../kernel/result.ts'
import type { Write } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { transition } from '../tasks/transition.ts'
import type { Permits } from './under-contract.ts'

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

export interface DoneParents {
  completed: string[]
  /** Parents that are not done by it although their parts are, each with the reason. */
  warnings: string[]
}

/**
 * A parent is done with its last child, unless it says otherwise, waits itself, is an epic short of its last stage, or
 * was handed out itself and its own contract does not hold.
 */
export const completeParents = async (
  write: Write,
  task: TaskRow,
  unblocked: string[],
  permits: Permits,
): Promise<DoneParents> => {
  const done: DoneParents = { completed: [], warnings: [] }
  for (let child = task; child.parent; ) {
    const parent = await tasks.find(write.db, child.parent)
    if (!parent || !closesItself(parent) || (await unfinished(write, parent))) break
    const permission = await permits.of(write, parent)
    if (permission && !permission.may) {
      const { problems, message } = permission.failure
      const lacks = problems?.map(({ path }) => path).join(', ') ?? message
      done.warnings.push(`${parent.id} is not done with its last part; it lacks: ${lacks}`)
    }
    if (!permission?.may) break
    unblocked.push(...(await transition(write, parent, { to: 'done', permit: permission.permit })))
    done.completed.push(parent.id)
    done.warnings.push(...permission.warnings.map((warning) => `${parent.id}: ${warning}`))
    child = parent
  }
  return done
}

const lastStages: (string | null)[] = [null, 'release', 'contribution']
const closesItself = ({ completes, type, stage }: TaskRow): boolean =>
  completes === 'auto' && (type !== 'epic' || lastStages.includes(stage))
