import type { Gate } from '../kernel/protocol.ts'
import { type Db, insertRows } from '../store/port.ts'
import type { SpawnRow } from '../store/rows.ts'

/** Either `gate` or `criterion` is set. */
export interface EvidenceRow {
  seq: number
  task: string
  /** The latest spawn of the task at the time when the evidence was given. */
  spawn: string | null
  gate: Gate | null
  criterion: number | null
  state: 'passed' | 'failed' | 'na' | 'waived'
  /** The atoms, and what CLEO observed when checking them, as JSON. */
  atoms: string
  /** Where the evidence was observed: folder, commit and hash of the files. */
  worktree: string | null
  head: string | null
  tree: string | null
  /** The reason given for a waiver or an unmet criterion, or why a tool run failed. */
  reason: string | null
  actor: string
  at: number
}

export const insert = (db: Db, row: Omit<EvidenceRow, 'seq'>): Promise<void> =>
  insertRows(db, 'evidence', [row])

export const latestOf = (db: Db, task: string): Promise<EvidenceRow[]> =>
  db.all<EvidenceRow>(
    `SELECT * FROM evidence WHERE seq IN (SELECT max(seq) FROM evidence WHERE task = ? GROUP BY gate, criterion)
     ORDER BY seq`,
    task,
  )

/** If the number grows between two calls, evidence was added. */
export const lastNumber = async (db: Db, task: string): Promise<number> =>
  Number(
    (await db.get<{ n: number | null }>('SELECT max(seq) AS n FROM evidence WHERE task = ?', task))!.n ?? 0,
  )

export const ofGates = (db: Db, task: string): Promise<EvidenceRow[]> =>
  db.all<EvidenceRow>(
    `SELECT * FROM evidence
     WHERE seq IN (SELECT max(seq) FROM evidence WHERE task = ? AND gate IS NOT NULL GROUP BY gate)
     ORDER BY seq`,
    task,
  )

/** Only this many rows of evidence, the newest ones, are searched for tool runs. */
const mostRows = 1000

/** Returns the evidence of all tasks in this folder. Leaves out rows without `tree`: they contain no tool runs. */
export const runsIn = (db: Db, folder: string): Promise<Pick<EvidenceRow, 'atoms'>[]> =>
  db.all(
    `SELECT atoms FROM evidence
     WHERE seq > (SELECT max(seq) FROM evidence) - ${mostRows} AND worktree = ? AND tree IS NOT NULL`,
    folder,
  )

export const spawnsWithBaseline = (db: Db, tree: string): Promise<Pick<SpawnRow, 'report'>[]> =>
  db.all(
    'SELECT report FROM spawns WHERE report LIKE ? ORDER BY seq DESC LIMIT 5',
    `%"baseline":{"tree":"${tree}"%`,
  )
