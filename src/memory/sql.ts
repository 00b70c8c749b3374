import { type Db, insertRows, marks, type Param } from '../store/port.ts'
import * as texts from '../store/texts.ts'
import { where } from '../store/where.ts'

export const memoryKinds = ['observation', 'decision', 'pattern', 'learning'] as const
export type MemoryKind = (typeof memoryKinds)[number]

export interface MemoryRow {
  seq: number
  kind: MemoryKind
  text: string
  /** The source of the memory, in the author's words. */
  source: string | null
  actor: string
  session: string | null
  at: number
}

export const insert = async (
  db: Db,
  row: Omit<MemoryRow, 'seq'>,
  tasks: readonly string[],
): Promise<number> => {
  const made = await db.get<{ seq: number }>(
    'INSERT INTO memory (kind, text, source, actor, session, at) VALUES (?, ?, ?, ?, ?, ?) RETURNING seq',
    row.kind,
    row.text,
    row.source,
    row.actor,
    row.session,
    row.at,
  )
  const seq = Number(made!.seq)
  await link(db, seq, tasks)
  await texts.put(db, [{ kind: 'memory', ref: String(seq), words: `${row.text} ${row.source ?? ''}` }])
  return seq
}

export const link = (db: Db, memory: number, tasks: readonly string[]): Promise<void> =>
  insertRows(
    db,
    'memory_tasks',
    tasks.map((task) => ({ memory, task })),
  )

export const find = (db: Db, seq: number): Promise<MemoryRow | undefined> =>
  db.get<MemoryRow>('SELECT * FROM memory WHERE seq = ?', seq)

/** Compares the length first, because the length has an index. */
export const findEqual = (
  db: Db,
  { kind, text, source }: Pick<MemoryRow, 'kind' | 'text' | 'source'>,
): Promise<MemoryRow | undefined> =>
  db.get<MemoryRow>(
    `SELECT * FROM memory WHERE length(text) = length(CAST(? AS TEXT)) AND text = ? AND kind = ?
       AND coalesce(source, '') = ? ORDER BY seq LIMIT 1`,
    text,
    text,
    kind,
    source ?? '',
  )

export const tasksOf = async (db: Db, seqs: readonly number[]): Promise<Map<number, string[]>> => {
  const found = new Map<number, string[]>()
  if (seqs.length === 0) return found
  const rows = await db.all<{ memory: number; task: string }>(
    `SELECT memory, task FROM memory_tasks WHERE memory IN (${marks(seqs.length)}) ORDER BY memory, task`,
    ...seqs,
  )
  for (const { memory, task } of rows) found.set(Number(memory), [...(found.get(Number(memory)) ?? []), task])
  return found
}

export interface MemoryFilter {
  /** The search words in the database's query syntax. */
  words?: string
  kind?: MemoryKind
  task?: string
  limit: number
  skip: number
}

/** If `words` is set, the best matches come first. Otherwise the newest memories come first. */
export const search = async (
  db: Db,
  { words, kind, task, limit, skip }: MemoryFilter,
): Promise<{ rows: MemoryRow[]; total: number }> => {
  const hits = `(${db.dialect.textHits}) AS hits JOIN memory ON memory.seq = CAST(hits.ref AS BIGINT)`
  const from = words === undefined ? 'memory' : hits
  const match: Param[] = words === undefined ? [] : [words, 'memory']
  const wanted = where({
    'memory.kind = ?': kind,
    'memory.seq IN (SELECT memory FROM memory_tasks WHERE task = ?)': task,
  })
  const params = [...match, ...wanted.params]
  const total = await db.get<{ n: number }>(`SELECT count(*) AS n FROM ${from} ${wanted.sql}`, ...params)
  const rows = await db.all<MemoryRow>(
    `SELECT memory.* FROM ${from} ${wanted.sql}
     ORDER BY ${words === undefined ? '' : 'hits.rank, '}memory.seq DESC LIMIT ? OFFSET ?`,
    ...params,
    limit,
    skip,
  )
  return { rows, total: Number(total!.n) }
}
