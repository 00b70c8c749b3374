import type { Host } from '../../host/host.ts'
import { isTerminal } from '../../host/standard-streams.ts'
import { readLine } from '../../host/terminal-line.ts'
import { agentClientIn } from '../../kernel/actor.ts'
import type { Command } from '../../operation/command-table.ts'
import type { Operation } from '../../operation/operation.ts'
import type { Connection } from '../../perform/connection.ts'
import { type Caller, perform } from '../../perform/perform.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { CommonOptions, ParsedArgs } from './args.ts'
import { printHuman } from './human.ts'

/** Does not ask an agent, because an agent cannot type an answer, and the command would never end. */
export const askReason = async (
  parsed: ParsedArgs,
  { flags }: Command,
  { actor }: Caller,
  { host, terminal }: { host: Host; terminal: Terminal },
): Promise<void> => {
  const flag = flags.find(({ key }) => key === 'reason')
  const [problem, ...others] = parsed.problems
  if (!flag || problem?.path !== flag.key || others.length > 0) return
  if (actor.agent || agentClientIn(host.env) !== undefined || !terminal.isTerminal || !isTerminal(0)) return
  terminal.err(`reason (${flag.about}): `)
  await terminal.flush?.()
  const reason = readLine().trim()
  if (reason === '') return
  parsed.input[flag.key] = reason
  parsed.problems.pop()
}

/**
 * At a terminal, shows what a command would do, and asks the person once. Returns the input for the command;
 * undefined if the person says no. If there is no terminal or nothing to confirm, returns the input unchanged.
 */
export const confirm = async (
  operation: Operation,
  input: Record<string, unknown>,
  connection: Connection,
  caller: Caller,
  { common, host, terminal }: { common: CommonOptions; host: Host; terminal: Terminal },
): Promise<{ input: Record<string, unknown> } | undefined> => {
  const question = operation.cli.asks?.(input)
  if (!question || !terminal.isTerminal || !isTerminal(0)) return { input }
  const preview = await perform(operation, input, connection, { ...caller, dryRun: true })
  // Do not ask if the command would be refused or has nothing to do. The caller runs the command, which reports the
  // reason.
  if (!preview.ok || (preview.value as { noChange?: true }).noChange) return { input }
  await printHuman({ common, host, terminal }, operation, preview)
  terminal.err(`${question} [y/N] `)
  await terminal.flush?.()
  if (/^y(es)?$/i.test(readLine().trim())) return { input: { ...input, yes: true } }
  terminal.err('Nothing was changed.\n')
  return undefined
}
