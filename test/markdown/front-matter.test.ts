import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { divide, joined } from '../../src/markdown/front-matter.ts'
import { readFields } from '../../src/skills/fields.ts'

describe('taking the front matter off', () => {
  test('[SKILL-1] a leading --- opens it, the next one closes it, rules in the body are body', () => {
    const text = '---\nname: a\n---\n# A\n\n---\n\nmore\n---\n'
    expect(divide(text)).toEqual({
      ok: true,
      frontMatter: 'name: a\n',
      body: '# A\n\n---\n\nmore\n---\n',
      bodyLine: 4,
    })
  })

  test('[SKILL-1] line breaks of Windows, a byte order mark, trailing spaces and an empty body are fine', () => {
    expect(divide('\ufeff--- \r\nname: a\r\n---\r\nbody\r\n')).toMatchObject({
      frontMatter: 'name: a\r\n',
      body: 'body\r\n',
    })
    expect(divide('---\n---')).toEqual({ ok: true, frontMatter: '', body: '', bodyLine: 3 })
  })

  test.each([
    ['', 'has no front matter'],
    ['# A\n---\nname: a\n---\n', 'has no front matter'],
    ['\n---\nname: a\n---\n', 'has no front matter'],
    [' ---\nname: a\n---\n', 'has no front matter'],
    ['---\nname: a\n --- \n', 'has front matter without an end: a line of "---"'],
    ['---js\nmodule.exports = {}\n---\n', 'opens its front matter with "---js", not "---"'],
    ['--- json\n{}\n---\n', 'opens its front matter with "---json", not "---"'],
    ['----\nname: a\n----\n', 'opens its front matter with "----", not "---"'],
  ])('[SKILL-3] %j %s', (text, why) => {
    expect(divide(text)).toEqual({ ok: false, line: 1, why })
  })

  test('[SKILL-1] it agrees with a slow way to do the same, whatever the text is', () => {
    const line = fc.constantFrom('---', '--- ', '---js', 'name: a', '', 'x', '\ufeff')
    const lines = fc.array(fc.oneof(line, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 8 })
    const breaks = fc.constantFrom('\n', '\r\n')
    const slowly = (text: string) => {
      const [first, ...rest] = text.replace(/^\ufeff/, '').split('\n')
      const end = rest.findIndex((each) => each.trimEnd() === '---')
      if (first!.trimEnd() !== '---' || end < 0) return undefined
      const frontMatter = rest.slice(0, end).map((each) => `${each}\n`)
      return {
        ok: true,
        frontMatter: frontMatter.join(''),
        body: rest.slice(end + 1).join('\n'),
        bodyLine: end + 3,
      }
    }
    fc.assert(
      fc.property(lines, breaks, (all, between) => {
        const text = all.join(between)
        const divided = divide(text)
        expect(divided.ok ? divided : undefined).toEqual(slowly(text))
      }),
      { numRuns: 10_000 },
    )
  })

  test('[SKILL-1] what was divided can be joined again', () => {
    const text = '---\nname: a\n---\n\nbody\n'
    const divided = divide(text)
    expect(divided.ok && joined(divided)).toBe(text)
    expect(joined({ frontMatter: 'name: a', body: '' })).toBe('---\nname: a\n---\n')
  })
})

const why = async (frontMatter: string) => {
  const read = await readFields(frontMatter)
  return read.ok ? 'read' : `${read.line}: ${read.why}`
}

describe('reading it as YAML', () => {
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
    ['name: "a\n', '3: is not plain YAML: Missing closing "quote'],
    ['name: a\nname: b\n', '3: says "name" twice'],
    ['metadata:\n  a: 1\n  a: 2\n', '4: says "metadata.a" twice'],
    ['- name\n', '2: has front matter that is not a list of "name: value" lines'],
    ['just text\n', '2: has front matter that is not a list of "name: value" lines'],
    ['name: a\n...\nname: b\n', '4: is not plain YAML: it is more than one document'],
    ['name: !!js/function "function () {}"\n', '2: is not plain YAML: it uses a tag of its own ("!…")'],
    ['name: !secret a\n', '2: is not plain YAML: it uses a tag of its own ("!…")'],
    ['__proto__: {polluted: true}\n', '2: says "__proto__" in its front matter'],
    ['metadata:\n  "__proto__": x\n', '3: says "__proto__" in its front matter'],
    ['a: &a [x]\nb: *a\n', '3: refers to another place of its front matter ("*a")'],
    ['a: *nowhere\n', '2: refers to another place of its front matter ("*nowhere")'],
  ])('[SKILL-3] %j is refused: %s', async (frontMatter, reason) => {
    expect(await why(frontMatter)).toBe(reason)
  })

  test('[SKILL-3] bombs are refused: by size, by depth, by references to themselves', async () => {
    const laughs = [...'abcdefghi'].map(
      (name, i, all) => `${name}: &${name} [${`*${all[i - 1]},`.repeat(i && 9)}]`,
    )
    expect(await why(laughs.join('\n'))).toBe('3: refers to another place of its front matter ("*a")')
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
      { numRuns: 10_000 },
    )
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})
