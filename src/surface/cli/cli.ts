import type { Host } from '../../host/host.ts'
import { actorNameRule, actorOf, isActorName } from '../../kernel/actor.ts'
import type { Progress } from '../../kernel/progress.ts'
import { type Failure, fail, type Result } from '../../kernel/result.ts'
import { parseSpawnId } from '../../kernel/task-id.ts'
import type { Command, Flag } from '../../operation/command-table.ts'
import { findCommand } from '../../operation/commands.ts'
import type { Operation } from '../../operation/operation.ts'
import { type Connection, connect, saveOutside } from '../../perform/connection.ts'
import { load } from '../../perform/generated/load.ts'
import { type Caller, perform } from '../../perform/perform.ts'
import { readable } from '../../print/printable.ts'
import type { ProgressLine } from '../../terminal/progress-line.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { asksForHelp, type CommonOptions, type ParsedArgs, parseArgs } from './args.ts'
import { countOutput } from './count-output.ts'
import { printHuman } from './human.ts'
import { jsonText } from './json-text.ts'
import type { Servers } from './servers.ts'

/** Runs one command line and returns the exit status. */
export const runCli = async (
  argv: readonly string[],
  host: Host,
  terminal: Terminal,
  servers: Servers,
): Promise<number> => {
  if (argv[0] === 'hook') {
    const { runHook } = await import('../../client-hooks/hook.ts')
    return runHook(argv.slice(1), host, terminal)
  }
  if (argv[0] === 'quickstart') return startQuickly(argv.slice(1), host, terminal, servers)
  const found = findCommand(
    argv[0] === '--version' || argv[0] === '-v' || argv[0] === '-V' ? ['version', ...argv.slice(1)] : argv,
  )
  const { command } = found
  if (!command || asksForHelp(found)) {
    const { answerOther } = await import('./other-words.ts')
    return answerOther(found, { host, terminal, servers, present, startQuickly })
  }

  const parsed = parseArgs(found.rest, command)
  const tooLarge = parsed.fromInput ? await takeInputFor(parsed, parsed.fromInput, host) : []
  const invocation = { command, common: parsed.common, host, terminal }
  const progress = parsed.common.quiet ? undefined : shownProgress(host, terminal)
  const caller = { ...callerOf(parsed.common, host), ...(progress && { progress: progress.listener }) }
  if (parsed.problems[0]?.path === 'reason' && isHumanFormat(invocation))
    await (await import('./confirm.ts')).askReason(parsed, command, caller, invocation)
  const wrongFlags = commonFlagProblems(parsed.common, command, caller)
  const problems = wrongFlags.length === 0 ? parsed.problems : [...parsed.problems, ...wrongFlags]
  const operation = problems.length + tooLarge.length > 0 ? undefined : (await load(command.operation))!
  const connection = connect({
    host,
    named: text(parsed.common.project),
    wait: operation?.isLong ? 'retry' : 'block',
  })
  const confirmed =
    operation?.cli.asks && !caller.dryRun && isHumanFormat(invocation)
      ? await (await import('./confirm.ts')).confirm(operation, parsed.input, connection, caller, invocation)
      : { input: parsed.input }
  if (!confirmed) return 0
  const edits = isHumanFormat(invocation) ? operation?.cli.edits?.(parsed.input) : undefined
  const result = operation
    ? edits
      ? await (await import('./editor.ts')).editText(
          operation,
          parsed.input,
          edits,
          connection,
          caller,
          invocation,
        )
      : operation.isLong
        ? await (await import('./live-operation.ts')).performLong(
            operation,
            confirmed.input,
            connection,
            caller,
            {
              ...invocation,
              isHuman: isHumanFormat(invocation),
            },
          )
        : await perform(operation, confirmed.input, connection, caller)
    : tooLarge.length > 0
      ? fail('input.invalid', { problems: [...tooLarge, ...problems] })
      : fail('usage.invalid', { command: command.words, problems })
  progress?.end()
  const shown = result.ok
    ? result
    : await withFixesFor(result, parsed, invocation, { caller, connection, argv })
  const exit = await show({ ...invocation, caller, connection }, operation, shown)
  if (command.kind === 'mutate' && result.ok && !caller.dryRun) await saveOutside(connection, terminal.flush)
  return exit
}

/** At a terminal, asks before each step. Without a terminal, prints a script. */
const startQuickly = async (
  argv: readonly string[],
  host: Host,
  terminal: Terminal,
  servers: Servers,
): Promise<number> => {
  if (!terminal.isTerminal && argv.length === 0) {
    terminal.out((await import('./quickstart-steps.ts')).script())
    return 0
  }
  const { quickstart } = await import('./quickstart.ts')
  const run = (words: readonly string[], from: Host, to: Terminal) => runCli(words, from, to, servers)
  const ask = terminal.isTerminal ? (await import('../../host/terminal-line.ts')).askLine() : undefined
  return quickstart(argv, { host, terminal, run, ...(ask && { ask }) })
}

const withFixesFor = async (
  refusal: Failure,
  { input }: ParsedArgs,
  { command }: Invocation,
  { caller, connection, argv }: { caller: Caller; connection: Connection; argv: readonly string[] },
): Promise<Failure> => {
  const { fixesFor, spawnThatForgotAs } = await import('./fixes.ts')
  const actor = caller.actor.id
  const isWork = command.tier === 0 && command.kind === 'mutate' && !parseSpawnId(actor)
  const forgot = isWork ? await spawnThatForgotAs(connection, input['id'] ?? input['task']) : undefined
  return fixesFor(refusal, { words: command.words, actor, argv, ...(forgot && { forgot }) })
}

/** Loads the code when the first message comes, because most commands send none. */
const shownProgress = (host: Host, terminal: Terminal) => {
  let line: ProgressLine | undefined
  let loading: Promise<void> | undefined
  let hasEnded = false
  const load = async (first: Progress) => {
    const { progressLine } = await import('../../terminal/progress-line.ts')
    if (hasEnded) return
    line = progressLine(terminal, host.now)
    line.show(first)
  }
  return {
    listener: (progress: Progress): Promise<void> | void => {
      if (line) return line.show(progress)
      loading ??= load(progress)
      return loading
    },
    end: (): void => {
      hasEnded = true
      line?.end()
    },
  }
}

const show = (
  { caller, connection, ...invocation }: Invocation & { caller: Caller; connection: Connection },
  operation: Operation | undefined,
  result: Result<unknown>,
): Promise<number> => {
  const { command, terminal } = invocation
  // A subagent can run in this session but has its own context window, so do not count its output here.
  if (caller.sessionId === undefined || parseSpawnId(caller.actor.id))
    return present(invocation, operation, result)
  return countOutput({ command, caller, connection, terminal }, result, (counting, warned) =>
    present({ ...invocation, terminal: counting }, operation, warned),
  )
}

/** Reads standard input for the flag with the value `-`. Returns a problem if the input is longer than allowed. */
const takeInputFor = async (parsed: ParsedArgs, flag: Flag, host: Host) =>
  (await import('./standard-input.ts')).readInputFor(parsed, flag, host)

interface Invocation {
  command: Command
  common: CommonOptions
  host: Host
  terminal: Terminal
}

const text = (value: string | true | undefined) => (typeof value === 'string' ? value : undefined)

const callerOf = (common: CommonOptions, { env, user }: Host): Caller => {
  return {
    actor: actorOf(text(common.as), env['CLEO_AGENT_ID'], user),
    sessionId: text(common.session) ?? (env['CLEO_SESSION_ID'] || undefined),
    dryRun: common['dry-run'] === true,
  }
}

const commonFlagProblems = (common: CommonOptions, { kind }: Command, caller: Caller) => {
  const problems = []
  if (common.format && common.format !== 'json' && common.format !== 'human') {
    problems.push({ path: '--format', message: `--format must be json or human, not "${common.format}"` })
  }
  if (!isActorName(caller.actor.id)) {
    problems.push({
      path: common.as === undefined ? 'CLEO_AGENT_ID' : '--as',
      message: actorNameRule,
    })
  }
  if (common['dry-run'] && kind === 'query') {
    problems.push({ path: '--dry-run', message: '--dry-run works only with commands that change something' })
  }
  return problems
}

/** Text for people is the default. Flags take precedence over the environment. */
const isHumanFormat = ({ common, host }: Pick<Invocation, 'common' | 'host'>): boolean => {
  if (common.json || common.raw || common.format === 'json') return false
  return common.human === true || common.format === 'human' || host.env['CLEO_FORMAT'] !== 'json'
}

const present = async (
  invocation: Invocation,
  operation: Operation | undefined,
  result: Result<unknown>,
): Promise<number> => {
  const { common, terminal } = invocation
  const human = isHumanFormat(invocation)
  const document =
    result.ok && !(common.json || common.raw || common.field || common.fields)
      ? operation?.cli.document?.(result.value)
      : undefined
  // A program gets the text unchanged. For people, characters that act on a terminal are escaped.
  if (document !== undefined) terminal.out(terminal.isTerminal ? readable(document) : document)
  else if (human) await printHuman(invocation, operation, result)
  else if (result.ok && (common.field || common.fields || common.quiet || common.raw)) {
    const { selected } = await import('./select.ts')
    terminal.out(selected(result.value, common))
  } else terminal.out(`${jsonText(envelope(invocation, result))}\n`)
  return result.exit ?? 0
}

const envelope = ({ command, common, host, terminal }: Invocation, result: Result<unknown>) => {
  const session = text(common.session) ?? host.env['CLEO_SESSION_ID']
  const meta = {
    op: command.operation,
    ms: terminal.elapsed(),
    ...(session && { session }),
    ...(common['dry-run'] && { dryRun: true }),
    ...(common.verbose && { request: host.randomId(12) }),
    ...(result.warnings?.length && { warnings: result.warnings }),
  }
  if (result.ok) return { success: true, data: result.value, ...(result.page && { page: result.page }), meta }
  const { ok: _, held: _held, warnings: _warnings, ...error } = result
  return { success: false, error, meta }
}
