import type { Standing } from '../../contract/standing.ts'
import * as entries from '../../store/entries.ts'
import * as evidence from '../../store/evidence.ts'
import type { Db } from '../../store/port.ts'
import type { TaskRow } from '../../store/rows.ts'
import * as spawns from '../../store/spawns.ts'

/**
 * That a task may be done, and what that was judged by. The change of the status asks for one and looks whether it is
 * still true: whatever verb wants a task done, its contract has been looked at.
 */
export interface Permit {
  readonly task: string
  readonly outcome: 'complete' | 'partial'
  /** None where nothing is asked of the task: that holds as long as nobody was sent. */
  readonly by?: { spawn?: string; entry?: number } & Standing['seen']
}

/** For a task nothing is asked of. */
export const freely = (task: string): Permit => ({ task, outcome: 'complete' })

/** Whether nothing has come in since that could change the judgement. */
export const isStillTrue = async (db: Db, task: TaskRow, permit: Permit | undefined): Promise<boolean> => {
  if (permit?.task !== task.id) return false
  const spawn = (await spawns.lastAttempt(db, task.id))?.id
  if (!permit.by) return spawn === undefined
  if (spawn !== permit.by.spawn || task.updated_at !== permit.by.updatedAt) return false
  const entry = spawn && (await entries.ofSpawn(db, spawn))?.seq
  return entry === permit.by.entry && (await evidence.lastNumber(db, task.id)) === permit.by.evidence
}
