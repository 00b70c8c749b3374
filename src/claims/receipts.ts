import * as audit from '../audit/sql.ts'
import type { Need, Returned } from '../kernel/return-line.ts'
import type { Db } from '../store/port.ts'

/** What the audit log keeps of a return; the next attempt is made with it, and compliance is judged by it. */
export interface Receipt {
  spawn: string
  /** What the line said, where it was one of those allowed. */
  returned?: Returned | 'need'
  need?: Need
  /** The code it was refused with, where the subagent is to blame. */
  breach?: string
  entry?: string
  /** Tasks made of what the entry leaves open; there where somebody asked for them, even if there were none. */
  made?: string[]
}

const operation = 'orchestrate.receive'
/** A task is handed out a few times, not hundreds of times. */
const most = 100

/** What came back for a task, newest first. */
export const receiptsOf = async (db: Db, task: string): Promise<Receipt[]> => {
  const { rows } = await audit.read(db, { task, operation, limit: most })
  return rows.flatMap(({ after }) => {
    const receipt = after === null ? undefined : (JSON.parse(after) as Partial<Receipt>)
    return receipt?.spawn === undefined ? [] : [receipt as Receipt]
  })
}
