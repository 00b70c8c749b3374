import type { Context } from '../operation/context.ts'
import type { Db } from '../store/port.ts'
import { drives } from './ownership.ts'
import * as runs from './sql.ts'

type RunEvent = Omit<runs.RunEventRow, 'seq'>

/** An event of a run in the form in which people and programs get it. It is stored as a row of `run_events`. */
export interface RunNews {
  run: string
  at: number
  kind: string
  task?: string
  spawn?: string
  [more: string]: unknown
}

/** Thrown in a driver that another driver has replaced. The replaced driver must stop. */
export class Replaced extends Error {}

export interface NewEvent {
  kind: string
  task?: string
  spawn?: string
  data?: object
}

export interface Ledger {
  /**
   * Writes an event and calls `more`, both in one transaction. Throws `Replaced` if another driver has taken the run
   * over.
   */
  record(event: NewEvent, more?: (db: Db, now: number) => Promise<void>): Promise<void>
  /**
   * Keeps an event and writes it together with the next recorded event, which saves a transaction. If CLEO is killed
   * before that, the event is lost. So use this only for an event that can be seen in other rows of the store.
   */
  note(event: NewEvent): Promise<void>
  /** Calls `work` in a transaction, without an event. Throws `Replaced` if another driver has taken the run over. */
  write(work: (db: Db, now: number) => Promise<void>): Promise<void>
}

export const ledgerOf = (
  { store }: Pick<Context, 'store'>,
  { seq, id, epoch }: { seq: number; id: string; epoch: number },
  tell: (news: RunNews) => void,
): Ledger => {
  const write = async (work: (db: Db, now: number) => Promise<void>): Promise<number> =>
    store.tx(async (db) => {
      const now = await db.now()
      if (!drives(epoch, await runs.touch(db, seq, now))) throw new Replaced(`${id} has another driver`)
      await work(db, now)
      return now
    })
  const noted: RunEvent[] = []
  const rowOf = ({ kind, task, spawn, data }: NewEvent, at: number): RunEvent => ({
    ...{ run: seq, at, kind, task: task ?? null, spawn: spawn ?? null },
    data: data ? JSON.stringify(data) : null,
  })
  const announce = ({ kind, task, spawn, data }: NewEvent, at: number): void =>
    tell({ run: id, at, kind, ...(task && { task }), ...(spawn && { spawn }), ...data })
  return {
    write: async (work) => void (await write(work)),
    record: async (event, more) => {
      let earlier: RunEvent[] | undefined
      const at = await write(async (db, now) => {
        // Take the notes only once: with PostgreSQL, a transaction runs again after a lost connection. The second run
        // must write the same notes.
        earlier ??= noted.splice(0)
        await runs.addEvents(db, [...earlier, rowOf(event, now)])
        await more?.(db, now)
      })
      announce(event, at)
    },
    note: async (event) => {
      const at = await store.now()
      noted.push(rowOf(event, at))
      announce(event, at)
    },
  }
}
