import { expect, test } from 'vitest'
import { fill, type TokenValue } from '../../../src/prompt/tokens/fill.ts'
import {
  commandKey,
  foreignTexts,
  type IncludedFile,
  type LoadedNeeds,
  type Source,
} from '../../../src/prompt/tokens/source.ts'
import { data, fence, nothing, template } from '../../support/token-source.ts'

const values: Record<string, TokenValue> = {
  TASK_ID: { text: 'T012' },
  TASK_TITLE: { text: 'Say {{TASK_ID}}', foreign: true, from: 'T012' },
  PIPES: { text: 'a | b' },
}
const filled = (source: Source, loaded: LoadedNeeds = nothing) =>
  fill(source, loaded, (name) => values[name], fence)
const textOf = (text: string, loaded?: LoadedNeeds) => filled(template(text), loaded).text

const loadedOf = (pieces: Record<string, IncludedFile[]>): LoadedNeeds => ({
  ...nothing,
  references: new Map(Object.entries(pieces).map(([key, found]) => [key, { pieces: found, left: [] }])),
})

test('[TOK-2] both forms of a name stand for the same value', () => {
  expect(filled(template(`{{TASK_ID}}, {{ TASK_ID }} and \${TASK_ID}`))).toEqual({
    ...{ text: 'T012, T012 and T012', resolved: 3, unresolved: [], files: [] },
  })
})

test('[TOK-6] an unknown name in a template stays as it is and is reported once as unresolved', () => {
  const { text, resolved, unresolved } = filled(template(`{{NOBODY}} {{NOBODY}} \${OTHER} {{TASK_ID}}`))
  expect(text).toBe(`{{NOBODY}} {{NOBODY}} \${OTHER} T012`)
  expect(resolved).toBe(1)
  expect(unresolved).toEqual([
    { kind: 'name', token: '{{NOBODY}}', where: 'own/SKILL.md', why: 'this name has no value' },
    { kind: 'name', token: `\${OTHER}`, where: 'own/SKILL.md', why: 'this name has no value' },
  ])
})

test('[TOK-6] in any other skill known names are filled in and the rest is left alone, uncounted', () => {
  const text = [
    `const x = \${x}; {{x}} \${NODE_ENV} {{NOBODY}} from '@scope/pkg' @docs/guide.md @src/*.ts`,
    '`#REF!`: the cell is gone. Run !`rm -rf .` and mail ada@example.org. \\@docs/guide.md \\n',
  ].join('\n')
  expect(filled(template(text, { kind: 'skill' }))).toEqual({ text, resolved: 0, unresolved: [], files: [] })
  const known = template(`Task {{TASK_ID}}, \\{{TASK_ID}}, \\{{NOBODY}}`, { kind: 'skill' })
  expect(filled(known)).toMatchObject({ text: `Task T012, {{TASK_ID}}, \\{{NOBODY}}`, resolved: 1 })
})

test('[TOK-4] an escaped token comes out as the literal one', () => {
  expect(textOf(`\\{{TASK_ID}} \\\${TASK_ID} \\@a.md \\!\`date\` \\$HOME \\n`)).toBe(
    `{{TASK_ID}} \${TASK_ID} @a.md !\`date\` \\$HOME \\n`,
  )
})

test('[TOK-4] a value in a table keeps to its cell', () => {
  expect(textOf('{{PIPES}}\n\n| {{PIPES}} |\n')).toBe('a | b\n\n| a \\| b |\n')
  const lines = fill(template('| {{X}} |'), nothing, () => ({ text: 'a\\|b\r\nc\nd|' }), fence)
  expect(lines.text).toBe('| a\\\\\\|b c d\\| |')
})

test('[TOK-6] foreign values and files stand in fences and are not scanned', () => {
  const loaded = loadedOf({ 'docs/a.md': [data('docs/a.md', '{{TASK_ID}} @docs/a.md !`date`')] })
  const { text, files } = filled(template('{{TASK_TITLE}}\n@docs/a.md'), loaded)
  expect(text).toBe('<T012: Say {{TASK_ID}}>\n<docs/a.md: {{TASK_ID}} @docs/a.md !`date`>')
  expect(files).toEqual([{ path: 'docs/a.md', sha256: 'hash of docs/a.md' }])
  expect(foreignTexts(loaded)).toEqual(['{{TASK_ID}} @docs/a.md !`date`'])
})

test('[TOK-1] a glob is put together in the order it was found', () => {
  const loaded = loadedOf({ 'd/*.md': [data('d/a.md', 'A'), data('d/b.md', 'B')] })
  expect(filled(template('@d/*.md'), loaded)).toMatchObject({ text: '<d/a.md: A>\n<d/b.md: B>', resolved: 1 })
})

test('[TOK-8] the output of a command is fenced; without output the token stays', () => {
  const commands = new Map([
    [commandKey(['git', 'log']), { ok: true as const, text: '{{TASK_ID}}' }],
    [commandKey(['date']), { ok: false as const, why: 'it failed with exit 1' }],
  ])
  const { text, resolved, unresolved } = filled(template('!`git log` !`date`'), { ...nothing, commands })
  expect(text).toBe('<git log: {{TASK_ID}}> !`date`')
  expect(resolved).toBe(1)
  expect(unresolved).toEqual([
    { kind: 'command', token: '!`date`', where: 'own/SKILL.md', why: 'it failed with exit 1' },
  ])
  expect(foreignTexts({ ...nothing, commands })).toEqual(['{{TASK_ID}}'])
})

test('[TOK-10] a file that cannot be read is left out, marked in the text and reported', () => {
  const left = [{ path: 'd/.env', why: 'has the name of a secret file' }]
  const references = new Map([['d/*', { pieces: [data('d/a.md', 'A')], left }]])
  const { text, resolved, unresolved } = filled(template('@d/*'), { ...nothing, references })
  expect(text).toBe('<d/a.md: A>\n[d/.env is left out: it has the name of a secret file]')
  expect(resolved).toBe(0)
  expect(unresolved).toEqual([
    { kind: 'file', token: '@d/*', where: 'own/SKILL.md', why: 'd/.env has the name of a secret file' },
  ])
})

const own = (path: string, text: string): IncludedFile => ({ ...data(`own/${path}`, text), template: true })

test('[TOK-6] a template of its own folder is a template too', () => {
  const loaded = loadedOf({ 'part.md': [own('part.md', 'Task {{TASK_ID}} of {{NOBODY}}\n')] })
  const { text, resolved, unresolved, files } = filled(template('@part.md.'), loaded)
  expect(text).toBe('Task T012 of {{NOBODY}}.')
  expect(resolved).toBe(2)
  expect(unresolved).toMatchObject([{ kind: 'name', token: '{{NOBODY}}', where: 'own/part.md' }])
  expect(files).toEqual([{ path: 'own/part.md', sha256: 'hash of own/part.md' }])
})

test('[TOK-6] a cycle of templates is named, and depth ends at five', () => {
  const ring = loadedOf({ 'a.md': [own('a.md', 'A @b.md')], 'b.md': [own('b.md', 'B @a.md')] })
  const cycle = filled(template('@a.md'), ring)
  const why = 'it includes itself: own/a.md → own/b.md → own/a.md'
  expect(cycle.unresolved).toEqual([{ kind: 'include', token: '@a.md', where: 'own/b.md', why }])
  expect(cycle.text).toBe(`A B [own/a.md is left out: ${why}]`)
  expect(
    filled(template('@SKILL.md'), loadedOf({ 'SKILL.md': [own('SKILL.md', '')] })).unresolved,
  ).toMatchObject([{ kind: 'include', why: 'it includes itself: own/SKILL.md → own/SKILL.md' }])

  const steps = Array.from({ length: 6 }, (_, i) => [
    `${i + 1}.md`,
    [own(`${i + 1}.md`, `${i + 1} @${i + 2}.md`)],
  ])
  const stairs = loadedOf({ ...Object.fromEntries(steps), '7.md': [] })
  expect(filled(template('@2.md'), stairs)).toMatchObject({ text: '2 3 4 5 6 ', unresolved: [] })
  expect(filled(template('@1.md'), stairs).unresolved).toEqual([
    {
      ...{ kind: 'include', token: '@6.md', where: 'own/5.md' },
      why: 'templates include each other more than 5 deep',
    },
  ])
})

test('[TOK-10] the size of what comes in is limited, however often it is requested', () => {
  const long = { text: 'x'.repeat(64 * 1024), foreign: true }
  const often = fill(template('{{X}} '.repeat(80_000), { kind: 'skill' }), nothing, () => long, fence)
  expect(often.text.length).toBeLessThan(5 * 1024 * 1024)
  expect(often.unresolved).toMatchObject([{ token: '{{X}}', why: 'the text would exceed 4096 KiB' }])

  const fanned = loadedOf({ 'a.md': [own('a.md', '@b.md '.repeat(999))], 'b.md': [own('b.md', '')] })
  expect(filled(template('@a.md '.repeat(999)), fanned).unresolved.map(({ why }) => why)).toEqual([
    ...['more than 200 files', 'more than 200 files'],
  ])
})
