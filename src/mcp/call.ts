import * as v from 'valibot'
import type { Host } from '../host/host.ts'
import { actorNameRule, isActorName } from '../kernel/actor.ts'
import { checkInput } from '../kernel/check-input.ts'
import { nearest } from '../kernel/nearest.ts'
import { resolvePath } from '../kernel/path.ts'
import type { ProgressListener } from '../kernel/progress.ts'
import { type Failure, fail, type Problem, type Result } from '../kernel/result.ts'
import { shellWords } from '../kernel/shell-words.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import { commandLine } from '../operation/command-line.ts'
import type { Command } from '../operation/command-table.ts'
import { allCommands } from '../operation/commands.ts'
import type { Operation } from '../operation/operation.ts'
import type { Connection } from '../perform/connection.ts'
import { load } from '../perform/generated/load.ts'
import { type Caller, perform } from '../perform/perform.ts'
import { agentThatRuns, foreignActor, needsPerson } from '../perform/who-acts.ts'
import { shellQuote } from '../print/shell-quote.ts'
import { fixesFor, spawnThatForgotAs } from '../surface/cli/fixes.ts'
import { actorFor, type CallOrigin, hostFor, recordedSpawn } from './caller.ts'
import { namedTools } from './generated/tools.ts'
import { cancellable, mayRunCommands, outsideSandbox, withoutCommands } from './sandbox.ts'

export interface ToolCall {
  tool: string
  args: Record<string, unknown>
  origin: CallOrigin
  progress?: ProgressListener
  /** Aborted when the client cancels the call. */
  signal: AbortSignal
}

/** `operation` is undefined if the call was refused before its operation was loaded. */
export interface Answered {
  result: Result<unknown>
  command?: Command
  operation?: Operation
  caller?: Caller
}

export const answerCall = async (
  { tool, args, origin, progress, signal }: ToolCall,
  host: Host,
  named: string | undefined,
  opened: Connection,
): Promise<Answered> => {
  const found = findCall(tool, args)
  if ('ok' in found) return { result: found }
  const { command } = found
  const { as, session, dryRun, input, problems } = splitCommon(found.input, command)
  if (problems.length > 0) return { result: fail('input.invalid', { problems }), command }
  const spawn = await recordedSpawn(opened, origin)
  const callHost = hostFor(host, origin, spawn)
  const caller: Caller = {
    actor: actorFor(callHost, as),
    sessionId: session ?? (host.env['CLEO_SESSION_ID'] || undefined),
    dryRun: dryRun ?? false,
    ...(progress && { progress }),
  }
  const operation = (await load(command.operation))!
  const isAllowed = await mayRunCommands(opened)
  const connection = {
    ...opened,
    host: isAllowed ? cancellable(callHost, signal) : withoutCommands(callHost),
  }
  const line = [
    commandLine(command, input),
    ...(as !== undefined || spawn !== undefined ? [`--as ${shellQuote(caller.actor.id)}`] : []),
    ...(session === undefined ? [] : [`--session ${shellQuote(session)}`]),
    ...(dryRun ? ['--dry-run'] : []),
    ...(named === undefined ? [] : [`--project ${shellQuote(resolvePath(host.cwd, named))}`]),
  ].join(' ')
  const typed = line.length > longestLine ? `cleo ${command.words} --help` : line
  const outside = isAllowed ? undefined : outsideSandbox(operation, input, typed)
  // Do not suggest the shell to a caller who may not run the operation at all. `perform` refuses such a caller with the
  // right reason.
  if (outside && !(await mayNotRun(operation, input, connection, caller)))
    return { result: outside, command, operation, caller }
  const result = await perform(operation, input, connection, caller)
  const shown = result.ok ? result : await withFixes(result, { command, line, input, caller, connection })
  return { result: shown, command, operation, caller }
}

/**
 * Whether the caller may not run an operation at all: the operation is for a person or the orchestrator only, or the
 * caller uses the name of another spawn.
 */
const mayNotRun = async (
  operation: Operation,
  input: unknown,
  connection: Connection,
  caller: Caller,
): Promise<boolean> =>
  foreignActor(connection, caller) !== undefined ||
  (operation.orchestratorOnly === true && parseSpawnId(caller.actor.id) !== undefined) ||
  (needsPerson(operation, input) && (await agentThatRuns(connection, caller)) !== undefined)

/** A refusal suggests no command longer than this. Long texts in a refusal are cut, and a cut command cannot run. */
const longestLine = 8000

interface NamedCall {
  command: Command
  input: Record<string, unknown>
}

const GeneralCall = v.strictObject({
  domain: v.string(),
  operation: v.string(),
  params: v.optional(v.record(v.string(), v.unknown()), {}),
})

const findCall = (tool: string, args: Record<string, unknown>): NamedCall | Failure => {
  const own = namedTools.find(({ name }) => name === tool)
  if (own) return { command: commandOf(own.operation)!, input: args }
  if (tool !== 'query' && tool !== 'mutate') return unknownOperation(tool)
  const checked = checkInput(GeneralCall, args)
  if (!checked.ok) return fail('input.invalid', checked)
  const { domain, operation, params } = checked.value
  const name = `${domain.replace(/^orchestrator\b/, 'orchestrate')}.${operation}`
  const command = commandOf(name)
  if (!command) return unknownOperation(`${domain}.${operation}`)
  if (command.kind !== tool) return fail('operation.kind', { operation: name, kind: command.kind })
  return { command, input: params }
}

let known: Map<string, Command> | undefined

const commandOf = (operation: string): Command | undefined => {
  known ??= new Map(allCommands().map((command) => [command.operation, command]))
  return known.get(operation)
}

/** If no name is similar, suggests operations whose names end with the same word. */
const unknownOperation = (given: string): Failure => {
  const names = allCommands().map(({ operation }) => operation)
  const last = given.slice(given.lastIndexOf('.') + 1)
  const sameVerb = names.filter((name) => name.endsWith(`.${last}`))
  const near = nearest(given, names)
  return fail('operation.unknown', {
    given: given.length > 200 ? `${given.slice(0, 200)}…` : given,
    near: near ? [near] : sameVerb.slice(0, 3),
  })
}

/** Options that every tool call can have, like the common flags of the command line. */
const commonOptions = { as: 'string', session: 'string', dryRun: 'boolean' } as const

interface SplitInput {
  as?: string
  session?: string
  dryRun?: boolean
  input: Record<string, unknown>
  problems: Problem[]
}

const splitCommon = (given: Record<string, unknown>, { kind }: Command): SplitInput => {
  const input: Record<string, unknown> = {}
  const common: Record<string, unknown> = {}
  const problems: Problem[] = []
  for (const [key, value] of Object.entries(given)) {
    const type = Object.hasOwn(commonOptions, key)
      ? commonOptions[key as keyof typeof commonOptions]
      : undefined
    if (!type) input[key] = value
    else if (typeof value === type) common[key] = value
    else problems.push({ path: key, message: `must be a ${type}` })
  }
  if (typeof common['as'] === 'string' && !isActorName(common['as']))
    problems.push({ path: 'as', message: actorNameRule })
  if (common['dryRun'] && kind === 'query')
    problems.push({ path: 'dryRun', message: 'works only with operations that change something' })
  return { ...common, input, problems }
}

interface RefusedCall {
  command: Command
  line: string
  input: Record<string, unknown>
  caller: Caller
  connection: Connection
}

/**
 * Adapts the commands in a refusal's fixes to the caller, as the command line does. For a spawn, adds `--as` with
 * the id of the spawn.
 */
const withFixes = async (
  refusal: Failure,
  { command, line, input, caller, connection }: RefusedCall,
): Promise<Failure> => {
  const actor = caller.actor.id
  const isWork = command.tier === 0 && command.kind === 'mutate' && !parseSpawnId(actor)
  const forgot = isWork ? await spawnThatForgotAs(connection, input['id'] ?? input['task']) : undefined
  const split = line.length > longestLine ? { ok: false as const } : shellWords(line)
  return fixesFor(refusal, {
    words: command.words,
    actor,
    argv: split.ok ? split.words.slice(1) : [],
    ...(forgot && { forgot }),
  })
}
