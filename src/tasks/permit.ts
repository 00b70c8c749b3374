import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'

/**
 * Allows one task to become done. It is issued outside the transaction, after the task's contract was checked; the
 * change of status demands it, whatever command asks, and asks it inside the transaction whether it still holds.
 */
export interface Permit {
  readonly task: string
  readonly outcome: 'complete' | 'partial'
  /** False where a spawn, an entry, evidence or a change of the task came in since it was issued. */
  holds(db: Db, task: TaskRow): Promise<boolean>
}
