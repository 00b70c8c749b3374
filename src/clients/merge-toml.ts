import { parse } from 'smol-toml'
import { hasBlock, mergeBlock, removeBlock, tomlMarks } from './merge-block.ts'
import { inAnyClone, isSame, type MergeResult, type Written } from './merged.ts'
import type { Part, TomlItems } from './part.ts'
import { styleOf, withoutMark } from './text-style.ts'

type TomlPart = Extract<Part, { kind: 'toml' }>
type Table = Record<string, unknown>
export type TomlWritten = Extract<Written, { kind: 'toml' | 'items' }>

/**
 * Adds a table, and adds strings to arrays of the user's tables. TOML libraries lose comments when they print a
 * file. So CLEO puts the table between two marks at the end of the file, and edits the arrays as text. Then it
 * parses the result, to check that nothing else changed.
 */
export const mergeToml = (
  part: TomlPart,
  current: string | undefined,
  recorded: readonly TomlWritten[],
): MergeResult => {
  const start = withoutOutdated(part, current ?? '', recorded)
  const before = parsed(removeBlock(start, tomlMarks).text)
  if (!before) return { ok: false, why: whyNoToml(start) }
  const kept: string[] = []
  const written: Written[] = []
  const own: string[] = []
  if (at(before, part.table) === undefined) own.push(`[${part.table}]\n${part.text.trim()}`)
  else kept.push(part.table)
  let text = start
  for (const array of part.arrays) {
    const { table, key } = array
    const there = at(before, table)
    if (there === undefined) {
      own.push(`[${table}]\n${key} = ${list(array.items)}`)
      continue
    }
    const old = isTable(there) && Array.isArray(there[key]) ? there[key] : undefined
    if (old?.some((item) => typeof item !== 'string'))
      return { ok: false, why: `has an item in ${table}.${key} that is not a string` }
    const added = array.items.filter((item) => !old?.includes(item))
    if (added.length > 0) text = withItems(text, { ...array, items: added })
    const known = recorded.find((each) => each.kind === 'items' && each.table === table && each.key === key)
    const earlier = known?.kind === 'items' ? known : undefined
    const items = array.items.filter((item) => added.includes(item) || earlier?.items.includes(item))
    const wasThere = earlier ? earlier.found : old !== undefined
    if (items.length > 0) written.push({ kind: 'items', table, key, items, ...(wasThere && { found: true }) })
  }
  if (own.length > 0) {
    const block = mergeBlock(own.join('\n\n'), text === '' ? undefined : text, tomlMarks, 'toml', recorded)
    if (!block.ok) return block
    text = block.text
    written.push(...block.written)
  } else text = removeBlock(text, tomlMarks).text
  return isAsExpected(before, part, text, kept)
    ? { ok: true, text, written, kept }
    : { ok: false, why: `has ${part.arrays[0]?.table ?? part.table} in a form that cannot be extended` }
}

const withoutOutdated = ({ arrays }: TomlPart, text: string, recorded: readonly TomlWritten[]): string => {
  const wanted = (table: string, key: string, item: string) =>
    arrays.some((array) => array.table === table && array.key === key && array.items.includes(item))
  return removeToml(
    text,
    recorded.flatMap((old): TomlWritten[] => {
      if (old.kind !== 'items') return []
      return [{ ...old, items: old.items.filter((item) => !wanted(old.table, old.key, item)) }]
    }),
  ).text
}

const parsed = (text: string): Table | undefined => {
  try {
    return parse(withoutMark(text))
  } catch {
    return undefined
  }
}

const whyNoToml = (text: string): string => {
  try {
    parse(withoutMark(text))
    return 'is not TOML'
  } catch (error) {
    const { line, column } = error as { line?: number; column?: number }
    return `is not TOML${line === undefined ? '' : `: see ${line}:${column}`}`
  }
}

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const at = (root: Table, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (isTable(value) ? value[key] : undefined), root)

const isAsExpected = (before: Table, part: TomlPart, text: string, kept: readonly string[]): boolean => {
  const after = parsed(text)
  if (!after) return false
  const expected = structuredClone(before)
  if (!kept.includes(part.table)) put(expected, part.table, parsed(part.text)!)
  for (const { table, key, items } of part.arrays) {
    const there = at(expected, table)
    if (there === undefined) put(expected, table, { [key]: [...items] })
    else if (isTable(there) && (there[key] === undefined || Array.isArray(there[key])))
      there[key] = [...new Set([...((there[key] as unknown[]) ?? []), ...items])]
    else return false
  }
  return isSame(expected, after)
}

const put = (root: Table, path: string, value: Table): void => {
  const keys = path.split('.')
  let node = root
  for (const key of keys.slice(0, -1)) {
    node[key] ??= {}
    node = node[key] as Table
  }
  node[keys.at(-1)!] = value
}

const list = (items: readonly string[]): string => `[${items.map((item) => JSON.stringify(item)).join(', ')}]`

const withItems = (text: string, { table, key, items }: TomlItems): string => {
  const region = regionOf(text, table)
  if (!region) return text
  const array = arrayIn(text, region, key)
  if (!array) {
    const { eol } = styleOf(text)
    const line = `${key} = ${list(items)}${eol}`
    return text.slice(0, region.from) + line + text.slice(region.from)
  }
  const inner = text.slice(array.from, array.to)
  const last = inner.replace(/#[^\n]*$/gm, (comment) => ' '.repeat(comment.length)).trimEnd()
  const comma = last === '' || last.endsWith(',') ? '' : ','
  const end = array.from + last.length
  const added = `${comma}${last === '' ? '' : ' '}${list(items).slice(1, -1)}${last.endsWith(',') ? ',' : ''}`
  return text.slice(0, end) + added + text.slice(end)
}

/** The region of a table starts in the line after its header and ends before the next header. */
const regionOf = (text: string, table: string): { from: number; to: number } | undefined => {
  const header = new RegExp(
    `^[ \\t]*\\[[ \\t]*${table.replaceAll('.', '\\.')}[ \\t]*\\][^\\n]*(?:\\n|$)`,
    'm',
  ).exec(text)
  if (!header) return undefined
  const from = header.index + header[0].length
  const next = /^[ \t]*\[/m.exec(text.slice(from))
  return { from, to: next ? from + next.index : text.length }
}

const arrayIn = (text: string, region: { from: number; to: number }, key: string) => {
  const found = new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*\\[`, 'm').exec(text.slice(region.from, region.to))
  if (!found) return undefined
  const from = region.from + found.index + found[0].length
  for (let to = from; to < text.length; to++) {
    const char = text[to]!
    if (char === ']') return { from, to }
    if (char === '#') to = text.indexOf('\n', to) < 0 ? text.length : text.indexOf('\n', to)
    else if (char === '"' || char === "'") to = stringEnd(text, to, char)
  }
  return undefined
}

const stringEnd = (text: string, from: number, quote: string): number => {
  let end = from + 1
  while (end < text.length && text[end] !== quote) end += quote === '"' && text[end] === '\\' ? 2 : 1
  return end
}

/** Finds CLEO's entries in a file when there is no record of the set-up. */
export const findToml = ({ arrays }: TomlPart, text: string): TomlWritten[] => {
  const entries: TomlWritten[] = hasBlock(text, tomlMarks) ? [{ kind: 'toml' }] : []
  const own = parsed(removeBlock(text, tomlMarks).text)
  for (const { table, key, items } of own ? arrays : []) {
    const there = at(own!, table)
    const all: unknown = isTable(there) ? there[key] : undefined
    const wanted = items.map(inAnyClone)
    const found = Array.isArray(all) ? all.filter((item) => wanted.includes(inAnyClone(item))) : []
    if (found.length > 0) entries.push({ kind: 'items', table, key, items: found })
  }
  return entries
}

export const removeToml = (
  current: string,
  entries: readonly TomlWritten[],
): { text: string; kept: string[] } => {
  const own = entries.find((each) => each.kind === 'toml')
  const { text: start, kept } = own ? removeBlock(current, tomlMarks, own.ended) : { text: current, kept: [] }
  let text = start
  for (const entry of entries) if (entry.kind === 'items') text = withoutItems(text, entry)
  return { text, kept }
}

const withoutItems = (
  text: string,
  { table, key, items, found: wasThere }: TomlItems & { found?: true },
): string => {
  const region = regionOf(text, table)
  const array = region && arrayIn(text, region, key)
  if (!region || !array) return text
  let inner = text.slice(array.from, array.to)
  for (const item of items) {
    const literal = JSON.stringify(item)
    const found = inner.indexOf(literal)
    if (found < 0) continue
    const before = inner.slice(0, found)
    const after = inner.slice(found + literal.length)
    // Also remove the comma before the string. If there is no comma before it, remove the one after it.
    inner = /,[ \t]*$/.test(before)
      ? before.replace(/,[ \t]*$/, '') + after
      : before + after.replace(/^[ \t]*,[ \t]*/, '')
  }
  if (wasThere || inner.trim() !== '') return text.slice(0, array.from) + inner + text.slice(array.to)
  const lineStart = text.lastIndexOf('\n', array.from) + 1
  const lineEnd = text.indexOf('\n', array.to)
  const line = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd + 1)
  const own = new RegExp(`^${key} = \\[[^\\]]*\\]\\r?\\n?$`).test(line)
  return own
    ? text.slice(0, lineStart) + text.slice(lineStart + line.length)
    : text.slice(0, array.from) + inner + text.slice(array.to)
}
