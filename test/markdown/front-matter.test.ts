import { describe, expect, test } from 'vitest'
import { joinFrontMatter, splitFrontMatter } from '../../src/markdown/front-matter.ts'
import fc, { runs } from '../support/properties.ts'

describe('taking the front matter off', () => {
  test('[SKILL-1] a leading --- opens it, the next one closes it, rules in the body are body', () => {
    const text = '---\nname: a\n---\n# A\n\n---\n\nmore\n---\n'
    expect(splitFrontMatter(text)).toEqual({
      ok: true,
      frontMatter: 'name: a\n',
      body: '# A\n\n---\n\nmore\n---\n',
      bodyLine: 4,
    })
  })

  test('[SKILL-1] line breaks of Windows, a byte order mark, trailing spaces and an empty body are fine', () => {
    expect(splitFrontMatter('\ufeff--- \r\nname: a\r\n---\r\nbody\r\n')).toMatchObject({
      frontMatter: 'name: a\r\n',
      body: 'body\r\n',
    })
    expect(splitFrontMatter('---\n---')).toEqual({ ok: true, frontMatter: '', body: '', bodyLine: 3 })
  })

  test.each([
    ['', 'has no front matter'],
    ['# A\n---\nname: a\n---\n', 'has no front matter'],
    ['\n---\nname: a\n---\n', 'has no front matter'],
    [' ---\nname: a\n---\n', 'has no front matter'],
    ['---\nname: a\n --- \n', 'has front matter without a closing "---" line'],
    ['---js\nmodule.exports = {}\n---\n', 'opens its front matter with "---js", not "---"'],
    ['--- json\n{}\n---\n', 'opens its front matter with "---json", not "---"'],
    ['----\nname: a\n----\n', 'opens its front matter with "----", not "---"'],
  ])('[SKILL-3] %j %s', (text, why) => {
    expect(splitFrontMatter(text)).toEqual({ ok: false, line: 1, why })
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
        const divided = splitFrontMatter(text)
        expect(divided.ok ? divided : undefined).toEqual(slowly(text))
      }),
      { numRuns: runs(10_000) },
    )
  })

  test('[SKILL-1] what was divided can be joined again', () => {
    const text = '---\nname: a\n---\n\nbody\n'
    const divided = splitFrontMatter(text)
    expect(divided.ok && joinFrontMatter(divided)).toBe(text)
    expect(joinFrontMatter({ frontMatter: 'name: a', body: '' })).toBe('---\nname: a\n---\n')
  })
})
