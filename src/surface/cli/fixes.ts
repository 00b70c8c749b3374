import { shellQuote } from '../../kernel/print/shell-quote.ts'
import type { Failure } from '../../kernel/result.ts'
import { shellWords } from '../../kernel/shell-words.ts'
import { parseSpawnId, parseTaskId } from '../../kernel/task-id.ts'
import { type CommonFlag, commonFlags } from './args.ts'

/**
 * Makes the fixes of a refusal fit the caller. A spawn's commands carry its id. What only its orchestrator may run
 * becomes a sentence. A spawn has one task, so it is shown that instead of the next one. A fix never repeats the
 * command that was just refused.
 */
export const fixesFor = (given: Failure, words: string, actor: string, argv: readonly string[]): Failure => {
  const failure = { ...given, fix: usualFix(given, words, argv) }
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
  const { problems, alternatives = [] } = failure
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

/** The given command, with the epic in place of the given task. */
const forEpic = ({ message, fix }: Failure, argv: readonly string[]): string | undefined => {
  const epic = /^cleo analyze (T\d+)$/.exec(fix ?? '')?.[1]
  const task = message.slice(0, message.indexOf(' '))
  const words = argv.map((word) => (parseTaskId(word) === task ? epic! : word))
  return epic && words.includes(epic) ? ['cleo', ...words.map(shellQuote)].join(' ') : fix
}

/** The fix for a refusal without one: for wrong input the command's help, for evidence what the task still needs. */
const usualFix = (
  { code, fix, problems = [], alternatives }: Failure,
  words: string,
  argv: readonly string[],
) => {
  if (fix || alternatives || problems.some((each) => each.fix)) return fix
  if (code === 'input.invalid') return `cleo ${words} --help`
  const task = code === 'evidence.invalid' ? argv.find((word) => parseTaskId(word)) : undefined
  return task && `cleo verify ${parseTaskId(task)}`
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
  // An agent outside its project is in the wrong folder; a new project would not help it.
  return fix === 'cleo init'
    ? ['Run it in the folder that your prompt names, or add --project with that folder.']
    : [`Your orchestrator can run: ${fix}`]
}

/** Commands that are refused to a spawn, or that make no sense for one. */
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

/** A fix may say what to correct before it names the command. */
const thenMark = ', then: '
const lastStep = (fix: string): string =>
  fix.slice(fix.lastIndexOf(thenMark) + 1 && fix.lastIndexOf(thenMark) + thenMark.length)

/** Flags that change what is printed, not what a command does or why it is refused. */
const printFlags = ['json', 'human', 'format', 'raw', 'quiet', 'field', 'fields', 'verbose', 'dry-run']

/** The words of a command line that decide whether it is refused; two equal ones are the same command. */
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
