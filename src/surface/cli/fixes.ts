import { type Failure, type Problem, Refused } from '../../kernel/result.ts'
import { shellWords } from '../../kernel/shell-words.ts'
import { parseSpawnId, parseTaskId } from '../../kernel/task-id.ts'
import { type CommonFlag, commonFlags, findCommand } from '../../operation/commands.ts'
import type { Connection } from '../../perform/connection.ts'
import { shellQuote } from '../../print/shell-quote.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { withArgumentNames } from './argument-names.ts'
import { correctedCommand } from './corrected-command.ts'
import { notesOn, withNearFlags } from './near-flag.ts'
import { adviceFor } from './word-answers.ts'

interface RefusedCall {
  /** The command's words, such as `manifest append`. */
  words: string
  actor: string
  argv: readonly string[]
  /** The spawn that has the task. Set if the caller might be this spawn and forgot `--as`. */
  forgot?: string
}

/**
 * Adapts the fixes of a refusal to the caller. A fix never repeats the command that was just refused. If the caller is
 * a spawn, also changes the commands in the fixes:
 * - A command for the spawn gets the spawn's `--as`.
 * - A command that only the orchestrator may run becomes a sentence.
 * - `cleo next` becomes `cleo show` with the spawn's task.
 */
export const fixesFor = (first: Failure, { words, actor, argv, forgot }: RefusedCall): Failure => {
  const { command } = findCommand(argv)
  const refusal = withAdvice(withArgumentNames(withNearFlags(first, command), command), argv)
  const holder = forgot ?? (parseSpawnId(actor) ? undefined : holderIn(refusal))
  const given =
    holder === undefined ? refusal : namingSpawn(refusal, holder, words === 'focus clear' ? [] : argv)
  const usual = usualFix(given, words, argv)
  const notes = usual === given.fix ? [] : notesOn(usual)
  const failure = {
    ...given,
    fix: usual,
    ...(notes.length > 0 && { alternatives: [...(given.alternatives ?? []), ...notes] }),
  }
  const own = parseSpawnId(actor)
  const spawn = own && actor
  const refused = decidingWords(argv, actor)
  const repeats = (command: string): boolean => {
    const split = shellWords(command)
    return split.ok && split.words[0] === 'cleo' && decidingWords(split.words.slice(1), actor) === refused
  }
  const fitting = (command: string | undefined): string | undefined =>
    command === undefined || repeats(lastStep(command)) || (spawn && isForOrchestrator(command))
      ? undefined
      : spawn
        ? asSpawn(command.startsWith('cleo next') ? `cleo show ${own.task}` : command, spawn)
        : command
  // If a better fix was found, remove fixes such as `cleo add --help` from the problems.
  const problems =
    usual === given.fix || !usual
      ? failure.problems
      : failure.problems?.map((each) => (each.fix?.endsWith(' --help') ? withoutFix(each) : each))
  const { alternatives = [] } = failure
  const fix = failure.code === 'epic.expected' ? forEpic(failure, argv) : failure.fix
  const others = alternatives.map((text) => (text.startsWith('cleo ') ? fitting(text) : text))
  const said = [...sentenceInstead(fix, spawn, repeats), ...others.filter((text) => text !== undefined)]
  return {
    ...failure,
    fix: fitting(fix),
    ...(said.length > 0 && { alternatives: said }),
    ...(problems && {
      problems: problems.map((each) => ({ ...each, ...(each.fix && { fix: fitting(each.fix) }) })),
    }),
  }
}

const withoutFix = ({ fix: _, ...problem }: Problem): Problem => problem

const withAdvice = (failure: Failure, argv: readonly string[]): Failure => {
  if (failure.code !== 'usage.invalid') return failure
  const { fix, alternatives } = adviceFor(argv) ?? {}
  return { ...failure, ...(fix && { fix }), ...(alternatives && { alternatives }) }
}

/**
 * Returns the spawn that has a task. Returns undefined if the project cannot be opened, because the refusal already
 * says so.
 */
export const spawnThatForgotAs = async (
  connection: Connection,
  named: unknown,
): Promise<string | undefined> => {
  const id = typeof named === 'string' ? parseTaskId(named) : undefined
  if (id === undefined) return undefined
  try {
    const task = await tasks.find(await connection.store(), id)
    return task && task.attempt_out > 0 ? `${id}.${task.attempt_out}` : undefined
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

const holderIn = ({ code, fix = '' }: Failure): string | undefined =>
  code === 'claim.held' ? / --as (T\d+\.\d+)$/.exec(fix)?.[1] : undefined

/**
 * Whether this is a command with which a spawn works on its task, such as `cleo focus`. False for a waiver, because
 * only people waive.
 */
const isWorkOf = (task: string, command: string): boolean => {
  const own = command.slice(command.lastIndexOf('cleo '))
  const named = own.match(/\bT\d{3,}\b/)?.[0] ?? task
  return (
    named === task &&
    !own.includes(' --waive ') &&
    /^cleo (?:finish|complete|focus|verify|manifest append|output new|research link|note) /.test(own)
  )
}

/**
 * Says which spawn has the task, and adds its `--as` to every command that a spawn runs. For the refusal `claim.held`,
 * the best fix is the refused command with `--as`. This fix is left out if `argv` is empty. For `focus clear`, the
 * caller passes an empty `argv`, because another agent that runs the fix would release the task of the spawn.
 */
const namingSpawn = (refusal: Failure, spawn: string, argv: readonly string[]): Failure => {
  const { task } = parseSpawnId(spawn)!
  const named = (command: string | undefined): string | undefined =>
    command !== undefined && isWorkOf(task, command) ? asSpawn(command, spawn) : command
  const again = refusal.code === 'claim.held' && argv.length > 0 ? withoutAs(argv) : undefined
  const fix = again === undefined ? named(refusal.fix) : asSpawn(again, spawn)
  const hint = `If you are ${spawn}, add --as ${spawn}.`
  // Leave out the hint if the message already contains it, or if the code is `actor.foreign`: this refusal already
  // tells the spawn its name.
  const isSaid = refusal.message.includes(hint) || refusal.code === 'actor.foreign'
  const { alternatives = [], problems } = refusal
  return {
    ...refusal,
    fix,
    alternatives: [...alternatives.map((each) => named(each)!), ...(isSaid ? [] : [hint])],
    ...(problems && {
      problems: problems.map((each) => ({ ...each, ...(each.fix && { fix: named(each.fix)! }) })),
    }),
  }
}

const longestAgain = 2000

/**
 * Undefined if the command is too long to print. Also undefined if the command contains `--`, because no flag can
 * follow `--`.
 */
const withoutAs = (argv: readonly string[]): string | undefined => {
  const rest = argv.filter(
    (word, i) => !word.startsWith('--as=') && word !== '--as' && argv[i - 1] !== '--as',
  )
  const line = ['cleo', ...rest.map(shellQuote)].join(' ')
  return argv.includes('--') || line.length > longestAgain ? undefined : line
}

/** Returns the given command, but replaces the id of the task by the id of its epic. */
const forEpic = ({ message, fix }: Failure, argv: readonly string[]): string | undefined => {
  const epic = /^cleo analyze (T\d+)$/.exec(fix ?? '')?.[1]
  const task = message.slice(0, message.indexOf(' '))
  const words = argv.map((word) => (parseTaskId(word) === task ? epic! : word))
  return epic && words.includes(epic) ? ['cleo', ...words.map(shellQuote)].join(' ') : fix
}

/**
 * Returns the fix of a refusal. Wrong input without a fix of its own gets the corrected command or, if CLEO cannot
 * guess it, the help of the command. Invalid evidence without a fix gets the command that shows the missing
 * requirements.
 */
const usualFix = (
  { code, fix, problems = [], alternatives }: Failure,
  words: string,
  argv: readonly string[],
) => {
  const isHelp = fix === undefined || fix.endsWith(' --help')
  const corrected =
    isHelp && (code === 'usage.invalid' || code === 'input.invalid')
      ? (correctedCommand(argv) ?? withMeantValue(problems, argv))
      : undefined
  if (corrected) return corrected
  if (fix || alternatives || problems.some((each) => each.fix)) return fix
  if (code === 'input.invalid') return `cleo ${words} --help`
  const task = code === 'evidence.invalid' ? argv.find((word) => parseTaskId(word)) : undefined
  return task && `cleo verify ${parseTaskId(task)}`
}

/** If there is only one problem and its message names the value that was meant, returns the command with that value. */
const withMeantValue = (problems: readonly Problem[], argv: readonly string[]): string | undefined => {
  const [, wrong, meant] = /"([^"]+)".*[dD]id you mean "([^"]+)"\?$/.exec(problems[0]?.message ?? '') ?? []
  if (problems.length !== 1 || wrong === undefined || !argv.includes(wrong)) return undefined
  return ['cleo', ...argv.map((word) => shellQuote(word === wrong ? meant! : word))].join(' ')
}

const sentenceInstead = (
  fix: string | undefined,
  spawn: string | undefined,
  repeats: (command: string) => boolean,
): string[] => {
  if (fix === undefined) return []
  if (repeats(lastStep(fix))) {
    const [first] = fix.split(thenMark)
    const todo = first === fix ? 'Correct that first' : `${first![0]!.toUpperCase()}${first!.slice(1)}`
    return [`${todo}, then run the same command again.`]
  }
  if (!spawn || !isForOrchestrator(fix)) return []
  // If an agent finds no project, it is in the wrong folder. So it must not make a new project.
  return fix === 'cleo init'
    ? ['Run it in the folder that your prompt names, or add --project with that folder.']
    : [`Your orchestrator can run: ${fix}`]
}

/** Commands that are refused to a spawn or make no sense for it. */
const forOrchestrator = ['reopen', 'respawn', 'receive', 'trust', 'restore', 'init', 'db', 'config', 'start']

const isForOrchestrator = (command: string): boolean => {
  const [program, verb = '', noun = ''] = command.split(' ')
  if (program !== 'cleo') return false
  return verb === 'spawn' ? !['show', 'list', 'diff'].includes(noun) : forOrchestrator.includes(verb)
}

const asSpawn = (command: string, spawn: string): string => {
  const isOwn = command.startsWith('cleo ') || command.includes(' cleo ')
  const isHelp = command.endsWith(' --help') || command === 'cleo help' || command === 'cleo version'
  return !isOwn || isHelp || command.includes(' --as ') ? command : `${command} --as ${spawn}`
}

/** In a fix, this text separates what to correct first from the command to run afterwards. */
const thenMark = ', then: '
const lastStep = (fix: string): string =>
  fix.slice(fix.lastIndexOf(thenMark) + 1 && fix.lastIndexOf(thenMark) + thenMark.length)

/** Flags that change what is printed, not what a command does or why it is refused. */
const printFlags = ['json', 'human', 'format', 'raw', 'quiet', 'field', 'fields', 'verbose', 'dry-run']

/**
 * Returns the words of a command line, without flags that change only what is printed, and without the caller's own
 * `--as`. If the remaining words of two command lines are equal, both are the same command.
 */
const decidingWords = (words: readonly string[], actor: string): string => {
  const rest: string[] = []
  for (let i = 0; i < words.length; i++) {
    const [name = '', inline] = words[i]!.startsWith('--') ? words[i]!.slice(2).split('=', 2) : []
    const value = inline ?? words[i + 1]
    const isSilent = printFlags.includes(name) || (name === 'as' && value === actor)
    if (!isSilent) rest.push(words[i]!)
    else if (inline === undefined && commonFlags[name as CommonFlag]) i++
  }
  return rest.join('\0')
}
