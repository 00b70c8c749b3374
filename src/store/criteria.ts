import type { Db } from './port.ts'

export interface Criterion {
  n: number
  text: string
  source: 'given' | 'description'
  state: 'open' | 'met' | 'unmet' | 'waived'
}

export const read = (db: Db, task: string): Promise<Criterion[]> =>
  db.all<Criterion>('SELECT n, text, source, state FROM criteria WHERE task = ? ORDER BY n', task)

export const write = async (db: Db, task: string, criteria: readonly Criterion[]): Promise<void> => {
  for (const { n, text, source, state } of criteria) {
    await db.run(
      'INSERT INTO criteria (task, n, text, source, state) VALUES (?, ?, ?, ?, ?)',
      task,
      n,
      text,
      source,
      state,
    )
  }
}

export const replace = async (db: Db, task: string, criteria: readonly Criterion[]): Promise<void> => {
  await db.run('DELETE FROM criteria WHERE task = ?', task)
  await write(db, task, criteria)
}
