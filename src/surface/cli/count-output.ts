import type { Result } from '../../kernel/result.ts'
import type { Command } from '../../operation/command-table.ts'
import { budget, contextUsageFile, readContextUsage, usageLine } from '../../overview/context-usage.ts'
import type { Connection } from '../../perform/connection.ts'
import type { Caller } from '../../perform/perform.ts'
import type { Terminal } from '../../terminal/terminal.ts'

interface Invocation {
  command: Command
  caller: Caller
  connection: Connection
  terminal: Terminal
}

type Show = (terminal: Terminal, result: Result<unknown>) => Promise<number>

/**
 * Prints an answer and records how many tokens it cost the session. An error here must not fail the command, because
 * its work is done.
 */
export const countOutput = async (
  { command, caller, connection, terminal }: Invocation,
  result: Result<unknown>,
  show: Show,
): Promise<number> => {
  const path =
    result.ok || result.code !== 'session.not_found' ? await pathFor(caller, connection) : undefined
  if (path === undefined) return show(terminal, result)
  let printed = ''
  const counted = (print: (text: string) => void) => (text: string) => {
    printed += text
    print(text)
  }
  const { files } = connection.host
  const warning = command.operation.startsWith('orchestrate.') ? await warningOf(files, path) : []
  const warned =
    result.ok && warning.length > 0
      ? { ...result, warnings: [...(result.warnings ?? []), ...warning] }
      : result
  const exit = await show({ ...terminal, out: counted(terminal.out), err: counted(terminal.err) }, warned)
  try {
    const { estimate } = await import('../../prompt/budget/estimate.ts')
    files.append(path, usageLine(command.operation, estimate(printed)), 0o600)
  } catch {
    // Ignored, because the answer is already printed.
  }
  return exit
}

const pathFor = async ({ sessionId }: Caller, connection: Connection): Promise<string | undefined> => {
  try {
    return contextUsageFile((await connection.project()).folder, sessionId!)
  } catch {
    // There is no project, and the answer reports that.
    return undefined
  }
}

const warningOf = async (files: Connection['host']['files'], path: string): Promise<string[]> => {
  try {
    const { used, state } = await readContextUsage(files, path)
    if (state === 'ok') return []
    return [`context ${state}: ${used} of ${budget} tokens`]
  } catch {
    // The file is not readable. `cleo context` reports why.
    return []
  }
}
