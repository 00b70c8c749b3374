import { type Db, marks, portions } from '../../store/port.ts'
import { holdsBack } from '../../store/rows.ts'

/**
 * Returns the dependencies that still hold back each of these tasks, ordered by number. Leaves out dependencies of
 * the tasks' parents.
 */
export const openNeeds = async (db: Db, ids: readonly string[]): Promise<Map<string, string[]>> => {
  const needs = new Map<string, string[]>()
  for (const some of portions(ids)) {
    const rows = await db.all<{ task: string; needs: string }>(
      `SELECT depends.task AS task, depends.needs AS needs FROM depends
         JOIN tasks own ON own.id = depends.task JOIN tasks need ON need.id = depends.needs
       WHERE depends.task IN (${marks(some.length)}) AND ${holdsBack('need', 'own')} ORDER BY need.seq`,
      ...some,
    )
    for (const { task, needs: id } of rows) {
      const list = needs.get(task)
      if (list) list.push(id)
      else needs.set(task, [id])
    }
  }
  return needs
}
