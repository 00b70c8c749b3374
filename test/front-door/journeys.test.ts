import { describe, expect, test } from 'vitest'
import { findCommand } from '../../src/operation/commands.ts'
import { transcripts } from '../support/sessions.ts'
import { shellWords } from '../support/shell-words.ts'
import type { Step } from '../support/transcript.ts'

/** Commands that someone who has never used CLEO would try, because other programs have them. */
const guessed = [
  'init',
  'help',
  'add',
  'list',
  'show',
  'tree',
  'next',
  'ready',
  'status',
  'log',
  'undo',
  'complete',
]
/** Flags that other programs have too. */
const guessedFlags = ['--help', '--all', '--type', '--parent', '--description', '--quiet', '--dry-run']

const journeys = ['plan', 'one-task', 'two-agents', 'blocked', 'broken-rule', 'postgres']

/** Returns the words and flags of a command that a newcomer cannot know, because no earlier output has them. */
const unknownIn = (line: string, told: string): string[] => {
  const { command, rest } = findCommand(shellWords(line).slice(1))
  if (!command) return told.includes(line) ? [] : [line]
  const isTold = told.includes(`cleo ${command.words}`) || told.includes(`\n  ${command.words} `)
  const flags = rest.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0]!)
  return [
    ...(guessed.includes(command.words.split(' --')[0]!) || isTold ? [] : [`cleo ${command.words}`]),
    ...flags.filter((flag) => !guessedFlags.includes(flag) && !told.includes(flag)),
  ]
}

/** Returns the paths made by CLEO in a line that no earlier output names. */
const unknownPaths = (line: string, told: string): string[] =>
  shellWords(line.replace(/<<.*/, '')).filter(
    (word) => /^(?:\/|~\/\.|\.cleo\/|claudedocs\/)/.test(word) && !told.includes(word),
  )

const unknownInSteps = (steps: readonly Step[]): string[] => {
  let told = ''
  return steps.flatMap(({ lines, output }) => {
    const line = lines.join(' ').slice(2)
    const unknown = line.startsWith('cleo ') ? unknownIn(line, told) : unknownPaths(line, told)
    told += `${output.join('\n')}\n`
    return unknown.map((what) => `${what} in: ${line}`)
  })
}

describe('[OPS-1] a newcomer could guess each command of a journey, or was told it by an earlier output', () => {
  const all = transcripts()
  test.each(journeys)('%s', (name) => {
    const { sections } = all.find((session) => session.name === `journey-${name}.txt`)!
    const steps = sections.flatMap((section) => section.steps)
    expect(steps.filter(({ lines }) => lines[0]!.startsWith('$ cleo ')).length).toBeGreaterThan(7)
    expect(unknownInSteps(steps)).toEqual([])
  })

  test('a command or folder that nobody was told is noticed', () => {
    const steps = [
      { lines: ['$ cleo init'], output: ['  next: cleo add "…"'] },
      { lines: ['$ cleo land T001 --squash'], output: [] },
      { lines: ['$ cd ~/.local/state/cleo/*/worktrees/T002.1'], output: [] },
    ]
    expect(unknownInSteps(steps)).toEqual([
      'cleo land in: cleo land T001 --squash',
      '--squash in: cleo land T001 --squash',
      '~/.local/state/cleo/*/worktrees/T002.1 in: cd ~/.local/state/cleo/*/worktrees/T002.1',
    ])
  })
})
