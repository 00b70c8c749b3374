import type { Receipt } from '../claims/sql/returns.ts'
import type { SpawnRow } from '../claims/sql/spawns.ts'
import { type Status, statuses } from '../kernel/task.ts'
import type { Db } from '../store/port.ts'
import * as lists from '../tasks/sql/lists.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import type { LogLine, RuleFacts } from './rules/rule-facts.ts'
import type { SpawnedTask } from './spawned-task.ts'
import * as log from './sql.ts'

/** Reads the audit log of a task since its spawn, and what `receive` recorded about the spawn's return line. */
export const logSince = async (
  db: Db,
  { id, task }: SpawnRow,
): Promise<Pick<RuleFacts, 'log' | 'returned'>> => {
  const lines = (await log.logOf(db, task)).map(({ after, ...line }) => ({
    ...line,
    after: after === null ? {} : (JSON.parse(after) as Record<string, unknown>),
  }))
  // Several lines can name the spawn. Only the line of the command that made the spawn has a hash.
  const spawned = lines.findLastIndex(({ after }) => after['spawn'] === id && after['hash'] !== undefined)
  const since = lines.slice(spawned + 1)
  const receipt = since.findLast(
    ({ operation, after }) =>
      operation === 'orchestrate.receive' &&
      after['spawn'] === id &&
      (after['returned'] !== undefined || after['breach'] !== undefined),
  )
  return {
    log: since.map(({ actor, operation, after }) => ({ actor, operation, ...statusIn(after) })),
    ...(receipt && { returned: returnedIn(receipt.after as unknown as Receipt) }),
  }
}

const statusIn = ({ status }: Record<string, unknown>): Pick<LogLine, 'to'> =>
  statuses.includes(status as Status) ? { to: status as Status } : {}

/**
 * Codes with which `receive` refuses what a subagent returned, each with its explanation. Every other code has a
 * cause that another rule checks.
 */
const lineRefusals = new Map([
  ['return.invalid', 'the subagent did not return an allowed line'],
  ['return.more', 'the subagent returned more than the allowed line'],
  ['return.status', 'the returned line contradicts the status of the entry'],
])

const returnedIn = ({
  returned,
  breach = '',
  line,
}: Receipt & { line?: string }): NonNullable<RuleFacts['returned']> => {
  if (line === 'none') return { why: 'the reply was not passed to receive' }
  const refusal = lineRefusals.get(line ?? breach)
  if (refusal) return { allowed: false, why: refusal, ...(returned && { accepted: true }) }
  return {
    allowed: true,
    why: `the subagent returned an allowed line${returned ? `: ${returned}` : `, refused for ${breach.split('\n')[0]}`}`,
  }
}

/**
 * A validation task validates its own dependencies and the dependencies of its ancestors. Returns the agents that
 * worked on these dependencies.
 */
export const authorsOf = async ({ context: { store }, row }: SpawnedTask): Promise<RuleFacts['authors']> => {
  const line = await tasks.lineage(store, row.id)
  const depends = await lists.readMany(store, 'depends', [...new Set([row.id, ...line.map(({ id }) => id)])])
  const workers = await log.focusedBy(store, [...new Set([...depends.values()].flat())])
  return [...workers].map(([task, actors]) => ({ task, actors }))
}
