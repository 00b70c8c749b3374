import { canonicalSpawnId } from '../kernel/task-id.ts'
import {
  type CommonFlag,
  commonFlags,
  type FoundCommand,
  findCommand,
  splitAtEquals,
} from '../operation/commands.ts'
import { isForPerson } from '../operation/operation.ts'
import { lettersOf } from '../operation/short-flags.ts'
import { parseLine, type SimpleCommand } from './shell-commands.ts'
import type { Word } from './shell-words.ts'

/** What to do with a shell command of a spawn's agent: let it run, run a changed command instead, or refuse it. */
export type CommandVerdict =
  | { kind: 'pass' }
  /** `plain` is true if the line only calls the `cleo` on PATH, and has no word that the shell expands. */
  | { kind: 'rewrite'; command: string; plain: boolean }
  | { kind: 'deny'; reason: string }

const pass: CommandVerdict = { kind: 'pass' }

/**
 * Checks a shell command of a spawn's agent. Refuses `git stash` and commands that a spawn may not run. Every `cleo`
 * command must have the spawn's own `--as`. If a line is a single call without `--as`, adds `--as` where this is safe.
 * Refuses any other line with a wrong or missing `--as`, and says what to run instead. Allows a line that cannot be
 * parsed, because CLEO itself checks who runs a command.
 */
export const judgeCommand = (text: string, spawn: string): CommandVerdict => {
  if (!text.includes('cleo') && !text.includes('stash')) return pass
  const line = parseLine(text)
  if (!line.sure) return pass
  const calls: CleoCall[] = []
  for (const command of line.commands) {
    const refused = stashProblem(command)
    if (refused) return { kind: 'deny', reason: refused }
    const call = cleoCall(command)
    if (call && !serverCommands.has(call.found.stray ?? '')) calls.push(call)
  }
  for (const call of calls) {
    const reason = forbidden(call, spawn)
    if (reason) return { kind: 'deny', reason }
  }
  const wrong = calls.filter(
    ({ as }) => as !== undefined && as.value !== undefined && !isSpawn(as.value, spawn),
  )
  if (wrong.length > 0) return { kind: 'deny', reason: foreignActor(text, wrong, spawn) }
  const missing = calls.filter(({ as }) => as === undefined)
  if (missing.length === 0) return pass
  const command = inserted(text, missing, spawn)
  const [only, ...others] = missing
  if (line.single && others.length === 0 && only!.appendable && !only!.nested)
    return { kind: 'rewrite', command, plain: isPlainCall(text, line.commands, only!) }
  return {
    kind: 'deny',
    reason: `You are ${spawn}, so every cleo command needs --as ${spawn}. Run exactly this instead:\n${command}`,
  }
}

/** A call with one of these flags is not plain, because it reads or writes files outside the project. */
const reaching = /^--(?:out|project)(?:=|$)/

/** Whether a line consists of `cleo` and words, without assignments, redirections, substitutions or another program. */
const isPlainCall = (text: string, commands: readonly SimpleCommand[], { args }: CleoCall): boolean => {
  const [command, ...others] = commands
  if (!command || others.length > 0 || command.assignments.length > 0) return false
  const [program] = command.words
  const rest = edited(
    text,
    command.words.map(({ start, end }) => ({ start, end, to: '' })),
  )
  return (
    text.slice(program!.start, program!.end) === 'cleo' &&
    args.every(({ value }) => value !== undefined && !reaching.test(value)) &&
    rest.replaceAll('\\\n', '').trim() === ''
  )
}

/**
 * Returns the spawn that is the actor of the `cleo` commands in this text. If the commands name no spawn or several
 * spawns, returns undefined.
 */
export const actorIn = (text: string): string | undefined => {
  const found = new Set<string>()
  for (const command of parseLine(text).commands) {
    const value = cleoCall(command)?.as?.value
    const spawn = value === undefined ? undefined : canonicalSpawnId(value)
    if (spawn) found.add(spawn)
  }
  return found.size === 1 ? [...found][0] : undefined
}

interface CleoCall {
  /** Empty if the words are not a command. */
  found: FoundCommand
  args: Word[]
  /** The actor, from `--as` or CLEO_AGENT_ID. `at` is the word with the value of `--as`. */
  as?: { value?: string; at?: Word; inline?: true }
  /**
   * The offset at which `--as` can be inserted. If `beforeWord` is true, a word begins there. Otherwise the last word
   * ends there.
   */
  insertAt: number
  beforeWord: boolean
  /**
   * False if `--as` cannot be added safely, because the shell could turn a word of the line into a flag or into
   * `--`.
   */
  appendable: boolean
  nested: boolean
}

/** Commands that are not operations and take no `--as`. */
const serverCommands = new Set(['hook', 'mcp'])

const cleoCall = (command: SimpleCommand): CleoCall | undefined => {
  const at = programAt(command)
  if (at === undefined || baseName(command.words[at]!) !== 'cleo') return undefined
  const args = command.words.slice(at + 1)
  let as = assignedActor([...command.assignments, ...command.words.slice(0, at)])
  const end = command.words.at(-1)!.end
  let insertAt = end
  let appendable = true
  for (let i = 0; i < args.length; i++) {
    const word = args[i]!
    const { value } = word
    if (value === '--') {
      insertAt = Math.min(insertAt, word.start)
      break
    }
    if (value === undefined && !isPlainValue(word, args[i - 1])) appendable = false
    // The shell could turn a word such as `--$X` into `--`, and no flag can follow `--`. So insert `--as` before
    // the word.
    if (value === undefined && word.prefix.startsWith('-')) insertAt = Math.min(insertAt, word.start)
    if (value?.startsWith('--as=')) as = { value: value.slice(5), at: word, inline: true }
    else if (value === '--as') as = { value: args[i + 1]?.value, at: args[i + 1] }
    if (value?.startsWith('--') && commonFlags[value.slice(2) as CommonFlag]) i++
  }
  const beforeWord = insertAt < end
  // Only the shell knows the value of some words. Put an empty text in their place: it is neither a command nor a flag.
  const found = findCommand(args.map(({ value }) => value ?? ''))
  return { found, args, insertAt, beforeWord, appendable, nested: command.nested, ...(as && { as }) }
}

/**
 * Checks a word whose value only the shell can compute. Returns true if the value is certain to be plain text, and
 * not a flag or `--`.
 */
const isPlainValue = ({ splits, prefix }: Word, before: Word | undefined): boolean =>
  !splits && ((prefix !== '' && !prefix.startsWith('-')) || before?.value?.startsWith('--') === true)

const assignedActor = (words: readonly Word[]): CleoCall['as'] => {
  for (const { value } of words)
    if (value?.startsWith('CLEO_AGENT_ID=')) return { value: value.slice('CLEO_AGENT_ID='.length) }
  return undefined
}

/**
 * Programs such as `timeout`, which start another program that is named in their arguments. For each program, lists
 * the one-letter options that take a value.
 */
const wrappers: Readonly<Record<string, string>> = {
  command: '',
  exec: 'a',
  nohup: '',
  setsid: '',
  builtin: '',
  npx: 'p',
  bunx: '',
  env: 'uCS',
  timeout: 'ks',
  nice: 'n',
  ionice: 'cn',
  stdbuf: 'ioe',
  sudo: 'ugCDhpRrTtU',
  xargs: 'adEILnPs',
}

/** Returns the position of the program that a command runs in the end: `cleo` in `timeout 60 env A=b cleo list`. */
const programAt = ({ words }: SimpleCommand): number | undefined => {
  let at = 0
  while (at < words.length) {
    const name = baseName(words[at]!)
    const withValue = name === undefined ? undefined : wrappers[name]
    if (withValue === undefined || !Object.hasOwn(wrappers, name!)) return at
    at++
    // The duration of `timeout` comes before the program.
    let skips = name === 'timeout' ? 1 : 0
    for (; at < words.length; at++) {
      const value = words[at]!.value
      if (value === undefined) return undefined
      if (value.startsWith('-') && value.length > 1) {
        if (value.length === 2 && withValue.includes(value[1]!)) at++
      } else if (/^[A-Za-z_]\w*=/.test(value)) continue
      else if (skips-- <= 0) break
    }
  }
  return undefined
}

const baseName = ({ value }: Word): string | undefined => value?.slice(value.lastIndexOf('/') + 1)

const isSpawn = (name: string, spawn: string): boolean => canonicalSpawnId(name) === spawn

/**
 * If a command is `git stash`, returns why it is refused. All worktrees share one stash, so another agent could take
 * the stashed work.
 */
const stashProblem = (command: SimpleCommand): string | undefined => {
  const at = programAt(command)
  if (at === undefined || baseName(command.words[at]!) !== 'git') return undefined
  const args = command.words.slice(at + 1)
  let i = 0
  while (i < args.length && args[i]!.value?.startsWith('-'))
    i += ['-C', '-c'].includes(args[i]!.value!) ? 2 : 1
  if (args[i]?.value !== 'stash' || ['list', 'show'].includes(args[i + 1]?.value ?? '')) return undefined
  return "git stash is shared by all worktrees, so another agent could take your work. Commit instead:\ngit add -A && git commit -m 'Work in progress'"
}

/**
 * Returns why a spawn's agent may not run this command at all. CLEO would refuse the command too, but a refusal by the
 * hook saves the agent a call.
 */
const forbidden = ({ found: { command, rest } }: CleoCall, spawn: string): string | undefined => {
  if (!command) return undefined
  const { operation, words, flags, personOnly } = command
  const task = spawn.split('.')[0]
  if (operation === 'orchestrate.spawn' || operation === 'orchestrate.respawn')
    return `You are ${spawn}, a subagent: only the orchestrator spawns. If a task is missing, name it in your entry: cleo finish ${task} --as ${spawn} --status partial --open "<what is left>"`
  const isGiven = (field: string): boolean => {
    const flag = flags.find(({ key }) => key === field)
    const names = flag ? [flag.name, ...lettersOf(flag, command).map((letter) => `-${letter}`)] : []
    return rest.some((word) => names.includes(splitAtEquals(word)[0]))
  }
  if (!isForPerson(personOnly, isGiven)) return undefined
  const field = personOnly === true ? undefined : personOnly?.when?.find(isGiven)
  const flag = flags.find(({ key }) => key === field)?.name
  return `cleo ${words}${flag ? ` ${flag}` : ''} is for a person, not for ${spawn}. If you cannot go on without it: cleo finish ${task} --as ${spawn} --status blocked --category "permission denied" --why "<what is needed>"`
}

const foreignActor = (text: string, wrong: readonly CleoCall[], spawn: string): string => {
  const named = wrong[0]!.as!.value!
  const places = wrong.map(({ as }) => as!.at)
  const says = `You are ${spawn}, not ${named}: a subagent acts under its own name only.`
  if (places.some((place) => place === undefined)) return `${says} Use --as ${spawn}.`
  const line = edited(
    text,
    wrong.map(({ as }) => ({
      start: as!.at!.start,
      end: as!.at!.end,
      to: as!.inline ? `--as=${spawn}` : spawn,
    })),
  )
  return `${says} If this is for your own task, run:\n${line}`
}

const inserted = (text: string, calls: readonly CleoCall[], spawn: string): string =>
  edited(
    text,
    calls.map(({ insertAt: at, beforeWord }) => ({
      start: at,
      end: at,
      to: beforeWord ? `--as ${spawn} ` : ` --as ${spawn}`,
    })),
  )

interface Edit {
  start: number
  end: number
  to: string
}

const edited = (text: string, edits: readonly Edit[]): string => {
  const parts: string[] = []
  let from = 0
  for (const { start, end, to } of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(from, start), to)
    from = end
  }
  return parts.join('') + text.slice(from)
}
