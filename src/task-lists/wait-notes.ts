import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import { openNeeds } from './sql/waits.ts'

type Row = Pick<TaskRow, 'id' | 'status' | 'blockers' | 'attempt_out'>

export interface TaskWork {
  /** The spawn that the task belongs to, while the task is out. */
  by?: string
  /** The open tasks that the task itself waits on. Empty if only an ancestor of the task waits. */
  waitsOn?: string[]
}

/** Runs one query if any task waits, otherwise none. */
export const workOn = async (db: Db, rows: readonly Row[]): Promise<Map<string, TaskWork>> => {
  const waiting: string[] = []
  const work = new Map<string, TaskWork>()
  for (const { id, status, blockers, attempt_out } of rows) {
    if (status !== 'pending' && status !== 'active') continue
    if (attempt_out > 0) work.set(id, { by: `${id}.${attempt_out}` })
    else if (blockers > 0) waiting.push(id)
  }
  const needs = waiting.length === 0 ? undefined : await openNeeds(db, waiting)
  for (const id of waiting) work.set(id, { waitsOn: needs?.get(id) ?? [] })
  return work
}

const mostNamed = 3

export const workNote = ({ by, waitsOn }: TaskWork): string => {
  if (by) return by
  if (!waitsOn) return ''
  if (waitsOn.length === 0) return 'waits with its parent'
  const rest = waitsOn.length - mostNamed
  return `waits on ${waitsOn.slice(0, mostNamed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** Returns the notes of the listed tasks by task id, for `Ok.notes`. */
export const workNotes = async (db: Db, rows: readonly Row[]): Promise<Map<string, string>> => {
  const notes = new Map<string, string>()
  for (const [id, work] of await workOn(db, rows)) notes.set(id, workNote(work))
  return notes
}
