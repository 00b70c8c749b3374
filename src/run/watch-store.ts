import * as audit from '../audit/sql.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { CallingContext } from '../operation/context.ts'
import type { Happening, Work } from '../schedule/run-state.ts'
import * as runs from './sql.ts'

export interface StoreWatch {
  begin(): Promise<void>
  look(): Promise<void>
  /** Must be called before the driver looks for ready tasks. */
  beforeReady(): Promise<void>
}

/**
 * Notices changes that other commands make while the driver works. Examples are a request to stop, a cancelled task,
 * an answer in the inbox, or a new task. Reads the tasks only if the audit log shows such a change since the last look.
 */
export const watchStore = (
  { store }: Pick<CallingContext, 'store'>,
  { seq }: { seq: number },
  driver: {
    works(): ReadonlyMap<string, Work>
    waiting(): ReadonlySet<string>
    hear(event: Happening): void
  },
): StoreWatch => {
  let lastAudit = 0
  let lastEvent = 0
  let looked = 0
  const readRequests = async (): Promise<void> => {
    for (const { seq: at, task, data } of await runs.requestsAfter(store, seq, lastEvent)) {
      lastEvent = Number(at)
      const { now, why } = JSON.parse(data ?? '{}') as { now?: boolean; why?: string }
      if (task) driver.hear({ kind: 'taken', task, by: 'stopped' })
      else driver.hear({ kind: now ? 'stop' : 'drain', why: why ?? 'stopped by a person' })
    }
  }
  const readTasks = async (): Promise<void> => {
    const works = driver.works()
    const waiting = driver.waiting()
    for (const { id, status, attempt } of await runs.watched(store, [...works.keys(), ...waiting])) {
      const work = works.get(id)
      if (waiting.has(id) && (status === 'pending' || status === 'cancelled' || status === 'done'))
        driver.hear({ kind: 'answered', task: id })
      if (!work) continue
      const own = work.spawn === undefined ? undefined : parseSpawnId(work.spawn)?.attempt
      const isReplaced = work.phase === 'running' && own !== undefined && Number(attempt) > own
      if (status === 'cancelled' || isReplaced) driver.hear({ kind: 'taken', task: id, by: 'taken' })
    }
  }
  return {
    begin: async () => {
      lastAudit = await audit.lastSeq(store)
      lastEvent = await runs.lastTakeOver(store, seq)
      // A request to stop might have come since the run was recorded. Read the request before an agent is started.
      await readRequests()
    },
    beforeReady: async () => {
      looked = await audit.lastSeq(store)
    },
    look: async () => {
      // The audit log records each change of a task and each request to stop. So one statement shows whether
      // anything is new.
      const { last, isNew } = await runs.changesAfter(store, seq, { seq: lastAudit, looked })
      lastAudit = last
      if (!isNew) return
      await readRequests()
      await readTasks()
      driver.hear({ kind: 'changed' })
    },
  }
}
