import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findCommand } from '../../src/operation/commands.ts'
import { transcripts } from '../support/sessions.ts'
import { shellWords } from '../support/shell-words.ts'
import { commandOf, commentOf, type Step } from '../support/transcript.ts'

/** Commands that someone who has never used CLEO would try, because other programs have them. */
const guessed = ['init', 'help', 'add', 'list', 'show', 'tree', 'next', 'ready', 'status', 'log', 'undo']
/** Flags that other programs have too. */
const guessedFlags = ['--help', '--all', '--quiet', '--dry-run']

const journeys = ['plan', 'one-task', 'two-agents', 'blocked', 'broken-rule', 'postgres']
const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

/** Each command of CLEO in a journey has a comment that says how the newcomer knew it. */
const ways = ['guessed', 'printed', 'README'] as const
type Way = (typeof ways)[number]

/** The name of a command and those of its flags that nobody would guess. */
interface Asked {
  words: string
  flags: string[]
}

const askedBy = (line: string): Asked => {
  const { command, path } = findCommand(shellWords(line).slice(1))
  const words = command ? command.words.split(' --')[0]! : path
  const flags = shellWords(line).filter((word) => word.startsWith('--'))
  return {
    words,
    flags: flags.map((flag) => flag.split('=')[0]!).filter((flag) => !guessedFlags.includes(flag)),
  }
}

/**
 * Whether a text names a command: as `cleo spawn`, or in the help of its group, with a line such as `  db move
 * Move …`.
 */
const names = (text: string, words: string): boolean =>
  new RegExp(`\\bcleo ${words}(?![\\w-])|^ +${words} {2}`, 'm').test(text)

/**
 * Returns the parts of a command that these texts do not name. A text must name the command too, or its flags do
 * not count.
 */
const untold = (line: string, texts: readonly string[]): string[] => {
  const { words, flags } = askedBy(line)
  const telling = texts.filter((text) => names(text, words))
  if (telling.length === 0) return [`cleo ${words}`]
  return flags.filter((flag) => !telling.some((text) => new RegExp(`${flag}(?![\\w-])`).test(text)))
}

/**
 * Of the words in a line, returns those that CLEO must have made, such as task ids and paths, and that none of
 * these texts contains.
 */
const unseen = (line: string, texts: readonly string[]): string[] => {
  const words = shellWords(line.replace(/<<.*/, ''))
  const made = words.filter((word) => /^(?:T\d+(?:\.\d+)?$|\/|~\/\.|\.cleo\/|claudedocs\/)/.test(word))
  return made.filter((word) => !texts.some((text) => text.includes(word)))
}

/** Returns the parts of a command that a newcomer cannot know in the given way. */
const unknown = (line: string, way: Way, printed: readonly string[]): string[] => {
  if (way === 'printed') return untold(line, printed)
  if (way === 'README') return untold(line, [readme])
  const { words, flags } = askedBy(line)
  return [...(guessed.includes(words) ? [] : [`cleo ${words}`]), ...flags]
}

const isOfCleo = (line: string): boolean => /^cleo( |$)/.test(line)
const usesFileOfCleo = (line: string): boolean => / (?:\/home\/ada\/|~\/\.|\.cleo\/|claudedocs\/)/.test(line)

const problemsIn = (steps: readonly Step[]): string[] => {
  const printed: string[] = []
  return steps.flatMap((step) => {
    const line = commandOf(step)
    const comment = commentOf(step)
    const way = ways.find((each) => each === comment)
    const problems =
      isOfCleo(line) && way ? unknown(line, way, printed).map((what) => `${what} is not ${way}`) : []
    if ((isOfCleo(line) || usesFileOfCleo(line)) && !way) problems.push('no comment says how it was known')
    problems.push(...unseen(line, printed).map((what) => `${what} was not printed`))
    printed.push(step.output.join('\n'))
    return problems.map((problem) => `${problem}: ${line}`)
  })
}

describe('[OPS-1] a newcomer could guess each command of a journey, read it in README, or was told it by an earlier output', () => {
  const all = transcripts()
  test.each(journeys)('%s', (name) => {
    const { sections } = all.find((session) => session.name === `journey-${name}.txt`)!
    const steps = sections.flatMap((section) => section.steps)
    expect(steps.filter((step) => isOfCleo(commandOf(step))).length).toBeGreaterThan(7)
    expect(problemsIn(steps)).toEqual([])
  })

  test('a command, flag, id or folder that nobody was told is noticed', () => {
    const steps = [
      { lines: ['$ cleo init  # README'], output: ['  next: cleo add "…"', '  see cleo landing'] },
      { lines: ['$ cleo land T001 --squash  # printed'], output: ['then: cleo land T001'] },
      { lines: ['$ cleo land T001 --squash  # printed'], output: [] },
      { lines: ['$ cleo land T001'], output: [] },
      { lines: ['$ cleo add "x" --files y  # guessed'], output: [] },
      { lines: ['$ cleo worktree prune  # README'], output: [] },
      { lines: ['$ cleo show T002  # guessed'], output: [] },
      { lines: ['$ cd ~/.local/state/cleo/*/worktrees/T002.1  # printed'], output: [] },
    ]
    expect(problemsIn(steps)).toEqual([
      'cleo land is not printed: cleo land T001 --squash',
      'T001 was not printed: cleo land T001 --squash',
      '--squash is not printed: cleo land T001 --squash',
      'no comment says how it was known: cleo land T001',
      '--files is not guessed: cleo add "x" --files y',
      'cleo worktree prune is not README: cleo worktree prune',
      'T002 was not printed: cleo show T002',
      '~/.local/state/cleo/*/worktrees/T002.1 was not printed: cd ~/.local/state/cleo/*/worktrees/T002.1',
    ])
  })
})
