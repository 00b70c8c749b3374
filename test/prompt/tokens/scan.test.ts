import { fromMarkdown } from 'mdast-util-from-markdown'
import { expect, test } from 'vitest'
import { scan, type Token } from '../../../src/prompt/tokens/scan.ts'
import { markdown } from '../../support/markdown-texts.ts'
import fc, { runs } from '../../support/properties.ts'
import { referenceScan } from '../../support/reference-scan.ts'

const bits = [
  ...`{{ }} \${ { } $ @ ! \\ \` \`\` \`\`\` \`\`\`\` ~~~ A TASK_ID a 1 _ . .md * / - # | ( ) " ' > --- === é 。 …`.split(
    ' ',
  ),
  ...`{{TASK_ID}} \${A} @a.md @d/*.md \\@a.md`.split(' '),
  ...['!`git log`', '\n', '\n\n', '\r\n', ' ', '    ', '\t', '- ', '1. ', '> ', '# '],
]
const texts = fc
  .array(fc.constantFrom(...bits), { maxLength: 24, size: 'max' })
  .map((parts) => parts.join(''))
  // Leave out list items without words, because mdast reads them differently from CommonMark.
  .filter((text) => !/^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t>]*)+$/m.test(text))

test('[TOK-1] [TOK-5] the scanner agrees with a slow reference on whatever it is given', () => {
  const found = new Set<string>()
  fc.assert(
    fc.property(texts, (text) => {
      const tokens = scan(text)
      expect(tokens).toEqual(referenceScan(text))
      for (const { kind } of tokens) found.add(kind)
    }),
    { numRuns: runs(10_000) },
  )
  expect([...found].sort()).toEqual(['command', 'escape', 'file', 'glob', 'name'])
})

test('[TOK-5] references count where a Markdown parser sees no code, and nowhere else', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const code: [number, number][] = []
      const walk = (node: Node) => {
        const { start, end } = node.position!
        if (node.type === 'inlineCode' || node.type === 'code') code.push([start.offset!, end.offset!])
        node.children?.forEach(walk)
      }
      walk(fromMarkdown(text) as Node)
      const all = Array.from(text.matchAll(/@a\.md/g), ({ index }) => index)
      const outside = all.filter((at) => !code.some(([start, end]) => start <= at && at < end))
      expect(scan(text).map(({ start }) => start)).toEqual(outside)
    }),
    { numRuns: runs(5000) },
  )
})

interface Node {
  type: string
  position?: { start: { offset?: number }; end: { offset?: number } }
  children?: Node[]
}

/** Returns the tokens of a text, each with its kind. */
const seen = (text: string): string[] =>
  scan(text).map((token) => `${token.kind} ${text.slice(token.start, token.end)}`)

test.each<[text: string, ...tokens: string[]]>([
  ['{{TASK_ID}} and {{ EPIC_ID }}', 'name {{TASK_ID}}', 'name {{ EPIC_ID }}'],
  [`\${CLEO_ROOT}x`, `name \${CLEO_ROOT}`],
  ['see @docs/guide.md.', 'file @docs/guide.md'],
  ['(@a.md), **@b.md** and "@c.json"!', 'file @a.md', 'file @b.md', 'file @c.json'],
  ['@protocols/*.md and @skills/ct-*/SKILL.md', 'glob @protocols/*.md', 'glob @skills/ct-*/SKILL.md'],
  ['@docs/größe.md，@a.md。', 'file @docs/größe.md', 'file @a.md'],
  [
    '@../up.md @/etc/hosts.md @~/x.md @.env',
    'file @../up.md',
    'file @/etc/hosts.md',
    'file @~/x.md',
    'file @.env',
  ],
  ['on !`git log -1` it is', 'command !`git log -1`'],
  ['{{{TASK_ID}}}', 'name {{TASK_ID}}'],
  [`\${A}\${B}{{C}}{{D}}`, `name \${A}`, `name \${B}`, 'name {{C}}', 'name {{D}}'],
])('[TOK-1] %j holds its tokens', (text, ...tokens) => {
  expect(seen(text)).toEqual(tokens)
})

test.each([
  'ada@example.org and ada@files.md',
  '@scope/pkg, @types/node and @scope/pkg@1.2.3',
  '@decorator, @app.route("/") and @Injectable()',
  'node_modules/@types/node/index.d.ts',
  '`@a.md`, ``@b.md ` @c.md`` and `!`',
  '```md\n@a.md\n!`date`\n```\n~~~\n@b.md\n~~~',
  '- item\n\n    ```\n    @a.md\n    ```',
  '> ```\n> @a.md\n> ```',
  `\${lower} \${1} \${A-b} \${A:-default} {{lower}} {{ A B }} {{}} {{A} }`,
  '`#REF!`: an error of spreadsheets, and `#NAME?`',
  'Stop!`code` and ![image](x.md) and !``two``',
  '!`over\nlines`',
  '@v1.2 @2026.4 @. @... @/ @a.',
])('[TOK-5] %j holds no token', (text) => {
  expect(seen(text)).toEqual([])
})

test('[TOK-5] names count in code too', () => {
  expect(seen(`\`{{A}}\`\n~~~\n\${B}\n~~~`)).toEqual(['name {{A}}', `name \${B}`])
})

test.each<[text: string, ...tokens: string[]]>([
  [
    `\\\${A} \\{{A}} \\@a.md \\!\`date\``,
    `escape \\\${A}`,
    'escape \\{{A}}',
    'escape \\@a.md',
    'escape \\!`date`',
  ],
  [`\\$HOME \\\${lower} \\{ \\@decorator \\! \\n a \\| b \\\\`],
  [`\\\\\${A}`, `escape \\\${A}`],
  ['`\\@a.md` and `\\{{A}}`', 'escape \\{{A}}'],
])('[TOK-4] in %j a backslash counts in front of a token alone', (text, ...tokens) => {
  expect(seen(text)).toEqual(tokens)
})

test.each<[line: string, words: string[]]>([
  ['git log -1', ['git', 'log', '-1']],
  [' git  log\t--format="%h %s" ', ['git', 'log', '--format=%h %s']],
  ["echo '' 'a \"b\"'", ['echo', '', 'a "b"']],
  ['a; b && $(c) | d > e', ['a;', 'b', '&&', '$(c)', '|', 'd', '>', 'e']],
  ['echo "open', []],
])('[TOK-8] the words of %j are %j', (line, words) => {
  const [token] = scan(`!\`${line}\``) as [Extract<Token, { kind: 'command' }>]
  expect(token.words).toEqual(words)
})

test('[TOK-4] a token in a table is marked as such', () => {
  const cells = scan('{{A}}\n\n| {{B}} | `{{C}}` |\n\n```\n| {{D}} |\n```\n- | {{E}} |').map(
    ({ cell }) => cell,
  )
  expect(cells).toEqual([false, true, true, false, true])
})

test.each(['{{', `\${`, '{{A', '@', '!', '\\', '`', '``` ` ', '> - ', '@a/', '@a.', '| {{ '])(
  '[TOK-10] 80,000 times %j is scanned to its end and holds nothing',
  (bit) => {
    expect(scan(bit.repeat(80_000))).toHaveLength(0)
  },
)

test('[TOK-5] a name that the same block of code assigns is left to it', () => {
  const names = (text: string) =>
    scan(text).flatMap((token) => (token.kind === 'name' ? [text.slice(token.start, token.end)] : []))
  const script =
    '```sh\nexport OUTPUT_DIR=build\nfor DATE in 1 2; do echo "${OUTPUT_DIR}/${DATE}/${TASK_ID}"; done\n```\n'
  expect(names(script)).toEqual(['${TASK_ID}'])
  expect(names(`${script}\nThen open \${OUTPUT_DIR}.\n`)).toEqual(['${TASK_ID}', '${OUTPUT_DIR}'])
  expect(names('```js\nconst DATE = now()\nlog(`${DATE}`)\nif (TOPIC == 1) log(`${TOPIC}`)\n```\n')).toEqual([
    '${TOPIC}',
  ])
  expect(names('`DATE=1 ${DATE}` and `${DATE}`')).toEqual(['${DATE}'])
})
