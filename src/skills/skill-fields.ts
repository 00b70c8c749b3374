import type { Document, Node, Pair, YAMLMap } from 'yaml'
import { type InvalidFrontMatter, type SplitFile, splitFrontMatter } from '../markdown/front-matter.ts'

/** A field of the front matter: its parsed YAML value and, only for a scalar, its text. */
export interface Field {
  value: unknown
  text?: string
  /** The line number in the file. The opening `---` is line 1. */
  line: number
}

/** Fields by name. A field of a nested map has a dotted name, such as `metadata.version`. */
export type Fields = ReadonlyMap<string, Field>

const mostBytes = 64 * 1024
const mostDepth = 8

/** Splits a Markdown file and reads the fields of its front matter. */
export const readHead = async (
  text: string,
): Promise<(SplitFile & { fields: Fields }) | InvalidFrontMatter> => {
  const divided = splitFrontMatter(text)
  if (!divided.ok) return divided
  const read = await readFields(divided.frontMatter)
  return read.ok ? { ...divided, fields: read.fields } : read
}

/** Reads front matter as YAML, within limits because the file may be hostile. */
export const readFields = async (
  frontMatter: string,
): Promise<{ ok: true; fields: Fields } | InvalidFrontMatter> => {
  if (frontMatter.length > mostBytes)
    return { ok: false, line: 1, why: `has more than ${mostBytes / 1024} KiB of front matter` }
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  // `collect` below checks for repeated keys, because the parser's own check takes quadratic time.
  const document = yaml.parseDocument(frontMatter, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
  })
  const lineOf = (offset: number | undefined) => lines.linePos(offset ?? 0).line + 1
  const problem = document.errors[0] ?? document.warnings[0]
  if (problem)
    return { ok: false, line: lineOf(problem.pos[0]), why: `is not plain YAML: ${reasonOf(problem)}` }
  const refused = refusedNode(yaml, document)
  if (refused) return { ok: false, line: lineOf(refused.offset), why: refused.why }
  if (document.contents !== null && !yaml.isMap(document.contents))
    return { ok: false, line: 2, why: 'has front matter that is not a list of "name: value" lines' }

  const fields = new Map<string, Field>()
  const collect = (map: YAMLMap, prefix: string): InvalidFrontMatter | undefined => {
    for (const { key, value } of map.items as Pair<Node, Node | null>[]) {
      const name = prefix + (yaml.isScalar(key) ? String(key.source ?? key.value) : String(key))
      const line = lineOf(key?.range?.[0])
      if (fields.has(name)) return { ok: false, line, why: `has "${name}" twice` }
      fields.set(name, {
        value: value?.toJS(document) ?? null,
        ...(yaml.isScalar(value) && { text: textOf(value) }),
        line,
      })
      const inner = prefix === '' && yaml.isMap(value) && collect(value, `${name}.`)
      if (inner) return inner
    }
    return undefined
  }
  return (document.contents && collect(document.contents, '')) ?? { ok: true, fields }
}

/** Returns a number as it is written, because YAML reads `version: 1.10` as 1.1. */
const textOf = ({ value, source }: { value: unknown; source?: string }): string =>
  typeof value === 'string' ? value : (source ?? '')

const reasonOf = ({ code, message }: { code: string; message: string }): string => {
  // The most common mistake: "description: Use when: …".
  if (code === 'BLOCK_AS_IMPLICIT_KEY' || message.includes('Nested mappings'))
    return 'a value with ": " in it needs quotes around it'
  if (code === 'MULTIPLE_DOCS') return 'it is more than one document'
  if (message.includes('call stack')) return 'it is nested too deeply'
  if (code === 'TAG_RESOLVE_FAILED') return 'it uses a custom tag ("!…")'
  return message.split('\n')[0]!.slice(0, 200)
}

/** Finds valid YAML that CLEO refuses: aliases and deep nesting, which can be YAML bombs, and `__proto__`. */
const refusedNode = (
  yaml: typeof import('yaml'),
  document: Document,
): { offset: number; why: string } | undefined => {
  let found: { offset: number; why: string } | undefined
  const why = (node: Node, depth: number): string | undefined => {
    if (yaml.isAlias(node)) return `uses a YAML alias in its front matter ("*${node.source}")`
    if (depth > mostDepth) return 'has front matter that is nested too deeply'
    return yaml.isScalar(node) && node.value === '__proto__'
      ? 'has "__proto__" in its front matter'
      : undefined
  }
  yaml.visit(document, {
    Node: (_, node, path) => {
      // The path also contains pairs, which are not levels.
      const reason = why(node, path.filter(yaml.isCollection).length)
      if (!reason) return undefined
      found = { offset: node.range?.[0] ?? 0, why: reason }
      return yaml.visit.BREAK
    },
  })
  return found
}
