import type { Columns } from './column.ts'

export const entries = {
  seq: 'count',
  id: 'name',
  task: 'task',
  spawn: 'name?',
  status: ['complete', 'partial', 'blocked'],
  /** The entry itself, as one line of JSON. */
  body: 'name',
  /** Hash of the output file when the entry was appended. */
  sha256: 'name?',
  /** The work folder whose manifest file has the entry's line; empty for the project's own manifest. */
  place: { is: 'text', default: '' },
  /**
   * How the entry was submitted. `append`: by a command of CLEO. `line`: as a line in the manifest file, which any
   * program can write.
   */
  origin: { is: ['append', 'line'], older: 'append' },
  /** Hash of the entry's line in the manifest file; empty if the file has no such line. */
  line_sha256: { is: 'text', as: 'lineSha256', default: '' },
  appended_at: { is: 'time', as: 'appendedAt' },
} as const satisfies Columns

export const quarantine = {
  seq: 'count',
  path: 'text',
  byte: 'count',
  bytes: 'count',
  text: 'text',
  sha256: 'text',
  reason: 'text',
  at: 'time',
} as const satisfies Columns

export const links = { task: 'task', entry: 'text', at: 'time', actor: 'text' } as const satisfies Columns

export const evidence = {
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
} as const satisfies Columns

export const memory = {
  seq: 'count',
  kind: ['observation', 'decision', 'pattern', 'learning'],
  text: 'text',
  source: 'text?',
  actor: 'text',
  session: 'text?',
  at: 'time',
} as const satisfies Columns

export const memoryTasks = { memory: 'count', task: 'task' } as const satisfies Columns

export const consensus = {
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
} as const satisfies Columns

export const consensusOptions = { consensus: 'count', name: 'text', pos: 'count' } as const satisfies Columns

export const consensusVoters = {
  task: 'task',
  consensus: 'count',
  round: 'count',
  pos: 'count',
} as const satisfies Columns

export const votes = {
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
} as const satisfies Columns

export const stageMoves = {
  seq: 'count',
  epic: 'task',
  move: ['advance', 'skip', 'back'],
  from_stage: 'text',
  to_stage: 'text?',
  reason: 'text?',
  actor: 'text',
  at: 'time',
} as const satisfies Columns

export const questions = {
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
} as const satisfies Columns

export const audit = {
  seq: 'count',
  at: 'time',
  actor: 'name',
  session: 'name?',
  operation: 'name',
  task: 'text?',
  before: 'json?',
  after: 'json?',
  /**
   * One command can write several rows. The first row has NULL here. Each later row has the number of the first
   * row.
   */
  first: 'count?',
} as const satisfies Columns

export const counters = { name: 'name', value: 'count' } as const satisfies Columns
