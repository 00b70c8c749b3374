import fc from '../../support/properties.ts'

export const closing = { open: '<data-7f', close: '</data-7f>' }

/** A skill, and words by which a test recognizes its essential parts. */
export interface Generated {
  text: string
  /** Words of the parts that must stay: everything before the first section, Summary and Core Rules. */
  essential: string[]
}

const line = fc.constantFrom(
  ...[
    'Do this first.',
    'Then do that, and say so in the file.',
    '- one',
    '- two',
    '',
    'A longer line of words and words.',
  ],
  ...['| a | b |', '**Note:** `code` here', '1. first', '> said before', 'x', '### Detail'],
)
const block = fc.oneof(
  { weight: 8, arbitrary: fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n')) },
  { weight: 2, arbitrary: fc.constant('```sh\n# no heading\n## Summary\ncleo show T001\n```') },
  { weight: 1, arbitrary: fc.constant('- item\n\n  ~~~\n  ## References\n  ~~~') },
  {
    weight: 1,
    arbitrary: fc.constant(
      `${closing.open} from="a.md">\n# Theirs\n\n## References\n\ntext\n${closing.close}`,
    ),
  },
)
const body = fc.array(block, { minLength: 1, maxLength: 3 }).map((blocks) => blocks.join('\n\n'))

const examples = fc
  .tuple(fc.array(body, { maxLength: 4 }), fc.boolean())
  .map(([all, headed]) =>
    all.map((text, i) => (headed ? `### Example ${i + 1}\n\n${text}` : `\`\`\`\n${i}\n\`\`\``)).join('\n\n'),
  )

const essentialNames = ['Summary', 'Core Rules']

const section = fc.oneof(
  fc.tuple(
    fc.constantFrom(...essentialNames, 'Usage', 'Notes', 'References', 'Appendix A', '2. Core Rules'),
    body,
  ),
  fc.tuple(fc.constant('Examples'), examples),
)

const unfinished = fc.constantFrom('', '', '', '\n\n```\nnever closed', '\n\n- a\n  ```\n  never closed')

/**
 * Skills as people write them: with or without a title, with sections in any order, and with headings inside code and
 * quoted text.
 */
export const skill: fc.Arbitrary<Generated> = fc
  .tuple(
    fc.constantFrom('', '# A Skill\n\nWhat it does.\n\n', 'Words before all.\n\n'),
    fc.array(section, { minLength: 2, maxLength: 6 }),
    unfinished,
  )
  .map(([opening, sections, rest]) => {
    const last = sections.length - 1
    const parts = sections.map(([title, text], i) => `## ${title}\n\n${text}\n\n${i === last ? rest : ''}`)
    const kept = parts.filter((_, i) => essentialNames.some((name) => sections[i]![0].endsWith(name)))
    return { text: opening + parts.join(''), essential: [opening, ...kept] }
  })
