import type { Result } from '../../kernel/result.ts'
import type { Command } from '../../operation/command-table.ts'
import {
  budget,
  type ContextUsage,
  contextUsagePath,
  openContextUsage,
  stateOf,
} from '../../overview/context-usage.ts'
import type { Connection } from '../../perform/connection.ts'
import type { Caller } from '../../perform/perform.ts'
import { roughEstimate } from '../../prompt/budget/rough-estimate.ts'
import type { Terminal } from '../../terminal/terminal.ts'

interface Invocation {
  command: Command
  caller: Caller
  connection: Connection
  terminal: Terminal
}

type Show = (terminal: Terminal, result: Result<unknown>) => Promise<number>

/**
 * Prints an answer and records how many tokens of the session's context it takes. An error here must not fail the
 * command, because the command has already done its work.
 */
export const countOutput = async (
  { command: { operation }, caller, connection, terminal }: Invocation,
  result: Result<unknown>,
  show: Show,
): Promise<number> => {
  const usage =
    result.ok || result.code !== 'session.not_found' ? await usageFor(caller, connection) : undefined
  if (!usage) return show(terminal, result)
  let printed = ''
  const counted = (print: (text: string) => void) => (text: string) => {
    printed += text
    print(text)
  }
  const warned = operation.startsWith('orchestrate.') ? withWarning(result, usage) : result
  const { out, err, flush, isTerminal, elapsed } = terminal
  const counting: Terminal = {
    out: counted(out),
    err: counted(err),
    flush,
    isTerminal,
    elapsed,
    // Asked only if needed, because asking whether standard error is a terminal takes time.
    get isErrorTerminal() {
      return terminal.isErrorTerminal
    },
    get width() {
      return terminal.width
    },
  }
  const exit = await show(counting, warned)
  try {
    usage.add(operation, roughEstimate(printed))
  } catch {
    // Ignore the error, because the answer is already printed.
  }
  return exit
}

const usageFor = async ({ sessionId }: Caller, connection: Connection): Promise<ContextUsage | undefined> => {
  try {
    const path = contextUsagePath(await connection.folder(), sessionId!)
    return path === undefined ? undefined : openContextUsage(connection.host.files, path)
  } catch {
    // Ignore the error. If there is no project, the answer itself reports this. If the stored counts cannot be opened,
    // the command must still succeed.
    return undefined
  }
}

const withWarning = (result: Result<unknown>, usage: ContextUsage): Result<unknown> => {
  if (!result.ok) return result
  const used = usage.used()
  const state = stateOf(used)
  if (state === 'ok') return result
  const warning = `context ${state}: ${used} of ${budget} tokens`
  return { ...result, warnings: [...(result.warnings ?? []), warning] }
}
