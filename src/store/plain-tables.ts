import type { Db, Param } from './port.ts'

/** What a column holds: `?` where it may be empty, a list where it is one of some words. */
export type Column =
  | 'text'
  | 'text?'
  | 'count'
  | 'count?'
  | 'number'
  | 'task'
  | 'task?'
  | 'time'
  | 'time?'
  | readonly string[]

/** Tables that are copied as they are, row by row; nothing is counted or derived in them. */
export const plainTables = {
  quarantine: {
    seq: 'count',
    path: 'text',
    byte: 'count',
    bytes: 'count',
    text: 'text',
    sha256: 'text',
    reason: 'text',
    at: 'time',
  },
  links: { task: 'task', entry: 'text', at: 'time', actor: 'text' },
  evidence: {
    seq: 'count',
    task: 'task',
    spawn: 'text?',
    gate: 'text?',
    criterion: 'count?',
    state: ['passed', 'failed', 'na', 'waived'],
    atoms: 'text',
    worktree: 'text?',
    head: 'text?',
    tree: 'text?',
    reason: 'text?',
    actor: 'text',
    at: 'time',
  },
  memory: {
    seq: 'count',
    kind: ['observation', 'decision', 'pattern', 'learning'],
    text: 'text',
    source: 'text?',
    actor: 'text',
    session: 'text?',
    at: 'time',
  },
  memory_tasks: { memory: 'count', task: 'task' },
  consensus: {
    seq: 'count',
    task: 'task',
    question: 'text',
    threshold: 'number',
    round: 'count',
    decision: 'text?',
    reason: 'text?',
    decided_by: 'text?',
    decided_at: 'time?',
    actor: 'text',
    at: 'time',
  },
  consensus_options: { consensus: 'count', name: 'text', pos: 'count' },
  votes: {
    consensus: 'count',
    round: 'count',
    agent: 'text',
    option: 'text',
    position: ['accept', 'reject', 'abstain'],
    confidence: 'number',
    rationale: 'text',
    evidence: 'text',
    conflicts: 'text',
    at: 'time',
  },
  stage_moves: {
    seq: 'count',
    epic: 'task',
    move: ['advance', 'skip', 'back'],
    from_stage: 'text',
    to_stage: 'text?',
    reason: 'text?',
    actor: 'text',
    at: 'time',
  },
  questions: {
    seq: 'count',
    kind: ['person', 'waiver', 'stage'],
    matter: 'text',
    task: 'task?',
    question: 'text',
    asked: 'text',
    actor: 'text',
    at: 'time',
    answer: 'text?',
    note: 'text?',
    answered_by: 'text?',
    answered_at: 'time?',
  },
} as const satisfies Record<string, Record<string, Column>>

export type PlainTable = keyof typeof plainTables
export const plainNames = Object.keys(plainTables) as PlainTable[]
export type PlainRow = Record<string, Param>

export const keysOf: Record<PlainTable, readonly string[]> = {
  quarantine: ['seq'],
  links: ['task', 'entry'],
  evidence: ['seq'],
  memory: ['seq'],
  memory_tasks: ['memory', 'task'],
  consensus: ['seq'],
  consensus_options: ['consensus', 'name'],
  votes: ['consensus', 'round', 'agent', 'option'],
  stage_moves: ['seq'],
  questions: ['seq'],
}

/** Every row of one, in an order that depends on nothing but the content. */
export const readPlain = async (db: Db, table: PlainTable): Promise<PlainRow[]> => {
  const rows = await db.all<PlainRow>(`SELECT * FROM ${table}`)
  const key = (row: PlainRow) => keysOf[table].map((name) => sortable(row[name]!)).join('\u0000')
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

// By code unit, for every database sorts text in its own way; numbers by their size.
const sortable = (value: Param): string =>
  typeof value === 'number' ? String(value).padStart(16, '0') : String(value)
