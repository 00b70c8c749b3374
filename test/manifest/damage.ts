import fc from '../support/properties.ts'

/** A part of a manifest: its bytes, and the valid entries in them. */
export interface Segment {
  kind: string
  bytes: Uint8Array
  good: Record<string, unknown>[]
}

const encoder = new TextEncoder()

const nasty = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '{',
    '}',
    '{"id":',
    '"',
    '\\',
    '\\"',
    '\\{',
    '","',
    '{"a":"',
    'é',
    '\u2028',
    '<<<<<<<',
    '[',
    'null',
  ),
)
const sentence = fc.array(nasty, { minLength: 1, maxLength: 4 }).map((parts) => `x${parts.join('')}`)

let count = 0
/** Entries as a subagent writes them. No two are equal. */
const entry = fc
  .record(
    {
      title: sentence,
      key_findings: fc.array(sentence, { maxLength: 3 }),
      blocker: fc.record({ category: sentence, text: sentence }),
      extra: fc.jsonValue({ maxDepth: 2 }),
      ['__proto__']: fc.constant({ polluted: true }),
    },
    { requiredKeys: ['title'], noNullPrototype: true },
  )
  .map(
    (fields): Record<string, unknown> => ({
      id: `T001-e${count++}`,
      status: 'complete',
      file: 'T001-x.md',
      ...fields,
    }),
  )

const bytesOf = (text: string): Uint8Array => encoder.encode(text)
export const joined = (...parts: Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
const line = (kind: string, text: string | Uint8Array, good: Segment['good'] = []): Segment => ({
  kind,
  bytes: typeof text === 'string' ? bytesOf(text) : text,
  good,
})
const json = (value: unknown): string => JSON.stringify(value)

/** The start of an entry. It can be cut anywhere, even within a character. */
const torn = fc.tuple(entry, fc.double({ min: 0, max: 0.999, noNaN: true })).map(([value, part]) => {
  const bytes = bytesOf(json(value))
  return bytes.slice(0, Math.max(1, Math.floor(bytes.length * part)))
})

/** Every segment ends with a line break. */
export const segment: fc.Arbitrary<Segment> = fc.oneof(
  { weight: 4, arbitrary: entry.map((value) => line('good', `${json(value)}\n`, [value])) },
  entry.map((value) => line('windows', `${json(value)}\r\n`, [value])),
  entry.map((value) => line('order mark', `\uFEFF${json(value)}\n`, [value])),
  entry.map((value) => line('spaces', `\n \t${json(value)}  \n\n`, [value])),
  entry.map((value) => line('pretty', `${JSON.stringify(value, null, 2)}\n`, [value])),
  fc
    .array(entry, { minLength: 2, maxLength: 4 })
    .map((all) => line('glued', `${all.map(json).join('')}\n`, all)),
  fc
    .array(entry, { minLength: 2, maxLength: 3 })
    .map((all) => line('glued by commas', `${all.map(json).join(', ')}\n`, all)),
  torn.map((part) => line('torn', joined(part, bytesOf('\n')))),
  fc
    .tuple(torn, entry)
    .map(([part, value]) => line('torn and glued', joined(part, bytesOf(`${json(value)}\n`)), [value])),
  fc
    .tuple(torn, entry, torn)
    .map(([a, value, b]) =>
      line('between two torn', joined(a, bytesOf(json(value)), b, bytesOf('\n')), [value]),
    ),
  fc.tuple(entry, entry, fc.double({ min: 0.01, max: 0.99, noNaN: true })).map(([outer, inner, part]) => {
    const bytes = bytesOf(json(outer))
    const at = Math.max(1, Math.floor(bytes.length * part))
    const both = joined(bytes.slice(0, at), bytesOf(`${json(inner)}\n`), bytes.slice(at), bytesOf('\n'))
    return line('written in between', both, [inner])
  }),
  fc
    .tuple(entry, entry)
    .map(([a, b]) =>
      line('conflict', `<<<<<<< HEAD\n${json(a)}\n=======\n${json(b)}\n>>>>>>> other\n`, [a, b]),
    ),
  entry.map((value) =>
    line(
      'bad UTF-8',
      joined(
        bytesOf(json(value).slice(0, -1)),
        bytesOf(',"x":"'),
        Uint8Array.of(0xff, 0xc3),
        bytesOf('"}\n'),
      ),
    ),
  ),
  entry.map((value) => line('after NULs', joined(new Uint8Array(20), bytesOf(`${json(value)}\n`)), [value])),
  fc.constant(line('NULs', joined(new Uint8Array(9), bytesOf('\n')))),
  fc
    .constantFrom(
      '1',
      'null',
      'true',
      '"text"',
      '[1, 2]',
      '[]',
      '[{"id":"T001-x"}]',
      'Research complete.',
      '}',
      ']',
      '"',
      '\\',
      '{}}',
      '{"a"}',
    )
    .map((text) => line('other', `${text}\n`)),
  fc.constant(
    line('too deep', `{"id":"T001-deep","status":"complete","x":${'['.repeat(100)}${']'.repeat(100)}}\n`),
  ),
)
