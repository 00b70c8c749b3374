import type { Failure } from '../kernel/result.ts'
import { limits } from '../kernel/task.ts'
import type { Write } from '../operation/context.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { claimedByOther, transition } from '../tasks/transition.ts'

interface BlockedEntry {
  id: string
  body: Record<string, unknown>
}

/**
 * Blocks a task for the reason in the entry of its spawn. A task that is neither pending nor active stays as it is.
 * Refuses if another actor has claimed the task. If `replaced` is true, ignores the claim, because then it is the claim
 * of a later spawn that has replaced this spawn.
 */
export const blockTask = async (
  tx: Write,
  { id, task, replaced }: { id: string; task: string; replaced?: boolean },
  entry: BlockedEntry,
): Promise<Failure<'claim.held'> | undefined> => {
  const row = (await tasks.find(tx.db, task))!
  if (row.status !== 'pending' && row.status !== 'active') return undefined
  const held = replaced ? undefined : await claimedByOther(tx, task, { id, agent: true })
  if (held) return held
  const reason = blockerOf(entry).slice(0, limits.reason).toWellFormed()
  await transition(tx, row, { to: 'blocked', reason })
  return undefined
}

export const blockerOf = ({ id, body }: BlockedEntry): string => {
  const { category, text } = (body['blocker'] ?? {}) as { category?: unknown; text?: unknown }
  const words = [category, text].filter((word) => typeof word === 'string' && word.trim() !== '')
  return words.join(': ') || `see ${id}`
}
