import * as v from 'valibot'
import type { SpawnRow } from '../claims/sql/spawns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import type { Gate } from '../kernel/protocol.ts'
import { type Failure, fail, ok, type Result } from '../kernel/result.ts'
import { closed } from '../kernel/task.ts'
import type { Context, Write } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import { heldForAgents, refuseForeignTask } from '../tasks/own-work.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { claimedByOther } from '../tasks/transition.ts'
import { atomTexts, type ObservedAtom } from './observed-atom.ts'
import type { EvidenceRow } from './sql.ts'
import * as evidence from './sql.ts'

export interface Subject {
  task: TaskRow
  gate?: Gate
  criterion?: { n: number; text: string }
}

export const CriterionNumber = v.pipe(v.number(), v.integer(), v.minValue(1))

export const subjectName = ({ gate, criterion }: Subject): string => gate ?? `criterion ${criterion!.n}`

/** Refuses if the task is closed or the caller may not work on it. */
export const openTask = async (
  { store, actor }: Context,
  id: string,
): Promise<Result<TaskRow, 'task.not_found' | 'task.status'>> => {
  const task = await tasks.find(store, id)
  if (!task) return fail('task.not_found', { id })
  if (closed(task.status)) return fail('task.status', { id, status: task.status, verb: 'verify' })
  await refuseForeignTask({ db: store, actor }, task, 'verify')
  return ok(task)
}

/**
 * Refuses in the same cases as `openTask`. While a spawn works on the task, also refuses agents that do not act as a
 * spawn.
 */
export const taskToVerify = async (
  context: Context,
  id: string,
): Promise<Result<TaskRow, 'task.not_found' | 'task.status' | 'claim.held'>> => {
  const task = await openTask(context, id)
  return (task.ok && (await heldForAgents(context, context.store, task.value))) || task
}

/** Refuses evidence if, while a tool ran, the task was spawned again or another agent claimed the task. */
export const replacedRefusal = async (
  tx: Write,
  { actor }: Context,
  id: string,
  spawn: SpawnRow | undefined,
): Promise<Failure<'task.changed' | 'claim.held'> | undefined> => {
  if ((await spawns.lastAttempt(tx.db, id))?.id !== spawn?.id) return fail('task.changed', { id })
  return actor.agent ? claimedByOther(tx, id, actor) : undefined
}

type NewEvidence = Pick<EvidenceRow, 'spawn' | 'state' | 'reason'> &
  Partial<Pick<EvidenceRow, 'worktree' | 'head' | 'tree'>> & { atoms: ObservedAtom[] }

/** Writes a row of evidence and its audit line. For a criterion, also writes the criterion's new state. */
export const recordEvidence = async (
  tx: Write,
  { task, gate, criterion }: Subject,
  { worktree = null, head = null, tree = null, ...row }: NewEvidence,
): Promise<void> => {
  const atoms: ObservedAtom[] = criterion
    ? [{ kind: 'criterion', text: criterion.text }, ...row.atoms]
    : row.atoms
  await evidence.insert(tx.db, {
    task: task.id,
    ...row,
    worktree,
    head,
    tree,
    gate: gate ?? null,
    criterion: criterion?.n ?? null,
    atoms: JSON.stringify(atoms),
    actor: tx.actor.id,
    at: tx.now,
  })
  if (criterion) {
    const { decide } = await import('../tasks/sql/criteria.ts')
    await decide(
      tx.db,
      task.id,
      criterion,
      row.state === 'passed' ? 'met' : row.state === 'waived' ? 'waived' : 'unmet',
    )
  }
  await tx.record({
    task: task.id,
    after: {
      ...(gate && { gate }),
      ...(criterion && { criterion: criterion.n }),
      state: row.state,
      evidence: row.atoms.flatMap(atomTexts),
      ...(row.reason && { reason: row.reason.slice(0, 500) }),
    },
  })
}
