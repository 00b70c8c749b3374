import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import { openNeeds } from './sql/waits.ts'

type Row = Pick<TaskRow, 'id' | 'status' | 'blockers' | 'attempt_out'>

/** Who has a task of a list, and which open tasks it waits on. */
export interface TaskWork {
  /** The spawn that has the task. */
  by?: string
  /** Empty if the task waits only through its parents. */
  waitsOn?: string[]
}

/** Reads what the tasks of a list wait on. Costs one query if any of them waits, and none otherwise. */
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

/** Says in a few words which spawn has a task or what the task waits on, for the end of the task's line. */
export const workNote = ({ by, waitsOn }: TaskWork): string => {
  if (by) return by
  if (!waitsOn) return ''
  if (waitsOn.length === 0) return 'waits with its parent'
  const rest = waitsOn.length - mostNamed
  return `waits on ${waitsOn.slice(0, mostNamed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** The notes of a list, for `Ok.notes`. */
export const workNotes = async (db: Db, rows: readonly Row[]): Promise<Map<string, string>> => {
  const notes = new Map<string, string>()
  for (const [id, work] of await workOn(db, rows)) notes.set(id, workNote(work))
  return notes
}
