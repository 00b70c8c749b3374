import type { Store } from '../../src/store/port.ts'

interface Counted {
  root: string
  status: string
  leaf: number
  n: number
}

/**
 * Returns the numbers of tasks by status twice: as the database stores them, and as counted from the rows of the
 * tasks. Both lists are sorted.
 */
export const taskCounts = async (store: Store): Promise<{ kept: string[]; counted: string[] }> => {
  const kept = await store.all<Counted>('SELECT root, status, leaf, n FROM task_counts WHERE n <> 0')
  const tasks = await store.all<{ root: string; status: string; children: number }>(
    'SELECT root, status, children FROM tasks',
  )
  const counted = new Map<string, number>()
  for (const { root, status, children } of tasks) {
    for (const place of ['', root]) {
      const key = `${place} ${status} ${Number(children) === 0 ? 1 : 0}`
      counted.set(key, (counted.get(key) ?? 0) + 1)
    }
  }
  return {
    kept: kept.map(({ root, status, leaf, n }) => `${root} ${status} ${leaf}: ${n}`).sort(),
    counted: [...counted].map(([key, n]) => `${key}: ${n}`).sort(),
  }
}

/**
 * Adds tasks T001 to T<count> with SQL of its own, without the code under test. `title` is an SQL expression of the
 * number `n`.
 */
export const plantTasks = async (store: Store, count: number, title: string): Promise<void> => {
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`
  const id = "'T' || CASE WHEN n < 10 THEN '00' WHEN n < 100 THEN '0' ELSE '' END || n"
  await store.run(
    `INSERT INTO tasks (seq, id, title, description, type, root, status, priority, size, completes, origin, epoch, blockers,
       unblocks, children, created_at, updated_at)
     ${numbers} SELECT n, ${id}, ${title}, '', 'task', ${id}, 'pending', 2, 'medium', 'auto', 'ada', 0, 0, 0, 0, n, n
     FROM numbers`,
  )
  await store.run('UPDATE counters SET value = ?', count)
  if (store.dialect.name === 'postgres')
    await store.run(
      `INSERT INTO tasks_text (seq, words)
       SELECT seq, setweight(to_tsvector('simple', title), 'A') || setweight(to_tsvector('simple', ''), 'B') FROM tasks`,
    )
}
