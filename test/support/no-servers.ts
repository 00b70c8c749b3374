import type { Servers } from '../../src/surface/cli/servers.ts'

const refuse = () => Promise.reject(new Error('no server is started'))

/** For tests of the command line inside their own process, which start no server and no agent. */
export const noServers: Servers = {
  mcp: refuse,
  demo: refuse,
  hidden: { 'agent-watcher': refuse, 'agent-script': refuse, 'agent-acp': refuse },
}
