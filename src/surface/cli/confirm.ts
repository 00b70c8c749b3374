import type { Host } from '../../host/host.ts'
import { isTerminal } from '../../host/standard-streams.ts'
import { readLine } from '../../host/terminal-line.ts'
import type { Operation } from '../../operation/operation.ts'
import type { Connection } from '../../perform/connection.ts'
import { type Caller, perform } from '../../perform/perform.ts'
import type { CommonOptions } from './args.ts'
import { printHuman } from './human.ts'
import type { Terminal } from './terminal.ts'

/**
 * Shows at a terminal what a command would do and asks once. Returns the input to run the command with; undefined if the
 * person does not want it. Without a terminal, or if there is nothing to ask, the input is returned as it is.
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
  // Running the command shows the refusal, or that there is nothing to do.
  if (!preview.ok || (preview.value as { noChange?: true }).noChange) return { input }
  printHuman({ common, host, terminal }, operation, preview)
  terminal.err(`${question} [y/N] `)
  await terminal.flush?.()
  if (/^y(es)?$/i.test(readLine().trim())) return { input: { ...input, yes: true } }
  terminal.err('Nothing was changed.\n')
  return undefined
}
