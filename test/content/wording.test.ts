import { describe, expect, test } from 'vitest'
import { findTimeEstimate } from '../../src/kernel/time-estimates.ts'
import { everyFile, read } from './files.ts'

const languageTools =
  /\b(npm|npx|pnpm|yarn|bun|deno|node|pytest|pip|poetry|cargo|rustc|mvn|maven|gradle|jest|vitest|mocha|eslint|biome|prettier|tsc|ruff|mypy|rubocop|bundler|composer|phpunit|dotnet|gofmt|golang|python|typescript|javascript)\b/i
const sourceFiles = /\w\.(ts|tsx|js|mjs|py|rs|go|java|kt|rb|php|cs|c|cpp|swift)\b/

const languageIn = (text: string): string | undefined =>
  (languageTools.exec(text) ?? sourceFiles.exec(text))?.[0]

/** Names in `{{…}}` that the protocols use. */
const names = ['TASK_ID']

describe.each(everyFile)('%s', (path) => {
  const text = read(path)

  test('[TASK-5] promises no time', () => {
    expect(findTimeEstimate(text)).toBeUndefined()
  })

  test('knows no language', () => {
    expect(languageIn(text)).toBeUndefined()
  })

  test('[TOK-2] refers to no file, runs nothing, and uses known names only', () => {
    expect(text).not.toMatch(/@[^\s`]/)
    expect(text).not.toMatch(/\$\{|!`/)
    const used = [...text.matchAll(/\{\{(.*?)\}\}/g)].map(([, name]) => name!)
    expect(used.filter((name) => !names.includes(name))).toEqual([])
    // All other files are installed unchanged, so nobody would replace a name in them.
    if (!path.startsWith('protocols/')) expect(used).toEqual([])
  })

  test('is tidy', () => {
    expect(text).toMatch(/[^\n]\n$/)
    expect(text).not.toMatch(/[ \t]$|\r|\n\n\n/m)
  })
})

test.each([
  ['Run npm test.', 'npm'],
  ['Call pytest first.', 'pytest'],
  ['See src/form.ts for it.', 'm.ts'],
  ['Run the tests of the project.', undefined],
])('a language is noticed: %s', (text, expected) => {
  expect(languageIn(text)).toBe(expected)
})

test('there are texts to check', () => {
  expect(everyFile.length).toBe(8 + 10 + 1 + 11 + 1 + 2)
})
