import type { Document, NumberedRecord } from './records.ts'

type Logged = NumberedRecord<'audit'>

/** Adds the records of what subagents returned. Exports before schema 4 have them only in their audit log. */
export const withReturns = (document: Document): Document => {
  if (document.returns.length > 0) return document
  const tasks = new Set(document.task.map(({ id }) => id))
  const log = document.audit.toSorted((a, b) => a.seq - b.seq)
  const received = log.filter((row) => isReceipt(row) && tasks.has(row.task ?? ''))
  const byTask = Map.groupBy(log, ({ task }) => task)
  return {
    ...document,
    returns: received.map(({ task, at, actor, after, line }, i) => {
      const { spawn, returned, need, breach, entry, made } = after as Record<string, string>
      return { seq: i + 1, task: task!, at, actor, line, spawn: spawn!, returned, need, breach, entry, made }
    }),
    spawn: document.spawn.map((spawn) => ({
      ...spawn,
      backAt: spawn.backAt ?? backAt(spawn.id, byTask.get(spawn.task) ?? []),
    })),
  }
}

const spawnIn = ({ after }: Logged): unknown =>
  typeof after === 'object' && after !== null && 'spawn' in after ? after.spawn : undefined

const isReceipt = (row: Logged): boolean =>
  row.operation === 'orchestrate.receive' && typeof spawnIn(row) === 'string'

/** Returns when a spawn came back: the first time it was received or its task reopened, after it was last spawned. */
const backAt = (spawn: string, log: readonly Logged[]): string | undefined => {
  const spawned = log.findLastIndex(
    (row) => /^orchestrate\.(re)?spawn$/.test(row.operation) && spawnIn(row) === spawn,
  )
  return log
    .slice(spawned + 1)
    .find((row) => row.operation === 'tasks.reopen' || (isReceipt(row) && spawnIn(row) === spawn))?.at
}
