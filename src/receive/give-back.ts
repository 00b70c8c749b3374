import * as claims from '../claims/sql/claims.ts'
import type { Write } from '../operation/context.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { transition } from '../tasks/transition.ts'

/** What a subagent still holds goes back. Should it live after all, it is shut out only once somebody has taken its place. */
export const giveBack = async (tx: Write, task: string, spawn: string): Promise<void> => {
  const row = await tasks.find(tx.db, task)
  if (row?.status !== 'active') return
  const claim = await claims.holder(tx.db, task)
  if (claim?.owner === spawn) await transition(tx, row, { to: 'pending' })
}
