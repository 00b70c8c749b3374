import { expect, test } from 'vitest'
import { allCommands, allNames, allWords, commandAt, groups } from '../../src/operation/commands.ts'

test('every command is found by its words and by its other names', () => {
  const rows = allCommands()
  expect(rows.map(({ words }) => words)).toEqual(allWords())
  for (const row of rows) expect(commandAt(row.words)).toEqual(row)
  for (const [name, words] of allNames()) expect(commandAt(name)?.words).toBe(words)
})

test('other words are no commands', () => {
  for (const words of ['', 'constructor', 'sho', 'how', '0', 'show T001', 'add\t', ...groups().slice(0, 3)])
    expect(commandAt(words)?.words ?? 'none').toBe(allNames().get(words) ?? 'none')
})
