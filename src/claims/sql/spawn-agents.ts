import type { Db } from '../../store/port.ts'
import type { SpawnRow } from '../../store/rows.ts'

/** How many model tokens an agent used, as its client counted. `input` includes tokens read from the client's cache. */
export interface AgentTokens {
  input: number
  output: number
}

export interface SpawnAgent {
  client: string
  /** The client's id of the agent, thread or session. */
  id: string
  tokens?: AgentTokens
  /**
   * `refused` counts how often a hook did not let the agent stop. `stuck` counts only the latest of these refusals:
   * those since the agent last made progress.
   */
  refused?: number
  stuck?: number
  /**
   * What was missing at the last refusal, and the number of the spawn's last audit row. If both are the same at the
   * next refusal, the agent made no progress in between.
   */
  state?: string
  /** The requirements that were missing when the agent was allowed to stop. */
  released?: string
}

export const agentsOf = ({ agents }: Pick<SpawnRow, 'agents'>): SpawnAgent[] =>
  agents === null ? [] : (JSON.parse(agents) as SpawnAgent[])

/** Replaces the earlier record of this agent. */
export const setAgent = async (db: Db, spawn: string, agent: SpawnAgent): Promise<void> => {
  const row = await db.get<Pick<SpawnRow, 'agents'>>('SELECT agents FROM spawns WHERE id = ?', spawn)
  if (!row) return
  const others = agentsOf(row).filter(({ client, id }) => client !== agent.client || id !== agent.id)
  await db.run('UPDATE spawns SET agents = ? WHERE id = ?', JSON.stringify([...others, agent]), spawn)
}

/** Returns the number of the last row that a spawn wrote in the audit log; 0 if there is no such row. */
export const lastChange = async (db: Db, spawn: string): Promise<number> =>
  Number(
    (await db.get<{ seq: number | null }>('SELECT max(seq) AS seq FROM audit WHERE actor = ?', spawn))?.seq ??
      0,
  )

/**
 * `tokens` is the sum over all agents of the spawn. `released` names the requirements that were missing when a hook
 * last let an agent stop.
 */
export interface AgentSummary {
  tokens?: number
  released?: string
}

export const summaryOf = (row: Pick<SpawnRow, 'agents'>): AgentSummary => {
  const agents = agentsOf(row)
  let tokens = 0
  for (const each of agents) tokens += each.tokens ? each.tokens.input + each.tokens.output : 0
  const released = agents.findLast((each) => each.released !== undefined)?.released
  return { ...(tokens > 0 && { tokens }), ...(released !== undefined && { released }) }
}
