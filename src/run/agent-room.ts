import type { AgentProcesses } from '../agent-processes/agent.ts'
import type { Host } from '../host/host.ts'
import type { AgentRoom } from './begin-run.ts'
import type { RunOptions } from './run-options.ts'

/**
 * Most commands need no agents, so the code for the run's kind of agent and the code that starts agents are imported on
 * demand.
 */
export const agentRoom = async (host: Host, { agent }: RunOptions): Promise<AgentRoom> => {
  const { agentKind } = await import('../agent-processes/agent-kinds.ts')
  return { kind: agentKind(agent), processes: await agentProcessesOf(host) }
}

export const agentProcessesOf = async (host: Host): Promise<AgentProcesses> =>
  (await import('../agent-processes/processes.ts')).agentProcesses(host)
