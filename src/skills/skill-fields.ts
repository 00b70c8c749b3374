import type { Document, Node, Pair, YAMLMap } from 'yaml'
import { type InvalidFrontMatter, type SplitFile, splitFrontMatter } from '../markdown/front-matter.ts'

export interface Field {
  value: unknown
  /** The value as text. A number stays as it is written. Undefined for a list or a map. */
  text?: string
  /** The line number in the file. The opening `---` is line 1. */
  line: number
}

/** Fields by name. A field of a nested map has a dotted name, such as `metadata.version`. */
export type FrontMatterFields = ReadonlyMap<string, Field>

export interface ReadFields {
  ok: true
  fields: FrontMatterFields
  /** The number of a line that continues a quoted value without indentation. Strict YAML parsers refuse such a line. */
  unindented?: number
}

/** CLEO only warns about a value that continues at the left margin, because many programs accept it. */
export const unindentedWarning =
  'continues a value of the line above without indentation; strict YAML parsers refuse that'

const mostBytes = 64 * 1024
const mostDepth = 8

export const readHead = async (text: string): Promise<(SplitFile & ReadFields) | InvalidFrontMatter> => {
  const divided = splitFrontMatter(text)
  if (!divided.ok) return divided
  const read = await readFields(divided.frontMatter)
  return read.ok ? { ...divided, ...read } : read
}

/** Limits the size and depth, because the file could be hostile. */
export const readFields = async (frontMatter: string): Promise<ReadFields | InvalidFrontMatter> => {
  if (frontMatter.length > mostBytes)
    return { ok: false, line: 1, why: `has more than ${mostBytes / 1024} KiB of front matter` }
  const yaml = await import('yaml')
  const read = parseFields(yaml, frontMatter)
  if (read.ok || !read.openQuote) return read
  const { indentContinuations } = await import('./indent-continuations.ts')
  const indented = indentContinuations(frontMatter)
  const again = indented && parseFields(yaml, indented.text)
  return again?.ok ? { ...again, unindented: indented!.line + 1 } : read
}

const parseFields = (
  yaml: typeof import('yaml'),
  frontMatter: string,
): ReadFields | (InvalidFrontMatter & { openQuote?: boolean }) => {
  const lines = new yaml.LineCounter()
  // `collect` below checks for repeated keys, because the parser's own check takes quadratic time.
  const document = yaml.parseDocument(frontMatter, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
  })
  const lineOf = (offset: number | undefined) => lines.linePos(offset ?? 0).line + 1
  const problem = document.errors[0] ?? document.warnings[0]
  if (problem) {
    const line = lineOf(problem.pos[0])
    const why = `is not plain YAML: ${reasonOf(problem, frontMatter.split('\n')[line - 2] ?? '')}`
    return { ok: false, line, why, openQuote: problem.message.startsWith('Missing closing') }
  }
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

const reasonOf = ({ code, message }: { code: string; message: string }, line: string): string => {
  const opener = /:[ \t]+([*&!@`%[{])/.exec(line)?.[1]
  // This is the most common mistake: "description: Use when: …".
  if (code === 'BLOCK_AS_IMPLICIT_KEY' || message.includes('Nested mappings'))
    return 'a value with ": " in it needs quotes around it'
  if (code === 'MULTIPLE_DOCS') return 'it is more than one document'
  if (message.includes('call stack')) return 'it is nested too deeply'
  if (code === 'TAG_RESOLVE_FAILED')
    return 'it uses a custom tag ("!…"); a value that starts with "!" needs quotes'
  if (opener && ['UNEXPECTED_TOKEN', 'BAD_SCALAR_START', 'BAD_ALIAS'].includes(code))
    return `a value that starts with "${opener}" needs quotes around it`
  if (message.startsWith('Missing closing')) return 'a value starts with a quote that is never closed'
  if (code === 'MULTILINE_IMPLICIT_KEY' || message.startsWith('Implicit map keys'))
    return 'a line is neither "name: value" nor an indented continuation of the line above'
  return message.split('\n')[0]!.slice(0, 200)
}

/**
 * Finds valid YAML that CLEO refuses: aliases, deep nesting and `__proto__`. Aliases and deep nesting can be YAML
 * bombs.
 */
const refusedNode = (
  yaml: typeof import('yaml'),
  document: Document,
): { offset: number; why: string } | undefined => {
  let found: { offset: number; why: string } | undefined
  const why = (node: Node, depth: number): string | undefined => {
    if (yaml.isAlias(node))
      return node.resolve(document)
        ? `uses a YAML alias in its front matter ("*${node.source}")`
        : `has "*${node.source}" in its front matter, which YAML reads as an alias; put quotes around it`
    if (depth > mostDepth) return 'has front matter that is nested too deeply'
    return yaml.isScalar(node) && node.value === '__proto__'
      ? 'has "__proto__" in its front matter'
      : undefined
  }
  yaml.visit(document, {
    Node: (_, node, path) => {
      // Count only collections, because `path` also contains key-value pairs, which are not levels of nesting.
      const reason = why(node, path.filter(yaml.isCollection).length)
      if (!reason) return undefined
      found = { offset: node.range?.[0] ?? 0, why: reason }
      return yaml.visit.BREAK
    },
  })
  return found
}
