import { expect, test } from 'vitest'
import { readOutline } from '../../src/outline/read-outline.ts'
import { type TestProject, withProject } from '../support/project.ts'
import fc, { runs } from '../support/properties.ts'

const markdown = async ({ must }: TestProject): Promise<string> =>
  ((await must('outline.export', {})) as { document: string }).document

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
const awkward = fc.constantFrom(
  ...[
    '- [ ] box',
    '# head',
    '> quote',
    '(after: x)',
    '{#key}',
    'a\\',
    '\\)',
    '---',
    '===',
    '1. one',
    '```',
    'a\n\nb',
  ],
  ...[
    '| t |',
    '<!-- c',
    'x (size: small)',
    'Acceptance:',
    '  indented',
    'end ',
    'a)b,c;d',
    '&#10;',
    '[x] y',
    '* * *',
    'T001',
  ],
)
const text = fc.oneof(
  word,
  awkward,
  fc.tuple(awkward, word, awkward).map((parts) => parts.join('\n')),
)
const title = fc
  .oneof(
    word,
    awkward,
    fc.tuple(word, awkward).map((parts) => parts.join(' ')),
  )
  .filter((each) => each.trim() !== '' && each.length <= 200)
const list = (item: fc.Arbitrary<string>) =>
  fc.uniqueArray(
    item.filter((each) => each.trim() !== ''),
    { maxLength: 3 },
  )
const label = word.map((each) => each.replaceAll(/[\s,]/g, '-'))
const file = word.filter((each) => !each.trim().startsWith('/') && !each.includes('..'))
const row = fc.record(
  {
    title,
    description: text,
    acceptance: list(text.filter((each) => each.length < 500)),
    labels: list(label),
    files: list(file),
    priority: fc.constantFrom('critical', 'high', 'medium', 'low'),
    size: fc.constantFrom('small', 'medium', 'large'),
    stage: fc.constantFrom('research', 'testing'),
    completes: fc.constantFrom('auto', 'manual'),
  } as const,
  { requiredKeys: ['title'] },
)

test('[TASK-8] any tasks are written as an outline that changes nothing when it is read', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(row, fc.nat(), fc.nat()), { minLength: 1, maxLength: 7 }), (rows) =>
      withProject(async (project) => {
        const { call, must } = project
        for (const [i, [fields, parent, need]] of rows.entries()) {
          const type = i === 0 || parent % 4 === 0 ? (parent % 2 === 0 ? 'epic' : 'task') : undefined
          const place = type ? { type } : { parent: `T00${(parent % i) + 1}` }
          const depends = i > 0 && need % 3 === 0 ? { depends: [`T00${(need % i) + 1}`] } : {}
          // CLEO refuses to add a task in some of these places. The task then becomes an epic instead.
          const added = await call('tasks.add', { ...fields, ...place, ...depends } as { title: string })
          if (!added.ok) await must('tasks.add', { title: fields.title, type: 'epic' })
        }
        const written = await markdown(project)
        const { tasks, doubts = [] } = await must('outline.add', { from: written })
        expect(
          tasks.filter(({ action }) => action !== 'unchanged'),
          written,
        ).toEqual([])
        expect(doubts, written).toEqual([])
        expect(tasks).toHaveLength(rows.length)
        expect(readOutline(written).lines.notUnderstood).toBe(0)
      }),
    ),
    { numRuns: runs(500) },
  ))

test('[TASK-8] an outline that was read is written the same in another project', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(title, fc.nat(2), text), { minLength: 1, maxLength: 8 }), (items) =>
      withProject((project) =>
        withProject(async (other) => {
          let depth = 0
          const lines = ['# Epic']
          for (const [i, [name, wanted, more]] of items.entries()) {
            depth = i === 0 ? 0 : Math.min(wanted, depth + 1, 1)
            lines.push(`${'  '.repeat(depth)}- ${name.replaceAll(/\s+/g, ' ')} {#k${i}}`)
            if (!more.includes('`') && !more.includes('<'))
              lines.push(`${'  '.repeat(depth + 1)}> ${more.replaceAll('\n', ' ')}`)
          }
          const added = await project.call('outline.add', { from: `${lines.join('\n')}\n` })
          if (!added.ok) return
          const written = await markdown(project)
          await other.must('outline.add', { from: written })
          expect(await markdown(other)).toBe(written)
        }),
      ),
    ),
    { numRuns: runs(200) },
  ))
