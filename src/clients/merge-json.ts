import type { Node } from 'jsonc-parser'
import { whyHooksInvalid } from './hook-rules.ts'
import {
  appendValue,
  article,
  jsonValue,
  parseJson,
  reach,
  removeValue,
  setValue,
  shown,
  whyUnusable,
} from './json-text.ts'
import { inAnyClone, isSame, type Merged, type MergeResult, type Written } from './merged.ts'
import type { JsonEntry, JsonValue, Part } from './part.ts'

type JsonPart = Extract<Part, { kind: 'json' }>
export type JsonWritten = Extract<Written, { kind: 'json' }>

/**
 * Adds CLEO's entries for one client to a JSON file of that client. `recorded` holds the entries that earlier
 * set-ups wrote into the file. `alone` holds the recorded entries that no other client uses. Entries of `alone`
 * that are not in `part` are removed, because the client no longer needs them.
 */
export const mergeJson = (
  part: JsonPart,
  current: string | undefined,
  recorded: readonly JsonWritten[],
  alone: readonly JsonWritten[],
): MergeResult => {
  const faults = faultsOf(part, current ?? '{}\n')
  if (faults.length > 0) return { ok: false, why: faults.join('; ') }
  const outdated = alone.filter((old) => !part.entries.some((entry) => isSameEntry(entry, old)))
  const start = removeJson(current ?? '{}\n', outdated).text
  const merged: Merged = { text: start, written: [], kept: [] }
  for (const entry of part.entries) addEntry(merged, entry, recorded)
  const expected = part.entries.every((entry) => isThere(merged.text, entry) || isKept(merged, entry))
  return expected && isOnlyAdded(start, merged)
    ? { ok: true, ...merged }
    : { ok: false, why: 'cannot be changed without also changing what CLEO did not write' }
}

const faultsOf = ({ entries, hooks }: JsonPart, text: string): string[] => {
  const parsed = parseJson(text)
  if (!parsed.ok) return [parsed.why]
  const faults = new Set<string>()
  for (const { at, value, item } of entries) {
    const why = whyUnusable(
      parsed.root,
      at,
      item ? 'array' : typeof value === 'object' ? 'object' : undefined,
    )
    const other = !why && item ? otherItem(parsed.root, at, typeof value) : undefined
    if (why ?? other) faults.add(why ?? other!)
  }
  const invalid = hooks && faults.size === 0 ? whyHooksInvalid(jsonValue(parsed.root)) : undefined
  return invalid ? [invalid] : [...faults]
}

/**
 * Returns why the list at a path is invalid: an item has another type than CLEO's items. One such item can make a
 * client ignore the whole file.
 */
const otherItem = (root: Node, at: readonly string[], wanted: string): string | undefined => {
  const { node, depth } = reach(root, at)
  const found = depth === at.length ? node.children?.find(({ type }) => type !== wanted) : undefined
  return (
    found &&
    `has ${article(found.type)} in the list ${shown(at)}, in which every item must be ${article(wanted)}`
  )
}

const addEntry = (merged: Merged, entry: JsonEntry, recorded: readonly JsonWritten[]): void => {
  const parsed = parseJson(merged.text)
  if (!parsed.ok) return
  const { at, value, item, own } = entry
  const { node, depth } = reach(parsed.root, at)
  const before = recorded.find((old) => isSameEntry(entry, old))
  const there = depth === at.length ? jsonValue(node) : undefined
  const record = (found: number) =>
    void merged.written.push({
      kind: 'json',
      at,
      value,
      ...(item && { item }),
      found: before?.found ?? found,
    })
  if (isIn(there, entry)) {
    if (before) record(depth)
  } else if (!item && there !== undefined) merged.kept.push(shown(at))
  else if (item && own && ownItem(there, own)) merged.kept.push(`a hook in ${shown(at)}`)
  else {
    merged.text = (item ? appendValue : setValue)(merged.text, at, value)
    record(depth)
  }
}

const isSameEntry = (a: JsonEntry, b: Pick<JsonWritten, 'at' | 'value' | 'item'>): boolean =>
  isSame(a.at, b.at) && a.item === b.item && isSame(a.value, b.value)

const isIn = (there: JsonValue | undefined, { value, item }: Pick<JsonEntry, 'value' | 'item'>): boolean =>
  item ? Array.isArray(there) && there.some((each) => isSame(each, value)) : isSame(there, value)

const ownItem = (there: JsonValue | undefined, own: string): boolean =>
  Array.isArray(there) && there.some((each) => JSON.stringify(each).includes(own))

const isThere = (text: string, entry: JsonEntry): boolean => {
  const parsed = parseJson(text)
  if (!parsed.ok) return false
  const { node, depth } = reach(parsed.root, entry.at)
  return depth === entry.at.length && isIn(jsonValue(node), entry)
}

const isKept = ({ kept }: Merged, { at }: JsonEntry): boolean => kept.some((each) => each.endsWith(shown(at)))

const isOnlyAdded = (before: string, { text, written }: Merged): boolean => {
  const [old, now] = [parseJson(before), parseJson(text)]
  if (!old.ok || !now.ok) return false
  const added = written.filter(
    ({ kind, ...entry }) => kind === 'json' && !isThere(before, entry as JsonEntry),
  )
  const back = parseJson(removeJson(text, added as JsonWritten[]).text)
  return back.ok && isSame(jsonValue(back.root), jsonValue(old.root))
}

/**
 * Finds CLEO's entries in a file when there is no record of the set-up. `isCertain` is true if at least one entry
 * must come from CLEO: CLEO's server or a hook. A single value, such as a version, is returned only if everything
 * else in the file comes from CLEO.
 */
export const findJson = (part: JsonPart, text: string): { entries: JsonWritten[]; isCertain: boolean } => {
  const parsed = parseJson(text)
  if (!parsed.ok) return { entries: [], isCertain: false }
  let isCertain = false
  const found = part.entries.flatMap((entry): JsonWritten[] => {
    const { node, depth } = reach(parsed.root, entry.at)
    if (depth < entry.at.length) return []
    const there = jsonValue(node)
    const all = entry.item && Array.isArray(there) ? there : [there]
    const own: JsonWritten = { kind: 'json', at: entry.at, value: entry.value, found: 0 }
    const value = all.find((each) => isSame(inAnyClone(each), inAnyClone(entry.value)))
    // Return the entry of CLEO's server even if the user changed it. Undo then names the entry and keeps it.
    if (value === undefined) return entry.item || typeof entry.value !== 'object' ? [] : [own]
    isCertain ||= entry.own !== undefined || entry.at.at(-1) === 'cleo'
    return [{ ...own, value, ...(entry.item && { item: true }) }]
  })
  const isSingle = ({ item, value }: JsonWritten) => !item && typeof value !== 'object'
  const entries = found.filter((entry) => !isSingle(entry))
  const left = removeJson(text, found).text
  return { entries: /^\uFEFF?\s*(?:\{\s*\}\s*)?$/.test(left) ? found : entries, isCertain }
}

/**
 * Removes recorded entries that are unchanged. Also removes objects and arrays that the set-up made, if they are empty
 * now.
 */
export const removeJson = (
  current: string,
  entries: readonly JsonWritten[],
): { text: string; kept: string[] } => {
  let text = current
  const kept: string[] = []
  for (const { at, value, item, found } of entries.toReversed()) {
    const parsed = parseJson(text)
    if (!parsed.ok) return { text: current, kept: ['all of it, because it is not JSON any more'] }
    const { node, depth } = reach(parsed.root, at)
    if (depth < at.length) continue
    const there = jsonValue(node)
    const index = item && Array.isArray(there) ? there.findIndex((each) => isSame(each, value)) : undefined
    if (index === undefined ? !isSame(there, value) : index < 0) {
      if (!item || JSON.stringify(there).includes('cleo hook')) kept.push(shown(at))
      continue
    }
    text = removeValue(text, at, index)
    for (let length = item ? at.length : at.length - 1; length > found; length--)
      text = removeIfEmpty(text, at.slice(0, length))
  }
  return { text, kept }
}

const removeIfEmpty = (text: string, path: readonly string[]): string => {
  const parsed = parseJson(text)
  if (!parsed.ok) return text
  const { node, depth } = reach(parsed.root, path)
  const isEmpty = depth === path.length && (node.children ?? []).length === 0 && node.length === 2
  return isEmpty ? removeValue(text, path) : text
}
