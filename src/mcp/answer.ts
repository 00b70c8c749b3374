import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Host } from '../host/host.ts'
import type { Result } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { Operation } from '../operation/operation.ts'
import type { Connection } from '../perform/connection.ts'
import { countOutput } from '../surface/cli/count-output.ts'
import { printHuman } from '../surface/cli/human.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Answered } from './call.ts'

/**
 * If the caller is an orchestrator with a session, the answer's model tokens are added to the count of that session, as
 * on the command line.
 */
export const toolResult = async (
  { result, command, operation, caller }: Answered,
  connection: Connection,
): Promise<CallToolResult> => {
  // A subagent can call tools with the id of the orchestrator's session. The answers to a subagent do not fill the
  // orchestrator's context, so they are not counted.
  if (!command || !caller?.sessionId || parseSpawnId(caller.actor.id))
    return answerOf(operation, result, connection.host)
  let answer: CallToolResult | undefined
  await countOutput(
    { command, caller, connection, terminal: terminalFor(noText) },
    result,
    async (counting, warned) => {
      answer = await answerOf(operation, warned, connection.host)
      counting.out(JSON.stringify(answer.structuredContent))
      return 0
    },
  )
  return answer!
}

/** Returns the answer as data for programs, and as the text that the command line would print. */
const answerOf = async (
  operation: Operation | undefined,
  result: Result<unknown>,
  host: Host,
): Promise<CallToolResult> => {
  const text = await textOf(operation, result, host)
  const warnings = result.warnings?.length ? { warnings: result.warnings } : {}
  if (result.ok)
    return {
      content: [{ type: 'text', text }],
      structuredContent: { data: result.value, ...(result.page && { page: result.page }), ...warnings },
    }
  const { ok: _, held: _held, warnings: _warnings, ...error } = result
  return { content: [{ type: 'text', text }], structuredContent: { error, ...warnings }, isError: true }
}

const textOf = async (
  operation: Operation | undefined,
  result: Result<unknown>,
  host: Host,
): Promise<string> => {
  const document = result.ok ? operation?.cli.document?.(result.value) : undefined
  if (document !== undefined) return document.trimEnd()
  let text = ''
  const terminal = terminalFor((more) => {
    text += more
  })
  // The empty environment keeps colour codes out of the text.
  await printHuman({ common: {}, host: { ...host, env: {} }, terminal }, operation, result)
  return text.trimEnd()
}

const noText = (): void => undefined

const terminalFor = (print: (text: string) => void): Terminal => ({
  out: print,
  err: print,
  isTerminal: false,
  isErrorTerminal: false,
  width: undefined,
  elapsed: () => 0,
})
