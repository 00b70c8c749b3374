import type { Need, ReturnStatus } from '../../kernel/return-line.ts'
import { toRecord, toRow } from '../../store/columns/column.ts'
import { returns as columns } from '../../store/columns/work.ts'
import { type Db, insertRows } from '../../store/port.ts'
import { endSpawn } from './spawns.ts'

/** What a subagent returned. The prompt of the next attempt mentions it. */
export interface Receipt {
  spawn: string
  /** The status in the return line; undefined if the line is not a valid return line. */
  returned?: ReturnStatus | 'need'
  need?: Need
  /** The code with which the return was refused, if the subagent caused the refusal. */
  breach?: string
  entry?: string
  /** Tasks created from the follow-ups; missing if the caller did not ask to create them. */
  made?: string[]
}

/** If the return was refused, the spawn keeps the task. Otherwise the spawn ends. */
export const add = async (
  db: Db,
  receipt: Receipt,
  { task, at, actor }: { task: string; at: number; actor: string },
): Promise<void> => {
  const { seq: _, ...row } = toRow(columns, { ...receipt })
  await insertRows(db, 'returns', [{ ...row, task, at, actor }])
  await db.run('UPDATE spawns SET back_at = ? WHERE id = ? AND back_at IS NULL', at, receipt.spawn)
  if (receipt.breach === undefined) await endSpawn(db, receipt.spawn)
}

/** At most this many receipts of a task are read. Tasks are spawned a few times, not hundreds of times. */
const mostReceipts = 100

export const receiptsOf = async (db: Db, task: string): Promise<Receipt[]> => {
  const rows = await db.all<Record<string, unknown>>(
    'SELECT * FROM returns WHERE task = ? ORDER BY seq DESC LIMIT ?',
    task,
    mostReceipts,
  )
  return rows.map((row) => toRecord(columns, row) as unknown as Receipt)
}
