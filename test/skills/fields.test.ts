import { describe, expect, test } from 'vitest'
import { readFields } from '../../src/skills/skill-fields.ts'
import fc, { runs } from '../support/properties.ts'

const why = async (frontMatter: string) => {
  const read = await readFields(frontMatter)
  return read.ok ? 'read' : `${read.line}: ${read.why}`
}

describe('reading front matter as YAML', () => {
  test('[SKILL-1] fields come with their lines, numbers with their letters, those of a map by dotted names', async () => {
    const read = await readFields(
      'name: a\nmetadata:\n  version: 1.10\n  "tags": "x, y"\nlist: [1, b]\nempty:\n',
    )
    expect(read.ok && [...read.fields]).toEqual([
      ['name', { value: 'a', text: 'a', line: 2 }],
      ['metadata', { value: { version: 1.1, tags: 'x, y' }, line: 3 }],
      ['metadata.version', { value: 1.1, text: '1.10', line: 4 }],
      ['metadata.tags', { value: 'x, y', text: 'x, y', line: 5 }],
      ['list', { value: [1, 'b'], line: 6 }],
      ['empty', { value: null, text: '', line: 7 }],
    ])
  })

  test.each([
    [
      'name: a\ndescription: Use when: b\n',
      '3: is not plain YAML: a value with ": " in it needs quotes around it',
    ],
    ['name: "a\n', '3: is not plain YAML: a value starts with a quote that is never closed'],
    ['name: "a\nb\n', '4: is not plain YAML: a value starts with a quote that is never closed'],
    [
      'name: a\nb\n',
      '3: is not plain YAML: a line is neither "name: value" nor an indented continuation of the line above',
    ],
    ['name: **a** b\n', '2: is not plain YAML: a value that starts with "*" needs quotes around it'],
    ['name: [a] [b]\n', '2: is not plain YAML: a value that starts with "[" needs quotes around it'],
    ['name: `a` b\n', '2: is not plain YAML: a value that starts with "`" needs quotes around it'],
    ['name: a\nname: b\n', '3: has "name" twice'],
    ['metadata:\n  a: 1\n  a: 2\n', '4: has "metadata.a" twice'],
    ['- name\n', '2: has front matter that is not a list of "name: value" lines'],
    ['just text\n', '2: has front matter that is not a list of "name: value" lines'],
    ['name: a\n...\nname: b\n', '4: is not plain YAML: it is more than one document'],
    [
      'name: !!js/function "function () {}"\n',
      '2: is not plain YAML: it uses a custom tag ("!…"); a value that starts with "!" needs quotes',
    ],
    [
      'name: !secret a\n',
      '2: is not plain YAML: it uses a custom tag ("!…"); a value that starts with "!" needs quotes',
    ],
    ['__proto__: {polluted: true}\n', '2: has "__proto__" in its front matter'],
    ['metadata:\n  "__proto__": x\n', '3: has "__proto__" in its front matter'],
    ['a: &a [x]\nb: *a\n', '3: uses a YAML alias in its front matter ("*a")'],
    [
      'a: *nowhere\n',
      '2: has "*nowhere" in its front matter, which YAML reads as an alias; put quotes around it',
    ],
  ])('[SKILL-3] %j is refused: %s', async (frontMatter, reason) => {
    expect(await why(frontMatter)).toBe(reason)
  })

  test.each([
    ['description: "One\ntwo: three.\n\nFour \\" five"\nlicense: MIT\n', 'One two: three.\nFour " five', 3],
    ["description: 'It''s\none'\nlicense: MIT\n", "It's one", 3],
    ['metadata:\n  a: "b\nc\n  d"\ndescription: "x\n  y"\nlicense: MIT\n', 'x y', 4],
  ])('[SKILL-3] %j is read as PyYAML reads it, with a warning', async (frontMatter, description, line) => {
    const read = await readFields(frontMatter)
    if (!read.ok) throw new Error(read.why)
    expect(read.fields.get('description')?.value).toBe(description)
    expect(read.fields.get('license')?.value).toBe('MIT')
    expect(read.unindented).toBe(line)
  })

  test('[SKILL-3] indented values of several lines draw no warning', async () => {
    expect(await readFields('a: "b\n  c"\nd: \'e\n  f\'\n')).toMatchObject({
      ok: true,
      fields: expect.anything(),
    })
    expect(await readFields('a: "b\n  c"\n')).not.toHaveProperty('unindented')
  })

  test('[SKILL-3] bombs are refused: by size, by depth, by references to themselves', async () => {
    const laughs = [...'abcdefghi'].map(
      (name, i, all) => `${name}: &${name} [${`*${all[i - 1]},`.repeat(i && 9)}]`,
    )
    expect(await why(laughs.join('\n'))).toBe('3: uses a YAML alias in its front matter ("*a")')
    expect(await why(`a: ${'x'.repeat(65_536)}`)).toBe('1: has more than 64 KiB of front matter')
    const deep = [`a: ${'['.repeat(400)}${']'.repeat(400)}`, '- '.repeat(400), '? '.repeat(400)]
    for (const each of deep) expect(await why(each)).toMatch(/nested too deeply$/)
    expect(await why('- '.repeat(32_000))).toMatch(/nested too deeply$/)
    expect(await why(`a: ${'['.repeat(60_000)}`)).toMatch(/^2: is not plain YAML/)
    expect(await why(Array.from({ length: 9000 }, (_, i) => `k${i}:`).join('\n'))).toBe('read')
  })

  test('[SKILL-3] it never throws', async () => {
    const piece = fc.constantFrom(
      'a',
      ': ',
      '\n',
      '  ',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '&a ',
      '*a',
      '!t ',
      '"',
      "'",
      '|',
      '>',
      '?',
      '#',
      '%',
      '\t',
      ',',
      '...',
      '<<',
      '__proto__',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 9, arbitrary: piece }, fc.string({ maxLength: 3 })), { maxLength: 24 }),
        async (parts) => {
          const read = await readFields(parts.join(''))
          if (read.ok) expect([...read.fields.keys()]).not.toContain('__proto__')
          else expect(read.why).toMatch(/^\S/)
        },
      ),
      { numRuns: runs(10_000) },
    )
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})
