import type { Host } from '../../host/host.ts'
import type { Failure } from '../../kernel/result.ts'
import type { Command } from '../../operation/command-table.ts'
import { allCommands, type FoundCommand, findCommand } from '../../operation/commands.ts'
import { styleFor, type Terminal } from '../../terminal/terminal.ts'
import { asksForHelp, type CommonOptions } from './args.ts'
import { printed } from './human.ts'
import type { Servers } from './servers.ts'

/**
 * Answers command lines that name no operation: requests for help, servers, and words that CLEO does not know.
 * This code is not in `cli.ts`, because most commands do not need it.
 */
export const answerOther = async (found: FoundCommand, given: OtherOptions): Promise<number> => {
  const { host, terminal } = given
  const { commandsIn, helpFor, overview, group } = await import('./help.ts')
  const style = styleFor(host.env, terminal)
  const print = async (lines: string[]): Promise<number> => {
    terminal.out(await printed(lines, host, terminal.isTerminal ? terminal.width : undefined))
    return 0
  }
  if (found.command) return print(helpFor(found.command, style, allCommands()))
  if (found.stray === 'help') {
    const about = found.rest.slice(found.rest.indexOf('help') + 1)
    if (about[0] === 'flags') return print((await import('./help-flags.ts')).flagsHelp(style))
    if (about[0] === 'removing')
      return print(await (await import('./help-removing.ts')).removingHelp(host, style))
    const topic = findCommand(about)
    return answerOther({ ...topic, rest: [...topic.rest, '--help'] }, given)
  }
  if (found.path === '' && found.stray === 'hook' && asksForHelp(found)) {
    const { hookHelp } = await import('../../client-hooks/hook-help.ts')
    return print([hookHelp.trimEnd()])
  }
  if (found.path === '' && found.stray === 'quickstart')
    return given.startQuickly(['--help'], host, terminal, given.servers)
  const { hiddenCommands, runServer, serverCommandAt, serverHelp } = await import('./servers.ts')
  const hidden = hiddenCommands.find((name) => name === found.stray && found.path === '')
  if (hidden) return given.servers.hidden[hidden](host, found.rest.slice(found.rest.indexOf(hidden) + 1))
  const server = serverCommandAt(found)
  if (server && asksForHelp(found)) return print(serverHelp(server, style))
  const { usageProblem } = await import('./usage-problem.ts')
  const problem = server ? await runServer(server, found.rest, given) : usageProblem(found)
  if (typeof problem === 'number') return problem
  if (!problem)
    return print(
      found.path ? group(found.path, commandsIn(found.path), style) : overview(allCommands(), style),
    )
  const command = { words: found.path, operation: 'cli' } as Command
  return given.present({ command, common: commonOf(found.rest), host, terminal }, undefined, problem)
}

interface OtherOptions {
  host: Host
  terminal: Terminal
  servers: Servers
  /** `cli.ts` passes its functions, because this file must not import `cli.ts`. */
  present: (invocation: Invocation, operation: undefined, result: Failure) => Promise<number>
  startQuickly: (argv: readonly string[], host: Host, terminal: Terminal, servers: Servers) => Promise<number>
}
interface Invocation {
  command: Command
  common: CommonOptions
  host: Host
  terminal: Terminal
}

const commonOf = (rest: readonly string[]): CommonOptions => ({
  ...(rest.includes('--json') && { json: true }),
  ...(rest.includes('--human') && { human: true }),
})
