import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { JsonValue } from './part.ts'
import { keepingMark, styleOf, withEol, withoutMark } from './text-style.ts'

/**
 * The functions in this file edit JSON with comments in place. Everything except CLEO's entries keeps its bytes.
 * The functions do not use `modify` of jsonc-parser, because `modify` inserts a new property before a comment that
 * follows the last property.
 */

export type JsonDocument = { ok: true; root: Node } | { ok: false; why: string }

/** Parses JSON with comments and trailing commas. An empty file counts as an empty object. */
export const parseJson = (text: string): JsonDocument => {
  const plain = withoutMark(text)
  if (isTooDeep(plain)) return { ok: false, why: `is nested deeper than ${mostOpen} levels` }
  const errors: ParseError[] = []
  const root = parseTree(plain.trim() === '' ? '{}' : plain, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first || !root) {
    const before = plain.slice(0, first?.offset ?? 0).split('\n')
    const what = first ? readable(printParseErrorCode(first.error)) : 'no value'
    return { ok: false, why: `is not JSON: ${what} at ${before.length}:${before.at(-1)!.length + 1}` }
  }
  if (root.type !== 'object') return { ok: false, why: `must be an object, not ${article(root.type)}` }
  return { ok: true, root }
}

/**
 * The deepest nesting that is accepted. The parser and this code are recursive, so a deeper file could overflow the
 * stack.
 */
const mostOpen = 500

/**
 * This check must run before the parser, so it cannot recognize strings and comments. It counts the brackets in them
 * too.
 */
const isTooDeep = (text: string): boolean => {
  let open = 0
  for (const char of text) {
    if (char === '{' || char === '[') open++
    else if (char === '}' || char === ']') open--
    if (open > mostOpen) return true
  }
  return false
}

/** Turns `CommaExpected` into "comma expected". */
const readable = (code: string): string => code.replace(/(?<!^)[A-Z]/g, ' $&').toLowerCase()

export const article = (type: string): string => (/^[aeo]/.test(type) ? `an ${type}` : `a ${type}`)

export const jsonValue = (node: Node): JsonValue => {
  if (node.type === 'array') return (node.children ?? []).map(jsonValue)
  if (node.type !== 'object') return node.value as JsonValue
  const entries = (node.children ?? []).flatMap(({ children }): [string, JsonValue][] =>
    children?.[1] ? [[children[0]!.value as string, jsonValue(children[1])]] : [],
  )
  // If a key exists twice, this takes the last value. The clients take the last value too.
  return Object.fromEntries(entries)
}

const propertiesAt = (node: Node, key: string): Node[] =>
  node.type === 'object' ? (node.children ?? []).filter(({ children }) => children?.[0]?.value === key) : []

/** Follows a path as far as it exists. Returns the last value found and how many keys of the path exist. */
export const reach = (root: Node, path: readonly string[]): { node: Node; depth: number } => {
  let node = root
  for (const [depth, key] of path.entries()) {
    const value = propertiesAt(node, key).at(-1)?.children?.[1]
    if (!value) return { node, depth }
    node = value
  }
  return { node, depth: path.length }
}

/** Returns why no value can be written at a path: a value on the path has the wrong type, or a key exists twice. */
export const whyUnusable = (
  root: Node,
  path: readonly string[],
  wanted?: 'object' | 'array',
): string | undefined => {
  let node = root
  for (const [depth, key] of path.entries()) {
    const found = propertiesAt(node, key)
    if (found.length > 1) return `has ${shown(path.slice(0, depth + 1))} twice`
    const value = found[0]?.children?.[1]
    if (!value) return undefined
    const type = depth === path.length - 1 ? wanted : 'object'
    if (type && value.type !== type)
      return `has ${article(value.type)} in ${shown(path.slice(0, depth + 1))}, which must be ${article(type)}`
    node = value
  }
  return undefined
}

export const shown = (path: readonly string[]): string => path.join('.')

/** Sets a value at a path that has none yet. Makes the objects that are missing on the path. */
export const setValue = (text: string, path: readonly string[], value: JsonValue): string =>
  edited(text, (plain, root) => {
    const { node, depth } = reach(root, path)
    const inner = path.slice(depth + 1).reduceRight<JsonValue>((rest, key) => ({ [key]: rest }), value)
    return insert(plain, node, `${JSON.stringify(path[depth])}: `, inner)
  })

/** Makes the array if it is missing. */
export const appendValue = (text: string, path: readonly string[], value: JsonValue): string =>
  edited(text, (plain, root) => {
    const { node, depth } = reach(root, path)
    return depth < path.length ? setValue(plain, path, [value]) : insert(plain, node, '', value)
  })

/** Removes the value at a path. If an index is given, removes only that item of the array at the path. */
export const removeValue = (text: string, path: readonly string[], index?: number): string =>
  edited(text, (plain, root) => {
    const parent = reach(root, index === undefined ? path.slice(0, -1) : path).node
    const children = parent.children ?? []
    const at = index ?? children.findIndex(({ children: parts }) => parts?.[0]?.value === path.at(-1))
    return at < 0 || at >= children.length ? plain : cutChild(plain, parent, at)
  })

const edited = (text: string, edit: (plain: string, root: Node) => string): string =>
  keepingMark(text, (plain) => {
    const source = plain.trim() === '' ? `{}${styleOf(plain).eol}` : plain
    const parsed = parseJson(source)
    return parsed.ok ? edit(source, parsed.root) : plain
  })

const endOf = ({ offset, length }: Node): number => offset + length

const insert = (text: string, parent: Node, key: string, value: JsonValue): string => {
  const style = styleOf(text)
  const { eol } = style
  const close = endOf(parent) - 1
  const children = parent.children ?? []
  const last = children.at(-1)
  if (last && !text.slice(parent.offset, close).includes('\n')) {
    const comma = commaIn(text, endOf(last), close)
    const content = key + JSON.stringify(value)
    if (comma !== undefined) return splice(text, comma + 1, comma + 1, ` ${content},`)
    return splice(text, endOf(last), endOf(last), `, ${content}`)
  }
  const outer = indentAt(text, parent.offset)
  const indent = last && startsLine(text, last.offset) ? indentAt(text, last.offset) : outer + style.unit
  const content =
    key + withEol(JSON.stringify(value, null, style.unit).replaceAll('\n', `\n${indent}`), style)
  const end = text.slice(0, close).trimEnd().length
  if (!last) return splice(text, end, close, `${eol}${indent}${content}${eol}${outer}`)
  const comma = commaIn(text, endOf(last), close)
  const added = splice(text, end, end, `${eol}${indent}${content}${comma === undefined ? '' : ','}`)
  return comma === undefined ? splice(added, endOf(last), endOf(last), ',') : added
}

const cutChild = (text: string, parent: Node, at: number): string => {
  const children = parent.children!
  const child = children[at]!
  const before = at > 0 ? endOf(children[at - 1]!) : parent.offset + 1
  const after = children[at + 1]?.offset ?? endOf(parent) - 1
  const start = before + text.slice(before, child.offset).trimEnd().length
  const comma = commaIn(text, endOf(child), after)
  if (children.length === 1 && isBlank(text, before, child.offset) && isBlank(text, endOf(child), after))
    return splice(text, parent.offset + 1, endOf(parent) - 1, '')
  if (comma !== undefined) return splice(text, start, comma + 1, '')
  const cut = splice(text, start, endOf(child), '')
  const earlier = at > 0 ? commaIn(text, before, child.offset) : undefined
  return earlier === undefined ? cut : splice(cut, earlier, earlier + 1, '')
}

const splice = (text: string, from: number, to: number, by: string): string =>
  text.slice(0, from) + by + text.slice(to)

const isBlank = (text: string, from: number, to: number): boolean =>
  text.slice(from, to).replace(',', '').trim() === ''

const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))![0]

const startsLine = (text: string, offset: number): boolean =>
  text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === ''

const commaIn = (text: string, from: number, to: number): number | undefined => {
  for (let at = from; at < to; at++) {
    if (text[at] === ',') return at
    if (text.startsWith('//', at)) at = lineEnd(text, at)
    else if (text.startsWith('/*', at)) at = text.indexOf('*/', at) + 1
  }
  return undefined
}

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}
