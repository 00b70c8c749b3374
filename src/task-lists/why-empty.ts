import type { Db } from '../store/port.ts'
import { countByStatus } from '../tasks/sql/counts.ts'
import type { ListFilter } from '../tasks/sql/list.ts'

/** Fields of a `ListFilter` that do not count as filters. */
const always = ['open', 'after', 'limit']

/** Returns a note for an empty list. Its key is the empty string, because the note belongs to no task. */
export const emptyNotes = async (db: Db, filter: Partial<ListFilter> = {}): Promise<Map<string, string>> => {
  const isFiltered = Object.entries(filter).some(
    ([key, value]) => value !== undefined && !always.includes(key),
  )
  const counts = await countByStatus(db, undefined)
  return new Map([['', textOf(counts.size === 0, isFiltered)]])
}

const textOf = (isNew: boolean, isFiltered: boolean): string => {
  if (isNew) return 'No tasks yet; add one with cleo add "…" --type epic'
  return isFiltered ? 'No such tasks.' : 'No open tasks; cleo list --all shows the closed ones.'
}
