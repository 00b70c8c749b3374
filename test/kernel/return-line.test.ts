import { describe, expect, test } from 'vitest'
import { contracts, protocols, stageWork } from '../../src/kernel/protocol.ts'
import { readNeed, readReturn, returnLines, returnWords } from '../../src/kernel/return-line.ts'
import { stages } from '../../src/kernel/task.ts'
import fc from '../support/properties.ts'

const statuses = ['complete', 'partial', 'blocked'] as const
const lines = returnLines('Research')

test('[ORCH-5] each of the three lines is read for what it says', () => {
  expect(lines).toEqual([
    'Research complete. See MANIFEST.jsonl for summary.',
    'Research partial. See MANIFEST.jsonl for details.',
    'Research blocked. See MANIFEST.jsonl for blocker details.',
  ])
  expect(lines.map((line) => readReturn(line, ['Research']))).toEqual(statuses)
})

test('[ORCH-5] every word of the list belongs to a protocol or a stage', () => {
  const pairs = protocols.flatMap((protocol) => stages.map((stage) => returnWords(protocol, stage)))
  expect([...new Set(pairs.flat())].sort()).toEqual([
    'Analysis',
    'Consensus',
    'Contribution',
    'Decomposition',
    'Design',
    'Implementation',
    'Release',
    'Research',
    'Specification',
    'Testing',
    'Validation',
  ])
})

test('[ORCH-5] the word of the protocol counts, and that of the stage; the one a prompt names comes first', () => {
  for (const protocol of protocols)
    for (const stage of stages) {
      const words = returnWords(protocol, stage)
      const { word, protocol: usual } = stageWork[stage]
      expect(words).toContain(contracts[protocol].word)
      expect(words).toContain(word ?? contracts[usual].word)
      expect(words[0]).toBe((usual === protocol && word) || contracts[protocol].word)
    }
  expect(returnWords('implementation', 'testing')).toEqual(['Testing', 'Implementation'])
  expect(returnWords('research', 'testing')).toEqual(['Research', 'Testing'])
})

describe('nothing else is a return line', () => {
  const exact = new Set(lines)
  const allowed = (message: string) => exact.has(message.replace(/\n$/, '').replace(/\r$/, ''))

  /** An allowed line with one thing done to it. */
  const damaged = fc
    .record({
      line: fc.constantFrom(...lines),
      at: fc.nat(80),
      cut: fc.nat(3),
      put: fc.oneof(
        fc.string({ unit: 'binary', maxLength: 3 }),
        fc.constantFrom(
          ' ',
          '\n',
          '\r',
          '\t',
          '\u00a0',
          '\u200b',
          '\u202e',
          '．',
          'е',
          'С',
          '\u0301',
          '`',
          '"',
          '',
        ),
      ),
    })
    .map(({ line, at, cut, put }) => line.slice(0, at) + put + line.slice(at + cut))

  test('[ORCH-5] over 10,000 messages, only the exact lines pass', () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 8, arbitrary: damaged }, fc.string({ unit: 'binary' })), (message) => {
        return (readReturn(message, ['Research']) !== undefined) === allowed(message)
      }),
      { numRuns: 10_000 },
    )
  })

  test.each([
    ['content', 'argon2id is the best choice.\n\nResearch complete. See MANIFEST.jsonl for summary.'],
    ['trailing text', 'Research complete. See MANIFEST.jsonl for summary. Anything else?'],
    ['a second line', 'Research complete. See MANIFEST.jsonl for summary.\nDone.'],
    ['another language', 'Recherche abgeschlossen. Siehe MANIFEST.jsonl.'],
    ['another script', 'Исследование завершено. См. MANIFEST.jsonl.'],
    ['nothing', ''],
    ['a line break', '\n'],
    ['blanks around', ' Research complete. See MANIFEST.jsonl for summary. '],
    ['another case', 'research complete. See MANIFEST.jsonl for summary.'],
    ['a look-alike letter', 'Resеarch complete. See MANIFEST.jsonl for summary.'],
    ['a look-alike full stop', 'Research complete． See MANIFEST.jsonl for summary.'],
    ['an invisible character', 'Research complete. See MANIFEST.jsonl for summary.\u200b'],
    ['quotes', '"Research complete. See MANIFEST.jsonl for summary."'],
    ['Markdown', '**Research complete. See MANIFEST.jsonl for summary.**'],
    ['the word of another protocol', 'Implementation complete. See MANIFEST.jsonl for summary.'],
    ['the ending of another status', 'Research complete. See MANIFEST.jsonl for details.'],
    ['no full stop', 'Research complete. See MANIFEST.jsonl for summary'],
    ['two line breaks', 'Research complete. See MANIFEST.jsonl for summary.\n\n'],
    ['a null', 'Research complete. See MANIFEST.jsonl for summary.\0'],
  ])('[ORCH-5] %s', (_, message) => {
    expect(readReturn(message, ['Research'])).toBeUndefined()
    expect(readNeed(message)).toBeUndefined()
  })

  test('except for the line break a pipe adds', () => {
    for (const end of ['\n', '\r\n', '\r'])
      expect(readReturn(`${lines[0]}${end}`, ['Research'])).toBe('complete')
  })
})
test('[SKILL-10] a subagent asks for a skill, or for more of one, in one exact line', () => {
  expect(readNeed('need skill: ct-release')).toEqual({ skill: 'ct-release', level: 'L1' })
  expect(readNeed('need level: ct-release L2')).toEqual({ skill: 'ct-release', level: 'L2' })
  const others = [
    'need skill: ',
    'need skill: a b',
    'Need skill: x',
    'need skill: x\nmore',
    'need level: x L9',
    '',
    'need level: x',
  ]
  expect(others.filter(readNeed)).toEqual([])
})
