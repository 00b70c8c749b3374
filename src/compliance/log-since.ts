import type { Receipt } from '../claims/sql/returns.ts'
import type { SpawnRow } from '../claims/sql/spawns.ts'
import { type Status, statuses } from '../kernel/task.ts'
import type { Db } from '../store/port.ts'
import type { Logged, Observed } from './rules/observed.ts'
import type { LogLine } from './sql.ts'
import { logOf } from './sql.ts'

/** What was recorded of a task since a spawn of it was sent, and what came back from that. */
export const logSince = async (
  db: Db,
  { id, task }: SpawnRow,
): Promise<Pick<Observed, 'log' | 'returned'>> => {
  const lines = (await logOf(db, task)).map(read)
  // The line of the spawn itself has its hash; older ones are told from it by the order they were written in.
  const sent = lines.findLastIndex(({ after }) => after['spawn'] === id && after['hash'] !== undefined)
  const since = lines.slice(sent + 1)
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

type Line = Omit<LogLine, 'after'> & { after: Record<string, unknown> }

const read = ({ after, ...line }: LogLine): Line => ({
  ...line,
  after: after === null ? {} : (JSON.parse(after) as Record<string, unknown>),
})

const statusIn = ({ status }: Record<string, unknown>): Pick<Logged, 'to'> =>
  statuses.includes(status as Status) ? { to: status as Status } : {}

/** Only these are about the line; what else a return was refused for is a matter of other rules. */
const ofLine = new Map([
  ['return.invalid', 'it returned none of its lines'],
  ['return.status', 'it returned a line that does not fit the status of its entry'],
])

const returnedIn = ({ returned, breach = '' }: Receipt): NonNullable<Observed['returned']> => {
  const refused = ofLine.get(breach)
  if (refused) return { allowed: false, why: refused }
  return {
    allowed: true,
    why: `it returned one of its lines${returned ? `: ${returned}` : `, refused for ${breach}`}`,
  }
}
