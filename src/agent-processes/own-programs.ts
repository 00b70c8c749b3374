import type { Host } from '../host/host.ts'
import { which } from '../host/programs.ts'
import type { AcpOrder } from './acp-agent.ts'
import type { AgentSettings, AgentTask } from './agent.ts'
import { allowedCommands } from './allowed-commands.ts'

/** Arguments of this program to talk with an agent over the Agent Client Protocol. */
export const acpArguments = (
  host: Host,
  { folder, projectRoot, resume }: AgentTask,
  { command = [], allowed }: AgentSettings,
): string[] => {
  const [program = '', ...args] = command
  const order: AcpOrder = {
    command: [which(host, program, host.cwd) ?? program, ...args],
    folder,
    readable: [`${projectRoot}/.cleo/spawns`],
    commands: allowedCommands(allowed),
    ...(resume !== undefined && { resume }),
  }
  return ['agent-acp', JSON.stringify(order)]
}

export const scriptArguments = ({ scenario = '' }: AgentSettings): string[] => ['agent-script', scenario]
