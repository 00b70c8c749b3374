import type { Gate } from '../kernel/protocol.ts'
import { type Db, insertRows } from '../store/port.ts'

/** What was seen of a gate or of a criterion; exactly one of the two is set. */
export interface EvidenceRow {
  seq: number
  task: string
  /** The latest spawn of the task at that moment. */
  spawn: string | null
  gate: Gate | null
  criterion: number | null
  state: 'passed' | 'failed' | 'na' | 'waived'
  /** JSON: each atom with what was seen of it. */
  atoms: string
  /** Where it was taken: folder, commit and hash of the files. */
  worktree: string | null
  head: string | null
  tree: string | null
  /** Of a waiver, or why it failed. */
  reason: string | null
  actor: string
  at: number
}

export const insert = (db: Db, row: Omit<EvidenceRow, 'seq'>): Promise<void> =>
  insertRows(db, 'evidence', [row])

/** The newest on each gate and each criterion of a task. */
export const latestOf = (db: Db, task: string): Promise<EvidenceRow[]> =>
  db.all<EvidenceRow>(
    `SELECT * FROM evidence WHERE seq IN (SELECT max(seq) FROM evidence WHERE task = ? GROUP BY gate, criterion)
     ORDER BY seq`,
    task,
  )

/** Of the newest piece, to see whether something came in since. */
export const lastNumber = async (db: Db, task: string): Promise<number> =>
  Number(
    (await db.get<{ n: number | null }>('SELECT max(seq) AS n FROM evidence WHERE task = ?', task))!.n ?? 0,
  )

/** The newest on each gate alone. */
export const ofGates = (db: Db, task: string): Promise<EvidenceRow[]> =>
  db.all<EvidenceRow>(
    `SELECT * FROM evidence
     WHERE seq IN (SELECT max(seq) FROM evidence WHERE task = ? AND gate IS NOT NULL GROUP BY gate)
     ORDER BY seq`,
    task,
  )
