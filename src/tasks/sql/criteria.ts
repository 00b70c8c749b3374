import { type Db, insertRows, marks, portions } from '../../store/port.ts'

export interface Criterion {
  n: number
  text: string
  source: 'given' | 'description'
  state: 'open' | 'met' | 'unmet' | 'waived'
}

export const read = (db: Db, task: string): Promise<Criterion[]> =>
  db.all<Criterion>('SELECT n, text, source, state FROM criteria WHERE task = ? ORDER BY n', task)

export const readMany = async (db: Db, tasks: readonly string[]): Promise<Map<string, Criterion[]>> => {
  const found = new Map<string, Criterion[]>()
  for (const some of portions(tasks)) {
    const rows = await db.all<Criterion & { task: string }>(
      `SELECT task, n, text, source, state FROM criteria WHERE task IN (${marks(some.length)}) ORDER BY task, n`,
      ...some,
    )
    for (const { task, ...criterion } of rows) {
      const own = found.get(task)
      if (own) own.push(criterion)
      else found.set(task, [criterion])
    }
  }
  return found
}

const write = (db: Db, task: string, criteria: readonly Criterion[]): Promise<void> =>
  writeMany(db, [[task, criteria]])

export const writeMany = (
  db: Db,
  all: readonly (readonly [task: string, criteria: readonly Criterion[]])[],
): Promise<void> => {
  const rows = []
  for (const [task, criteria] of all)
    for (const { n, text, source, state } of criteria) rows.push({ task, n, text, source, state })
  return insertRows(db, 'criteria', rows)
}

export const replace = async (db: Db, task: string, criteria: readonly Criterion[]): Promise<void> => {
  await db.run('DELETE FROM criteria WHERE task = ?', task)
  await write(db, task, criteria)
}

/** Reopens the criteria of a task, because a new attempt has to prove each one again. Waived criteria stay waived. */
export const reopen = async (db: Db, task: string): Promise<void> => {
  await db.run("UPDATE criteria SET state = 'open' WHERE task = ? AND state IN ('met', 'unmet')", task)
}

/** Sets the state of a criterion, unless the text of the criterion has changed since the caller read it. */
export const decide = async (
  db: Db,
  task: string,
  { n, text }: Pick<Criterion, 'n' | 'text'>,
  state: Criterion['state'],
): Promise<void> => {
  await db.run('UPDATE criteria SET state = ? WHERE task = ? AND n = ? AND text = ?', state, task, n, text)
}

/** Tasks without criteria are left out. */
export const counts = async (db: Db, tasks: readonly string[]): Promise<Map<string, number>> => {
  const found = new Map<string, number>()
  for (const some of portions(tasks)) {
    const rows = await db.all<{ task: string; n: number }>(
      `SELECT task, count(*) AS n FROM criteria WHERE task IN (${marks(some.length)}) GROUP BY task`,
      ...some,
    )
    for (const { task, n } of rows) found.set(task, Number(n))
  }
  return found
}
