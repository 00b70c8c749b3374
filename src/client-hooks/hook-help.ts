import { hookClients } from './hook-event.ts'

/** The help of `cleo hook`. */
export const hookHelp = `Answer a hook of an agent client: reads the event on standard input, prints JSON.

  cleo hook <client> <event>

Clients  ${hookClients.join(', ')}
Events   the client's own names:
  SessionStart                        the state of the project, for an orchestrator
  SubagentStart                       the contract of a subagent
  PreToolUse, BeforeTool              gives cleo commands of a spawn their --as; refuses what it may not do
  SubagentStop, Stop, AfterAgent      sends a spawn's agent back until its entry, completion and line are there

cleo setup installs these hooks. It always exits 0. Problems are in hooks/errors.log of your state folder
(~/.local/state/cleo). An agent is sent back at most 5 times: cleo receive remains the check that counts.

Examples
  cleo hook claude PreToolUse < event.json
`
