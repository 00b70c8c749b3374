import type { Servers } from '../../src/surface/cli/servers.ts'

const refuse = () => Promise.reject(new Error('no server is started'))

/** For tests that run the command line in their own process. They start no server and no agent. */
export const noServers: Servers = {
  mcp: refuse,
  demo: refuse,
  hidden: { 'agent-watcher': refuse, 'agent-script': refuse, 'agent-acp': refuse },
}
