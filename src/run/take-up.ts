import type { AgentEnd, AgentKind, AgentProcesses } from '../agent-processes/agent.ts'
import type { CallingContext } from '../operation/context.ts'
import type { OutWork, Tally, Usage, WorkEnding } from '../schedule/run-state.ts'
import { canContinue } from './own-session.ts'
import type { RunAgentRow } from './sql.ts'
import * as runs from './sql.ts'

/** The state that a driver finds when it takes over a run. For a new run, everything here is empty. */
interface TakenUp {
  outs: OutWork[]
  /** Agents that might still be alive. */
  adopted: RunAgentRow[]
  leftovers: Leftover[]
  tallies: Map<string, Tally>
  usage: Map<string, Usage>
}

/**
 * Reads from the store how far the earlier drivers of the run came, so that the new driver does not repeat finished
 * steps.
 */
export const takeUpRun = async (
  { store }: Pick<CallingContext, 'store'>,
  { seq }: { seq: number },
  kind: Pick<AgentKind, 'resumes'>,
): Promise<TakenUp> => {
  const rows = new Map((await runs.agents(store, seq)).map((row) => [row.spawn, row]))
  const found = await runs.outSpawns(store, seq)
  const outs: OutWork[] = []
  const adopted: RunAgentRow[] = []
  for (const { id, task, back_at, submitted_at, status } of found) {
    const row = rows.get(id)
    const isRunning = row?.state === 'running'
    if (isRunning) adopted.push(row)
    const ending = row?.ending ? endingOf(JSON.parse(row.ending) as AgentEnd) : undefined
    outs.push({
      ...{
        task,
        spawn: id,
        submitted: submitted_at !== null || status === 'done',
        // `back_at` is set if the work was refused, but also if the work was accepted and still waits for its
        // merge. Only in the second case is the task done.
        refused: back_at !== null && status !== 'done',
      },
      ...(canContinue(kind, row) && { canContinue: true }),
      state: isRunning ? 'running' : row ? 'ended' : 'unstarted',
      ...(ending && { ending }),
    })
  }
  const known = new Set(found.map(({ id }) => id))
  const leftovers = [...rows.values()].flatMap((row) =>
    row.state === 'running' && !known.has(row.spawn) ? [leftoverOf(row)] : [],
  )
  const tallies = new Map<string, Tally>()
  for (const [task, attempts] of await runs.failures(store, seq))
    tallies.set(task, { attempts, restarts: 0, stale: 0 })
  const usage = new Map<string, Usage>()
  for (const { spawn, usage: used } of rows.values()) if (used) usage.set(spawn, JSON.parse(used) as Usage)
  return { outs, adopted, leftovers, tallies, usage }
}

type Leftover = Parameters<AgentProcesses['endLeftover']>[0]

export const leftoverOf = ({ marker, watcher }: RunAgentRow): Leftover => ({
  marker,
  ...(watcher && { watcher: JSON.parse(watcher) as Leftover['watcher'] }),
})

const endingOf = ({ ending }: AgentEnd): WorkEnding => (ending === 'watcher lost' ? 'lost' : ending)
