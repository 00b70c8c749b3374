import type { Host } from '../host/host.ts'
import { type AgentClient, clientNames } from '../kernel/client-names.ts'
import { isObject } from '../kernel/json-object.ts'
import { findProject } from '../project/find-project.ts'
import { noteCall } from './agent-record.ts'
import { beforeTool } from './before-tool.ts'
import { answerFor } from './hook-answer.ts'
import { kindOf, readEvent } from './hook-event.ts'

/** CLEO ignores an input that is longer than this. No client sends that much. */
const maxInputBytes = 32 * 1024 * 1024

export interface HookOutput {
  out(text: string): void
  err(text: string): void
}

/**
 * Runs `cleo hook <client> <event>`: reads the event on standard input and prints the answer as JSON, or nothing.
 * Always returns 0, because clients treat any other exit status as a refusal, and an error in CLEO must not stop
 * anyone's work.
 */
export const runHook = async (argv: readonly string[], host: Host, output: HookOutput): Promise<number> => {
  const [client = '', name = ''] = argv
  if (argv.length < 2 || argv.includes('--help') || argv.includes('-h')) {
    const { hookHelp } = await import('./hook-help.ts')
    output.out(hookHelp)
    return 0
  }
  try {
    const answer = await answerHook(client, name, host, output)
    if (answer) output.out(`${JSON.stringify(answer)}\n`)
  } catch (error) {
    const { logOnce } = await import('./hook-log.ts')
    await logOnce(host, `${client} ${name}`, error instanceof Error ? error.message : String(error))
  }
  return 0
}

const answerHook = async (
  client: string,
  name: string,
  host: Host,
  output: HookOutput,
): Promise<object | undefined> => {
  if (!clientNames.includes(client as AgentClient)) return problem(host, output, client, 'unknown client')
  const given = await host.readEvent(maxInputBytes)
  if (!given) return problem(host, output, client, 'a client gives the event on standard input')
  await noteCall(host, client, name)
  const kind = kindOf(name)
  if (!kind) return problem(host, output, client, `unknown event ${name.slice(0, 60)}`)
  if (!('text' in given)) return problem(host, output, client, `${name}: input too large or unreadable`)
  const raw = parse(given.text)
  if (!raw) return problem(host, output, client, `${name}: the input is not a JSON object`)
  const event = readEvent(raw, client as AgentClient, name, kind, host)
  const place = event.cwd?.startsWith('/') && event.cwd !== host.cwd ? { ...host, cwd: event.cwd } : host
  const { root, found } = await findProject(place)
  if (!found) return undefined
  if (kind === 'before tool') {
    const answer = await beforeTool(place, root, event)
    return answer && answerFor(event, answer)
  }
  const { atStartOrStop } = await import('./start-and-stop.ts')
  const answer = await atStartOrStop(place, root, event)
  return answer && answerFor(event, answer)
}

const parse = (text: string): Record<string, unknown> | undefined => {
  try {
    const raw: unknown = JSON.parse(text)
    return isObject(raw) ? raw : undefined
  } catch {
    return undefined
  }
}

const problem = async (host: Host, output: HookOutput, client: string, what: string): Promise<undefined> => {
  const { logOnce } = await import('./hook-log.ts')
  await logOnce(host, client, what)
  output.err(`cleo hook: ${what}\n`)
  return undefined
}
