import { expect, test } from 'vitest'
import { differences } from '../../src/spawn/prompt-diff.ts'
import fc from '../support/properties.ts'

const prompt = (spawnId: string, ...lines: string[]) => ({ spawnId, text: lines.join('\n') })

test('[SPAWN-6] a diff names the section and leaves out what can only differ', () => {
  const before = prompt(
    'T001.1',
    '# T001.1',
    '## Task Context',
    'old',
    'same',
    '## Output',
    'cleo x --as T001.1',
  )
  const after = prompt(
    'T001.2',
    '# T001.2',
    '## Task Context',
    'new',
    'same',
    '## Output',
    'cleo x --as T001.2',
  )
  expect(differences(before, after)).toEqual([
    { section: '## Task Context', removed: ['old'], added: ['new'] },
  ])
  const fenced = (nonce: string) => prompt('T001.1', `<data-${nonce} from="T001">`, 'x', `</data-${nonce}>`)
  expect(differences(fenced('01234567'), fenced('76543210'))).toEqual([])
})

test('[SPAWN-6] what was removed and added makes one text of the other', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', '## x', '### y'), { maxLength: 12 })
  fc.assert(
    fc.property(lines, lines, (a, b) => {
      const changes = differences(prompt('T001.1', ...a), prompt('T001.2', ...b))
      const count = (all: readonly string[], line: string) => all.filter((one) => one === line).length
      const removed = changes.flatMap((change) => change.removed)
      const added = changes.flatMap((change) => change.added)
      for (const line of new Set([...a, ...b]))
        expect(count(a, line) - count(removed, line) + count(added, line)).toBe(count(b, line))
      expect(changes.length === 0).toBe(a.join('\n') === b.join('\n'))
    }),
  )
})
