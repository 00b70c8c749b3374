import { describe, expect, test } from 'vitest'
import { readBlocks } from '../../../src/markdown/blocks.ts'
import { closeAll, cutLines, cutMark } from '../../../src/prompt/budget/cut.ts'
import { exactMeasure } from '../../../src/prompt/budget/measure.ts'
import { truncateSkill } from '../../../src/prompt/budget/truncate.ts'
import fc, { runs } from '../../support/properties.ts'
import { closing, skill } from './generated-skills.ts'

/** A fast substitute for a tokenizer: more text has more tokens here too. */
const measure = exactMeasure((text) => Math.ceil(text.length / 4))

const isClosed = (text: string) =>
  readBlocks(text).open === undefined && text.lastIndexOf(closing.open) <= text.lastIndexOf(closing.close)

const share = fc.integer({ min: 0, max: 110 })

test('[BUDG-3] a skill cut to its budget is within it, keeps what must stay and leaves nothing open', () => {
  let [bySection, byLine] = [0, 0]
  fc.assert(
    fc.property(skill, share, ({ text, essential }, percent) => {
      const limit = Math.floor((measure.count(text) * percent) / 100)
      const cut = truncateSkill(text, limit, measure, closing)
      expect(measure.count(cut.text)).toBeLessThanOrEqual(limit)
      if (cut.text === text) {
        expect(cut.cuts).toEqual([])
        return
      }
      expect(cut.cuts.length).toBeGreaterThan(0)
      expect(isClosed(cut.text)).toBe(true)
      const lines = cut.cuts.some((words) => words.includes('lines'))
      if (lines) {
        byLine++
        expect(measure.count(closeAll(essential.join(''), closing))).toBeGreaterThan(limit)
        expect(cut.text === '' || cut.text.endsWith(cutMark)).toBe(true)
        if (measure.fits(cutMark, limit) === 'yes') expect(cut.text).not.toBe('')
      } else {
        bySection++
        for (const part of essential) expect(cut.text).toContain(part.trimEnd())
        expect(cut.text.includes(cutMark)).toBe(cut.cuts.some((words) => words.endsWith(' cut')))
      }
    }),
    { numRuns: runs(10_000) },
  )
  expect(bySection).toBeGreaterThan(runs(1000))
  expect(byLine).toBeGreaterThan(runs(1000))
})

test('[BUDG-3] any text cut by line is a beginning of it, closed and marked', () => {
  fc.assert(
    fc.property(skill, share, ({ text }, percent) => {
      const limit = Math.floor((measure.count(text) * percent) / 100)
      const cut = cutLines(text, limit, measure, closing)
      expect(measure.count(cut.text)).toBeLessThanOrEqual(limit)
      if (cut.text === text || cut.text === '') return
      expect(cut.text.endsWith(cutMark)).toBe(true)
      expect(isClosed(cut.text)).toBe(true)
      const lines = cut.text.split('\n').slice(0, -1)
      let same = 0
      while (same < lines.length && lines[same] === text.split('\n')[same]) same++
      expect(lines.length - same).toBeLessThanOrEqual(2)
    }),
    { numRuns: runs(10_000) },
  )
})

describe('[BUDG-3] sections go in order', () => {
  const sections = {
    title: '# A\n\nWhat it does.\n\n',
    summary: '## Summary\n\nShort.\n\n',
    usage: '## Usage\n\nHow to use it.\n\n',
    rules: '## Core Rules\n\n- MUST do it.\n\n### More rules\n\n- MUST say so.\n\n',
    examples: '## Examples\n\nSome:\n\n### One\n\nfirst\n\n### Two\n\nsecond\n\n### Three\n\nthird\n\n',
    notes: '## Notes\n\nSome notes.\n\n',
    references: '## References\n\n### Books\n\n- one\n\n',
    appendix: '## Appendix: Tables\n\n| a |\n',
  }
  const { title, summary, usage, rules, examples, notes } = sections
  const whole = Object.values(sections).join('')
  const one = '## Examples\n\nSome:\n\n### One\n\nfirst\n\n'
  const cutTo = (text: string) => truncateSkill(whole, measure.count(text), measure)

  test.each<[string, string, string[]]>([
    ['nothing where it fits', whole, []],
    [
      'references',
      `${title}${summary}${usage}${rules}${examples}${notes}${sections.appendix}`,
      ['References left out'],
    ],
    [
      'appendix',
      `${title}${summary}${usage}${rules}${examples}${notes}`,
      ['References left out', 'Appendix: Tables left out'],
    ],
    [
      'examples but one',
      `${title}${summary}${usage}${rules}${one}${notes}`,
      ['References left out', 'Appendix: Tables left out', 'Examples: 2 of 3 left out'],
    ],
    [
      'the last of the others',
      `${title}${summary}${usage}${rules}${one}`,
      ['References left out', 'Appendix: Tables left out', 'Examples: 2 of 3 left out', 'Notes left out'],
    ],
    [
      'then the one before it',
      `${title}${summary}${usage}${rules}`,
      ['References left out', 'Appendix: Tables left out', 'Examples left out', 'Notes left out'],
    ],
    [
      'all but what must stay',
      `${title}${summary}${rules}`,
      [
        'References left out',
        'Appendix: Tables left out',
        'Examples left out',
        'Notes left out',
        'Usage left out',
      ],
    ],
  ])('%s', (_, text, cuts) => {
    expect(cutTo(text)).toEqual({ text, cuts })
  })

  test('lines at the very end', () => {
    const kept = `# A\n`
    const { text, cuts } = truncateSkill(whole, measure.count(`${kept}\n${cutMark}`), measure)
    expect(text).toBe(`${kept}\n${cutMark}`)
    expect(cuts.at(-1)).toBe('the last 14 lines left out')
  })

  test('a single heading is the name of the whole', () => {
    const cut = truncateSkill('# A\n\nWhat it does.\nAnd how.\n\n## B\n\nMore.\n', 9, measure)
    expect(cut).toEqual({ text: '# A\n\nWhat it does.\nAnd how.\n\n', cuts: ['B left out'] })
    expect(truncateSkill(`# A\n\n${'What it does.\n'.repeat(9)}`, 14, measure).text).toBe(
      `# A\n\nWhat it does.\n${cutMark}`,
    )
  })
})

test('[BUDG-3] examples that are only blocks of code are cut to one, too', () => {
  const block = (n: number) => `Call ${n}:\n\n\`\`\`\nexample ${n}\n\`\`\`\n\n`
  const text = `## Summary\n\nShort.\n\n## Examples\n\n${block(1)}${block(2)}${block(3)}## End\n`
  const cut = truncateSkill(text, measure.count(text) - 5, measure)
  expect(cut.cuts).toEqual(['Examples: 2 of 3 left out'])
  expect(cut.text).toContain('example 1')
  expect(cut.text).not.toContain('example 2')
  expect(cut.text).toContain('## End')
})

test('[BUDG-3] a skill that is fenced as a whole is cut by section and stays fenced', () => {
  const text = `${closing.open} from="a">\nname: a\n\n## Summary\n\nShort.\n\n## References\n\nMany.\n${closing.close}`
  const cut = truncateSkill(text, measure.count(text) - 1, measure, closing)
  expect(cut.text).toBe(`${closing.open} from="a">\nname: a\n\n## Summary\n\nShort.\n\n${closing.close}`)
})

test('[BUDG-3] headings in foreign text are not the skill’s', () => {
  const foreign = `${closing.open} from="a">\n\n## References\n\ntext\n${closing.close}\n\n`
  const text = `## Core Rules\n\n${foreign}More.\n\n## Usage\n\nThus.\n`
  const cut = truncateSkill(text, measure.count(text) - 1, measure, closing)
  expect(cut).toEqual({ text: `## Core Rules\n\n${foreign}More.\n\n`, cuts: ['Usage left out'] })
})

test('[BUDG-3] a hundred thousand sections are cut', () => {
  const text = '## Examples\n\na\n\n### b\n\n### c\n\n'.repeat(50_000)
  expect(truncateSkill(text, 1000, measure).text.length).toBeLessThanOrEqual(4000)
})
