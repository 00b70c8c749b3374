import type { Need, ReturnStatus } from '../../kernel/return-line.ts'
import { toRecord, toRow } from '../../store/columns/column.ts'
import { returns as columns } from '../../store/columns/work.ts'
import { type Db, insertRows } from '../../store/port.ts'

/** What a subagent returned; the next attempt uses it. */
export interface Receipt {
  spawn: string
  /** What the line said, if it was an allowed one. */
  returned?: ReturnStatus | 'need'
  need?: Need
  /** The code it was refused with, if the subagent is to blame. */
  breach?: string
  entry?: string
  /** Tasks made from the entry's follow-ups; set if follow-ups were requested, even if there were none. */
  made?: string[]
}

/** Stores what a spawn returned; the spawn is no longer out. */
export const add = async (
  db: Db,
  receipt: Receipt,
  { task, at, actor }: { task: string; at: number; actor: string },
): Promise<void> => {
  const { seq: _, ...row } = toRow(columns, { ...receipt })
  await insertRows(db, 'returns', [{ ...row, task, at, actor }])
  await db.run('UPDATE spawns SET back_at = ? WHERE id = ? AND back_at IS NULL', at, receipt.spawn)
}

/** A task is spawned a few times, not hundreds of times. */
const mostReceipts = 100

/** What was returned for a task, newest first. */
export const receiptsOf = async (db: Db, task: string): Promise<Receipt[]> => {
  const rows = await db.all<Record<string, unknown>>(
    'SELECT * FROM returns WHERE task = ? ORDER BY seq DESC LIMIT ?',
    task,
    mostReceipts,
  )
  return rows.map((row) => toRecord(columns, row) as unknown as Receipt)
}
