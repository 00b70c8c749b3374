import { clientCommands } from '../help/client-commands.ts'
import { clientNames } from '../kernel/client-names.ts'

export const hookHelp = `${clientCommands.hook.summary}

  cleo hook <client> <event>

Clients  ${clientNames.join(', ')}
Events   as the clients name them, and what the answer does:
  SessionStart                        gives an orchestrator the state of the project
  SubagentStart                       gives a subagent its contract
  PreToolUse, BeforeTool              adds --as to a spawn's cleo commands; refuses forbidden commands
  SubagentStop, Stop, AfterAgent      refuses the stop of a spawn's agent until its task is finished

cleo setup installs these hooks. cleo hook always exits 0. It logs problems to hooks/errors.log in your state
folder (~/.local/state/cleo). It refuses an agent's stop at most 5 times; cleo receive checks the work again.

Examples
  cleo hook claude PreToolUse < event.json
`
