import type { Columns } from './columns/column.ts'
import * as results from './columns/results.ts'
import * as tasks from './columns/tasks.ts'
import * as work from './columns/work.ts'

export interface Table {
  name: string
  columns: Columns
  /** The columns, or groups of columns, whose values must be unique. */
  unique: readonly (readonly string[])[]
}

/**
 * The tables that `cleo export` writes, in this order. The key is the value of `record` in an exported line. Lists are
 * exported with their task, and notes with their task or session.
 */
export const tables = {
  counter: { name: 'counters', columns: results.counters, unique: [['name']] },
  task: { name: 'tasks', columns: tasks.taskColumns(), unique: [['id']] },
  session: { name: 'sessions', columns: work.sessions, unique: [['id'], ['seq']] },
  claim: { name: 'claims', columns: work.claims, unique: [['task', 'owner']] },
  focus: { name: 'focus', columns: work.focus, unique: [['session', 'agent']] },
  spawn: { name: 'spawns', columns: work.spawns, unique: [['seq'], ['id']] },
  integration: { name: 'integrations', columns: work.integrations, unique: [['epic']] },
  worktree: { name: 'worktrees', columns: work.worktrees, unique: [['spawn']] },
  merge: { name: 'merges', columns: work.merges, unique: [['seq']] },
  run: { name: 'runs', columns: work.runs, unique: [['seq']] },
  run_event: { name: 'run_events', columns: work.runEvents, unique: [['seq']] },
  run_agent: { name: 'run_agents', columns: work.runAgents, unique: [['spawn']] },
  entry: { name: 'entries', columns: results.entries, unique: [['seq'], ['id']] },
  returns: { name: 'returns', columns: work.returns, unique: [['seq']] },
  quarantine: { name: 'quarantine', columns: results.quarantine, unique: [['seq'], ['sha256']] },
  links: { name: 'links', columns: results.links, unique: [['task', 'entry']] },
  evidence: { name: 'evidence', columns: results.evidence, unique: [['seq']] },
  memory: { name: 'memory', columns: results.memory, unique: [['seq']] },
  memory_tasks: { name: 'memory_tasks', columns: results.memoryTasks, unique: [['memory', 'task']] },
  consensus: { name: 'consensus', columns: results.consensus, unique: [['seq']] },
  consensus_options: {
    name: 'consensus_options',
    columns: results.consensusOptions,
    unique: [['consensus', 'name']],
  },
  consensus_voters: { name: 'consensus_voters', columns: results.consensusVoters, unique: [['task']] },
  votes: {
    name: 'votes',
    columns: results.votes,
    unique: [['consensus', 'round', 'agent', 'option']],
  },
  stage_moves: { name: 'stage_moves', columns: results.stageMoves, unique: [['seq']] },
  questions: { name: 'questions', columns: results.questions, unique: [['seq']] },
  audit: { name: 'audit', columns: results.audit, unique: [['seq']] },
} as const satisfies Record<string, Table>

export type RecordKind = keyof typeof tables
export const recordKinds = Object.keys(tables) as RecordKind[]

/**
 * Returns the tables in which the database itself gives each row a number. The table of tasks is not among them,
 * because tasks get their numbers from a counter.
 */
export const numberedTables = (): string[] => [
  'notes',
  ...Object.entries(tables).flatMap(([kind, { name, columns }]) =>
    'seq' in columns && kind !== 'task' ? [name] : [],
  ),
]
