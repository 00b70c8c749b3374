import type { Result } from '../../kernel/result.ts'
import type { Command } from '../../operation/command-table.ts'
import { budget, readUse, useFile, useLine } from '../../overview/context-use.ts'
import type { Connection } from '../../perform/connection.ts'
import type { Caller } from '../../perform/perform.ts'
import type { Terminal } from './cli.ts'

interface Counted {
  command: Command
  caller: Caller
  connection: Connection
  terminal: Terminal
}

type Show = (terminal: Terminal, result: Result<unknown>) => Promise<number>

/**
 * Shows an answer and notes what it cost the session that asked. Nothing here may fail a command that has done its
 * work.
 */
export const counted = async (
  { command, caller, connection, terminal }: Counted,
  result: Result<unknown>,
  show: Show,
): Promise<number> => {
  const path =
    result.ok || result.code !== 'session.not_found' ? await pathFor(caller, connection) : undefined
  if (path === undefined) return show(terminal, result)
  let printed = ''
  const out = (text: string): void => {
    printed += text
    terminal.out(text)
  }
  const { files } = connection.host
  const warning = command.words.startsWith('orchestrate ') ? await warningOf(files, path) : []
  const warned =
    result.ok && warning.length > 0
      ? { ...result, warnings: [...(result.warnings ?? []), ...warning] }
      : result
  const exit = await show({ ...terminal, out }, warned)
  try {
    const { estimate } = await import('../../prompt/budget/estimate.ts')
    files.append(path, useLine(command.operation, estimate(printed)), 0o600)
  } catch {
    // The answer is out: a count that could not be kept is no reason to call it failed.
  }
  return exit
}

const pathFor = async ({ sessionId }: Caller, connection: Connection): Promise<string | undefined> => {
  try {
    return useFile((await connection.project()).folder, sessionId!)
  } catch {
    // There is no project, and the answer says so.
    return undefined
  }
}

const warningOf = async (files: Connection['host']['files'], path: string): Promise<string[]> => {
  try {
    const { used, state } = await readUse(files, path)
    if (state === 'ok') return []
    return [`context ${state}: ${used} of ${budget} tokens`]
  } catch {
    // Nobody may read it: `orchestrate context` says why.
    return []
  }
}
