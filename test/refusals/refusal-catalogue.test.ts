import { describe, expect, test } from 'vitest'
import { samples } from '../../scripts/error-page.ts'
import { type Failure, fail } from '../../src/kernel/result.ts'
import { findCommand } from '../../src/operation/commands.ts'
import { type Code, catalogue } from '../../src/refusals/refusal-catalogue.ts'
import { parseArgs } from '../../src/surface/cli/args.ts'
import { fixesFor } from '../../src/surface/cli/fixes.ts'
import { shellWords } from '../support/shell-words.ts'

const codes = Object.keys(catalogue()) as Code[]
const sample = (code: Code): Failure => fail(code, samples[code] as never)

/** The exits that SPEC OUT-3 allows. */
const exits = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 16, 20, 21, 22, 23, 24, 31, 33, 34, 35, 38, 40, 41, 42, 45, 46,
  60, 61, 62, 63, 64, 70, 71, 72, 80,
]

/** Refusals that no command can fix, because a person decides or something outside CLEO has to change. */
const withoutFix: Partial<Record<Code, string>> = {
  'output.unwritten': 'the answer cannot be printed',
  'person.needed': 'a person runs the same command',
  'actor.subagent': 'the orchestrator decides',
  'client.files': 'the user corrects the file',
  'actor.foreign': 'the command is right without --as',
  'several.refused': 'each refused task has its own fix',
  'import.invalid': 'the file has to be corrected',
  'import.large': 'another project has to be used',
  'input.invalid': 'the problem says what is wrong',
  'store.newer': 'CLEO has to be upgraded',
  'store.unsafe': 'Node has to be upgraded',
  'store.denied': 'the fix is made where the reason is known',
  'store.encoding': 'the fix is made where the database is known',
  'store.address': 'the address has to be corrected',
  'store.outdated': 'the server has to be upgraded',
  'evidence.invalid': 'the problems say what is wrong with the evidence',
  'output.several': 'the alternatives name the files',
  'tokens.unresolved': 'the problems name the tokens',
  'content.invalid': 'the problems name the places',
  'doctor.config': 'the problems say what to correct',
}

const commandsIn = ({ fix, alternatives = [], problems = [] }: Failure): string[] =>
  [
    fix,
    ...alternatives.filter((text) => text.startsWith('cleo ')),
    ...problems.map((each) => each.fix),
  ].filter((text) => text !== undefined)

test('every refusal has a sample, which the error page and these tests show', () => {
  expect(
    codes.filter((code) => !samples[code]),
    'add it to scripts/samples',
  ).toEqual([])
})

describe.each(codes.filter((code) => samples[code]))('%s', (code) => {
  test('[OUT-3] has an exit of the table, and is retryable only where waiting helps', () => {
    const { exit, retryable, fix } = sample(code)
    expect(exits).toContain(exit)
    if (!retryable) return
    expect([7, 20, 21, 22]).toContain(exit)
    expect(fix).toBeUndefined()
  })

  test('[OUT-2] says what happened, and names a command or what to do instead', () => {
    const { message, fix, alternatives = [], problems, retryable } = sample(code)
    expect(message).toMatch(/\S/)
    expect(message).not.toMatch(/undefined|\[object/)
    if (code in withoutFix)
      expect(alternatives.length + (problems?.length ?? 0) > 0 || code === 'output.unwritten').toBe(true)
    else expect(retryable || fix !== undefined).toBe(true)
  })

  test('[OUT-2] its commands exist, with their flags, and destroy nothing', () => {
    const destructive = ['cancel', 'import', 'untrust', 'session end', 'focus clear']
    for (const line of commandsIn(sample(code))) {
      if (!line.startsWith('cleo ')) continue
      const { command, rest, path } = findCommand(shellWords(line).slice(1))
      if (rest.at(-1) === '--help' || line === 'cleo help') continue
      expect(command, `${line} (${path})`).toBeDefined()
      if (code !== 'session.several') expect(destructive).not.toContain(command!.words)
      expect(parseArgs(rest, command!).problems, line).toEqual([])
    }
  })

  test('[OUT-2] every command it names to a spawn carries --as, and none is one the spawn may not run', () => {
    const shown = fixesFor(sample(code), {
      words: 'complete',
      actor: 'T012.1',
      argv: ['complete', 'T099', '--as', 'T012.1'],
    })
    for (const line of commandsIn(shown)) {
      if (!line.startsWith('cleo ') || line.endsWith(' --help') || /^cleo (help|version)$/.test(line))
        continue
      expect(line).toMatch(/ --as \S+/)
      expect(line).not.toMatch(/^cleo (reopen|respawn|receive|trust|restore|init|next|spawn T)/)
    }
  })

  test('[OUT-2] its fix never repeats the refused command', () => {
    const failure = sample(code)
    if (!failure.fix?.startsWith('cleo ') || failure.fix.includes('$')) return
    const again = [...shellWords(failure.fix).slice(1), '--json']
    const { fix, alternatives } = fixesFor(failure, { words: 'complete', actor: 'ada', argv: again })
    expect(fix).toBeUndefined()
    expect(alternatives?.[0]).toMatch(/same command/)
  })
})

test('[OUT-2] the same words as another actor or in another session are another command', () => {
  const forgot = { ...sample('task.not_found'), fix: 'cleo focus set T012 --as T012.1' }
  expect(fixesFor(forgot, { words: 'complete', actor: 'ada', argv: ['focus', 'set', 'T012'] }).fix).toBe(
    forgot.fix,
  )
  expect(
    fixesFor(forgot, { words: 'complete', actor: 'T012.1', argv: ['focus', 'set', 'T012', '--as=T012.1'] })
      .fix,
  ).toBeUndefined()
  const named = { ...sample('session.several'), fix: 'cleo context --session ses_1' }
  expect(fixesFor(named, { words: 'complete', actor: 'ada', argv: ['context'] }).fix).toBe(named.fix)
})
