import type { Db } from '../store/port.ts'
import { countByStatus } from '../tasks/sql/counts.ts'

/** Says why a list of tasks is empty, and which command shows or makes some. */
export const whyEmpty = async (db: Db, isFiltered: boolean): Promise<string> => {
  const counts = await countByStatus(db, undefined)
  if (counts.size === 0) return 'No tasks yet; add one with cleo add "…" --type epic'
  if (isFiltered) return 'No such tasks.'
  return 'No open tasks; cleo list --all shows the closed ones.'
}
