import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { shellWords } from '../../src/kernel/shell-words.ts'
import { shellQuote } from '../../src/print/shell-quote.ts'
import fc, { runs } from '../support/properties.ts'

/** Returns the words into which a real shell splits the line. */
const bySh = (line: string): string[] | undefined => {
  const script = `printf '%s\\0' ${line}`
  const { status, stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' })
  return status === 0 ? stdout.split('\0').slice(0, -1) : undefined
}

const words = (line: string) => {
  const split = shellWords(line)
  return split.ok ? split.words : split.why
}

describe('[PROJ-8] a command is split as a shell would split it', () => {
  test.each([
    ['python -m unittest', ['python', '-m', 'unittest']],
    ['  npm\t test ', ['npm', 'test']],
    [`"my tests/run" 'a b' c\\ d`, ['my tests/run', 'a b', 'c d']],
    [`a"b"'c' ""`, ['abc', '']],
    [`sh -c 'a && b | c > $d'`, ['sh', '-c', 'a && b | c > $d']],
    [`a "x\\"y\\\\z\\n"`, ['a', 'x"y\\z\\n']],
    ['a b#c d~', ['a', 'b#c', 'd~']],
  ])('%s', (line, expected) => {
    expect(words(line)).toEqual(expected)
    expect(bySh(line)).toEqual(expected)
  })

  test('words that were quoted come back unchanged', () => {
    const word = fc.string({ unit: 'grapheme', minLength: 1 })
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (given) => {
        fc.pre(!/^\w+=/.test(given[0]!))
        expect(words(given.map(shellQuote).join(' '))).toEqual(given)
      }),
      { numRuns: runs(1000) },
    )
  })

  test('whatever it accepts, sh reads the same words', () => {
    const line = fc.string({ unit: fc.constantFrom(...'ab \'"\\$|&;*~#=\t(['), maxLength: 12 })
    fc.assert(
      fc.property(line, (given) => {
        const split = shellWords(given)
        if (split.ok) expect(bySh(given)).toEqual(split.words)
      }),
      { numRuns: runs(1000) },
    )
  })
})

describe('[PROJ-8] [OUT-2] what only a shell can do is an error', () => {
  test.each([
    ['npm run build && npm test', 'contains &, which needs a shell'],
    ['a | b', 'contains |'],
    ['a; b', 'contains ;'],
    ['a > out.txt', 'contains >'],
    ['a $HOME', 'contains $'],
    ['a "$HOME"', 'contains $'],
    ['a `b`', 'contains `'],
    ['pytest tests/*.py', 'contains *'],
    ['~/bin/test', 'contains ~'],
    ['a #b', 'contains #'],
    ['a\nb', 'contains a line break'],
    ['CI=1 npm test', 'starts with a variable; write env CI=1 …'],
    ['', 'is empty'],
    ['  ', 'is empty'],
    ['"" a', 'names no program'],
    ["a 'b", "has no closing '"],
    ['a "b\\"', 'has no closing "'],
    ['a \\', 'ends in a backslash'],
  ])('%j', (line, expected) => {
    expect(words(line)).toContain(expected)
  })
})
