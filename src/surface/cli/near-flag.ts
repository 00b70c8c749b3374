import { nearest } from '../../kernel/nearest.ts'
import { type Failure, fail } from '../../kernel/result.ts'
import type { Command, Flag } from '../../operation/command-table.ts'
import { allCommands, commonFlags } from '../../operation/commands.ts'

/** Names that other trackers give to flags of `cleo`. Without this list, `nearest` would suggest the wrong flag. */
const otherFlagNames: Record<string, string> = {
  state: 'status',
  name: 'title',
  summary: 'title',
  body: 'description',
  desc: 'description',
  text: 'description',
  tag: 'labels',
  tags: 'labels',
  file: 'files',
  epic: 'parent',
  under: 'parent',
  criteria: 'acceptance',
  criterion: 'acceptance',
  kind: 'type',
}

/** Names of flags, and of commands, that say which task must be done first. */
export const dependencyWords: readonly string[] = [
  ...[
    'deps',
    'dep',
    'depend',
    'dependency',
    'dependencies',
    'depends-on',
    'blocked-by',
    'waits-on',
    'wait-for',
  ],
  ...['after', 'on', 'by', 'needs', 'requires', 'prerequisite'],
]

/**
 * Returns the flag that the caller probably meant by an unknown flag name. If one flag adds to a list and another
 * replaces the list, returns the one that adds.
 */
export const nearFlag = (name: string, command: Command): string | undefined => {
  // Include the flags of other forms of the command, such as `verify --gate`. Leave out a flag with `rest`, because
  // people give its values as words without a flag.
  const own = ownFlags(command).filter(({ rest }) => !rest)
  const names = [...own.map((flag) => flag.name.slice(2)), ...Object.keys(commonFlags)]
  const word = name.slice(2)
  const usual = dependencyWords.includes(word) ? 'depends' : otherFlagNames[word]
  const known = [`add-${usual}`, usual].find((each) => each !== undefined && names.includes(each))
  // Do not guess for a single letter, because it is similar to every short name.
  const meant = known ?? (name.startsWith('--') ? nearest(word, names) : undefined)
  return meant && `--${meant}`
}

const ownFlags = (command: Command): Flag[] => {
  const forms = allCommands().filter(({ words }) => words.startsWith(`${command.words} --`))
  return [command, ...forms].flatMap(({ flags }) => flags)
}

export const withNearFlags = (failure: Failure, command: Command | undefined): Failure => {
  const { problems = [], moreProblems: more } = failure
  if (failure.code !== 'usage.invalid' || !command) return failure
  let isChanged = false
  const named = problems.map((each) => {
    const near = each.message === `Unknown flag ${each.path}.` ? nearFlag(each.path, command) : undefined
    if (near === undefined) return each
    isChanged = true
    return { ...each, message: `${each.message} Did you mean ${near}?` }
  })
  return isChanged
    ? fail('usage.invalid', { command: command.words, problems: named, ...(more && { more }) })
    : failure
}

/** If a corrected command has an `--add-…` flag, says how this flag differs from the one that replaces the list. */
export const notesOn = (fix: string | undefined): string[] => {
  const name = / --add-([a-z]+)[ =]/.exec(fix ?? '')?.[1]
  return name === undefined ? [] : [`--add-${name} keeps what is there; --${name} replaces it.`]
}
