import type { Status } from '../kernel/task.ts'
import { type Db, insertRows, marks, portions } from '../store/port.ts'
import type { Position } from './vote.ts'

export interface ConsensusRow {
  seq: number
  /** The task that the question belongs to. */
  task: string
  question: string
  threshold: number
  round: number
  /** The option that a person chose. Null if no person has decided yet, or if the person rejected every option. */
  decision: string | null
  reason: string | null
  decided_by: string | null
  decided_at: number | null
  actor: string
  at: number
}

export interface VoteRow {
  consensus: number
  round: number
  agent: string
  option: string
  position: Position
  confidence: number
  rationale: string
  /** A list of strings, as JSON. */
  evidence: string
  /** A list of {with, severity}, as JSON. */
  conflicts: string
  at: number
}

/** A task whose agent votes in one round of a consensus. */
export interface VoterRow {
  task: string
  consensus: number
  round: number
  /** The position of the voter's task in the round, counted from 1. */
  pos: number
}

export interface VoterTask extends VoterRow {
  status: Status
}

type NewConsensus = Pick<ConsensusRow, 'task' | 'question' | 'threshold' | 'actor' | 'at'>

export const open = async (db: Db, row: NewConsensus, options: readonly string[]): Promise<number> => {
  const made = await db.get<{ seq: number }>(
    'INSERT INTO consensus (task, question, threshold, round, actor, at) VALUES (?, ?, ?, 1, ?, ?) RETURNING seq',
    row.task,
    row.question,
    row.threshold,
    row.actor,
    row.at,
  )
  const seq = Number(made!.seq)
  await insertRows(
    db,
    'consensus_options',
    options.map((name, pos) => ({ consensus: seq, name, pos })),
  )
  return seq
}

export const find = (db: Db, seq: number): Promise<ConsensusRow | undefined> =>
  db.get<ConsensusRow>('SELECT * FROM consensus WHERE seq = ?', seq)

export const ofTask = (db: Db, task: string): Promise<ConsensusRow[]> =>
  db.all<ConsensusRow>('SELECT * FROM consensus WHERE task = ? ORDER BY seq', task)

export const ofTasks = async (db: Db, tasks: readonly string[]): Promise<ConsensusRow[]> => {
  const found: ConsensusRow[] = []
  for (const some of portions(tasks))
    found.push(
      ...(await db.all<ConsensusRow>(
        `SELECT * FROM consensus WHERE task IN (${marks(some.length)}) ORDER BY seq`,
        ...some,
      )),
    )
  return found
}

export const all = (db: Db, root: string | undefined): Promise<ConsensusRow[]> =>
  root === undefined
    ? db.all<ConsensusRow>('SELECT * FROM consensus ORDER BY seq')
    : db.all<ConsensusRow>(
        'SELECT consensus.* FROM consensus JOIN tasks ON tasks.id = consensus.task WHERE tasks.root = ? ORDER BY consensus.seq',
        root,
      )

export const undecided = (db: Db, round: number): Promise<ConsensusRow[]> =>
  db.all<ConsensusRow>('SELECT * FROM consensus WHERE decided_at IS NULL AND round >= ? ORDER BY seq', round)

export const optionsOf = async (db: Db, seqs: readonly number[]): Promise<Map<number, string[]>> => {
  const found = new Map<number, string[]>()
  for (const some of portions(seqs)) {
    const rows = await db.all<{ consensus: number; name: string }>(
      `SELECT consensus, name FROM consensus_options WHERE consensus IN (${marks(some.length)}) ORDER BY consensus, pos`,
      ...some,
    )
    for (const { consensus, name } of rows)
      found.set(Number(consensus), [...(found.get(Number(consensus)) ?? []), name])
  }
  return found
}

/** Returns the votes in the current round of each consensus, oldest first. */
export const votesOf = async (db: Db, seqs: readonly number[]): Promise<Map<number, VoteRow[]>> => {
  const found = new Map<number, VoteRow[]>()
  for (const some of portions(seqs)) {
    const rows = await db.all<VoteRow>(
      `SELECT votes.* FROM consensus JOIN votes ON votes.consensus = consensus.seq AND votes.round = consensus.round
       WHERE consensus.seq IN (${marks(some.length)}) ORDER BY votes.consensus, votes.at, votes.agent, votes.option`,
      ...some,
    )
    addByConsensus(found, rows)
  }
  return found
}

export const votesInRound = (db: Db, seq: number, round: number): Promise<VoteRow[]> =>
  db.all<VoteRow>(
    'SELECT * FROM votes WHERE consensus = ? AND round = ? ORDER BY at, agent, option',
    seq,
    round,
  )

export const hasVoted = async (db: Db, { consensus, round }: VoterRow, agent: string): Promise<boolean> =>
  (await db.get(
    'SELECT 1 AS one FROM votes WHERE consensus = ? AND round = ? AND agent = ? LIMIT 1',
    consensus,
    round,
    agent,
  )) !== undefined

export const addVoters = (db: Db, voters: readonly VoterRow[]): Promise<void> =>
  insertRows(db, 'consensus_voters', voters)

export const voterOf = async (db: Db, task: string): Promise<VoterRow | undefined> =>
  db.get<VoterRow>('SELECT * FROM consensus_voters WHERE task = ?', task)

export const countVoters = async (db: Db, seq: number, round: number): Promise<number> =>
  Number(
    (await db.get<{ n: number }>(
      'SELECT count(*) AS n FROM consensus_voters WHERE consensus = ? AND round = ?',
      seq,
      round,
    ))!.n,
  )

/** Returns, for each consensus, the tasks of the voters in its current round, in order. */
export const votersOf = async (db: Db, seqs: readonly number[]): Promise<Map<number, VoterTask[]>> => {
  const found = new Map<number, VoterTask[]>()
  for (const some of portions(seqs)) {
    const rows = await db.all<VoterTask>(
      `SELECT voters.*, tasks.status FROM consensus
       JOIN consensus_voters voters ON voters.consensus = consensus.seq AND voters.round = consensus.round
       JOIN tasks ON tasks.id = voters.task
       WHERE consensus.seq IN (${marks(some.length)}) ORDER BY voters.consensus, voters.pos`,
      ...some,
    )
    addByConsensus(found, rows)
  }
  return found
}

export const voteOf = (
  db: Db,
  { consensus, round, agent, option }: Pick<VoteRow, 'consensus' | 'round' | 'agent' | 'option'>,
): Promise<VoteRow | undefined> =>
  db.get<VoteRow>(
    'SELECT * FROM votes WHERE consensus = ? AND round = ? AND agent = ? AND option = ?',
    consensus,
    round,
    agent,
    option,
  )

/** The new vote replaces the agent's earlier vote on the same option in the same round. */
export const vote = async (db: Db, row: VoteRow): Promise<void> => {
  await db.run(
    'DELETE FROM votes WHERE consensus = ? AND round = ? AND agent = ? AND option = ?',
    row.consensus,
    row.round,
    row.agent,
    row.option,
  )
  await insertRows(db, 'votes', [row])
}

export const nextRound = async (db: Db, seq: number): Promise<void> => {
  await db.run('UPDATE consensus SET round = round + 1 WHERE seq = ?', seq)
}

type Decision = Pick<ConsensusRow, 'seq' | 'decision' | 'reason' | 'decided_by' | 'decided_at'>

export const decide = async (db: Db, row: Decision): Promise<void> => {
  await db.run(
    'UPDATE consensus SET decision = ?, reason = ?, decided_by = ?, decided_at = ? WHERE seq = ?',
    row.decision,
    row.reason,
    row.decided_by,
    row.decided_at,
    row.seq,
  )
}

export const votesBy = (db: Db, root: string, agent: string): Promise<VoteRow[]> =>
  db.all<VoteRow>(
    `SELECT votes.* FROM consensus JOIN votes ON votes.consensus = consensus.seq
     WHERE (SELECT root FROM tasks WHERE tasks.id = consensus.task) = ? AND votes.agent = ?
     ORDER BY votes.consensus, votes.round, votes.option`,
    root,
    agent,
  )

const addByConsensus = <Row extends { consensus: number }>(found: Map<number, Row[]>, rows: Row[]): void => {
  for (const row of rows) {
    const others = found.get(Number(row.consensus))
    if (others) others.push(row)
    else found.set(Number(row.consensus), [row])
  }
}
