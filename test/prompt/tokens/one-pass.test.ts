import { expect, test } from 'vitest'
import type { Host } from '../../../src/host/host.ts'
import { nodeHost } from '../../../src/host/node-host.ts'
import { sha256 } from '../../../src/host/sha256.ts'
import { embedded, headingDepth } from '../../../src/markdown/headings.ts'
import { fill } from '../../../src/prompt/tokens/fill.ts'
import type { Token } from '../../../src/prompt/tokens/scan.ts'
import { loadNeeds } from '../../../src/spawn/load-tokens.ts'
import fc, { runs } from '../../support/properties.ts'
import { referenceScan } from '../../support/reference-scan.ts'
import { fence, template } from '../../support/token-source.ts'

/** Tokens of a template, and pieces that could become a token together with inserted text. */
const ours = ['{{TITLE}}', `\${TITLE}`, '@data.md', '@d/*.md', '@part.md', '!`git log`', '\\{{TITLE}}']
const bits = ['{{', 'TITLE}}', `\${`, '}', '@', 'data.md', '!', '`', '\\', ' ', '\n', '| ', 'word', '```\n']

/** Inserted text that tries to make CLEO read, run or replace something. */
const theirs = [
  '{{STOLEN}}',
  `\${STOLEN}`,
  '@stolen.md',
  '@stolen/*.md',
  '!`steal it`',
  '\\',
  '{{TITLE}}',
  '@data.md',
]

const joined = (...from: string[]) =>
  fc.array(fc.constantFrom(...from), { maxLength: 8 }).map((all) => all.join(''))
const cases = fc.record({
  text: joined(...ours, ...ours, ...bits),
  part: joined(...ours.filter((token) => token !== '@part.md'), ...bits),
  title: joined(...theirs, ...bits),
  file: joined(...theirs, ...bits),
  output: joined(...theirs, ...bits),
})
type Case = typeof cases extends fc.Arbitrary<infer C> ? C : never

test('[TOK-6] nothing that came in through a token is read, run or filled in', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (given) => {
      const calls: string[] = []
      const source = template(given.text, { folder: '/own' })
      const project = {
        host: hostOf(given, calls),
        root: '/project',
        actor: { id: 'ada', agent: false },
        dryRun: false,
        config: { tokens: { commands: ['git', 'steal'] } },
      }
      const loaded = await loadNeeds(project, source)
      const value = (name: string) => {
        calls.push(name)
        return name === 'TITLE' ? { text: given.title, foreign: true } : undefined
      }
      const { text } = fill(source, loaded, value, fence)
      const stolen = calls.filter((call) => /stolen|steal/i.test(call))
      const once = { text: expected(given.text, given), stolen: [] }
      expect({ text, stolen }, 'nothing that came in acts').toEqual(once)
    }),
    { numRuns: runs(10_000), includeErrorInReport: true },
  )
})

const trusted = JSON.stringify({
  '/project': { 'command:token git': sha256('["git"]'), 'command:token steal': sha256('["steal"]') },
})

/** Returns a host in memory that records every call. */
const hostOf = ({ part, file, output }: Case, calls: string[]): Host => {
  const contents: Record<string, string> = {
    '/own/part.md': part,
    '/project/data.md': file,
    '/project/d/a.md': file,
  }
  const host = nodeHost()
  return {
    ...host,
    files: {
      ...host.files,
      read: () => trusted,
      readInside: async (folder, path) => {
        calls.push(path)
        const text = contents[`${folder}/${path}`]
        return text === undefined
          ? { ok: false, missing: true, why: 'does not exist' }
          : { ok: true, path, text, bytes: text.length }
      },
      findInside: async (folder, pattern) => {
        calls.push(pattern)
        return { ok: true, paths: folder === '/project' && pattern === 'd/*.md' ? ['d/a.md'] : [] }
      },
    },
    processes: {
      run: async (program, args) => {
        calls.push([program, ...args].join(' '))
        return { end: 'exited', code: 0, tail: output }
      },
    },
  }
}

/** Returns the expected text: every token replaced exactly once. */
const expected = (text: string, given: Case): string => {
  let out = ''
  let done = 0
  for (const token of referenceScan(text)) {
    const raw = text.slice(token.start, token.end)
    const put = putFor(token, raw, given)
    out += text.slice(done, token.start) + (token.cell && put !== raw ? oneCell(put) : put)
    done = token.end
  }
  return out + text.slice(done)
}

const putFor = (token: Token, raw: string, given: Case): string => {
  const { part, title, file, output } = given
  switch (token.kind) {
    case 'escape':
      return token.literal
    case 'name':
      return token.name === 'TITLE' ? fence(title, 'TITLE') : raw
    case 'command': {
      const { words } = token
      const runs = words[0] === 'git' && words.every((word) => referenceScan(word).length === 0)
      return runs ? fence(output.trimEnd(), words.join(' ')) : raw
    }
  }
  if (raw === '@data.md') return fence(file, 'data.md')
  if (raw === '@d/*.md') return fence(file, 'd/a.md')
  if (raw === '@part.md') return expected(embedded(part, headingDepth).replace(/\n$/, ''), given)
  return `[${raw.slice(1)} is left out: it does not exist]`
}

const oneCell = (text: string): string => text.replace(/(\\*)\|/g, '$1$1\\|').replaceAll('\n', ' ')
