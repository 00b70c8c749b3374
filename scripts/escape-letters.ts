import { parseSync } from 'oxc-parser'

/**
 * Replaces letters outside of ASCII in the string literals of a chunk by escapes. If a chunk has one such letter,
 * Node stores two bytes for every letter of the chunk. For the everyday chunk, this causes 200 more page faults. A
 * chunk with many such letters stays as it is, because escapes are longer.
 */
export const escapeLetters = (code: string): string => {
  const count = code.match(others)?.length ?? 0
  if (count === 0 || count * 100 > code.length) return code
  let result = ''
  let copied = 0
  for (const { start, end } of textsIn(parseSync('chunk.js', code).program).sort(
    (a, b) => a.start - b.start,
  )) {
    result += code.slice(copied, start) + code.slice(start, end).replace(others, escaped)
    copied = end
  }
  return result + code.slice(copied)
}

const others = /[^\0-\x7f]/g
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

interface Range {
  start: number
  end: number
}

/** Leaves out tagged templates, because a tag such as `String.raw` reads escapes as they are. */
const textsIn = (node: unknown): Range[] => {
  if (typeof node !== 'object' || node === null) return []
  if (Array.isArray(node)) return node.flatMap(textsIn)
  const { type, value, start, end } = node as Range & { type?: string; value?: unknown }
  if (type === 'TemplateElement' || (type === 'Literal' && typeof value === 'string')) return [{ start, end }]
  if (type === 'TaggedTemplateExpression')
    return textsIn((node as { quasi: { expressions: unknown } }).quasi.expressions)
  return Object.values(node).flatMap(textsIn)
}
