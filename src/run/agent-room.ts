import type { AgentProcesses } from '../agent-processes/agent.ts'
import type { Host } from '../host/host.ts'
import type { AgentRoom } from './begin-run.ts'
import type { RunOptions } from './run-options.ts'

/**
 * Loads the kind of agent that a run starts, and the processes of this machine. Loaded here, because only runs need
 * them.
 */
export const agentRoom = async (host: Host, { agent }: RunOptions): Promise<AgentRoom> => {
  const { agentKind } = await import('../agent-processes/agent-kinds.ts')
  return { kind: agentKind(agent), processes: await agentProcessesOf(host) }
}

export const agentProcessesOf = async (host: Host): Promise<AgentProcesses> =>
  (await import('../agent-processes/processes.ts')).agentProcesses(host)
