import { slugOf } from '../kernel/slug.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import { fieldValues, singleFields } from '../tasks/field-table.ts'
import * as criteria from '../tasks/sql/criteria.ts'
import * as lists from '../tasks/sql/lists.ts'
import { criterionText, isSetting, type Settings, settingsText, titleText } from './outline-line.ts'
import { isLabel } from './outline-marks.ts'
import * as sql from './sql.ts'

interface Written {
  row: TaskRow
  key: string
  isKeyShown: boolean
  settings: Settings
  criteria: readonly criteria.Criterion[]
  children: Written[]
}

/** Settings are written on their own line if title and settings together have this many characters or more. */
const longestLine = 120

/**
 * Writes all tasks that are not cancelled as an outline for `readOutline`. If `root` is given, writes only its tree.
 */
export const writeOutline = async (db: Db, root?: string): Promise<{ text: string; tasks: number }> => {
  const rows = await sql.outlined(db, root)
  const tops = await arranged(db, rows)
  const lines: string[] = []
  // Tasks without an epic come first, because below the heading of an epic they would belong to that epic.
  for (const top of tops) if (top.row.type !== 'epic') writeItem(top, 0, lines)
  for (const top of tops) {
    if (top.row.type !== 'epic') continue
    if (lines.length > 0) lines.push('')
    lines.push(`# ${titleLine(top)}`, ...ownLines(top, '', settingsText(top.settings)))
    if (top.children.length > 0) lines.push('')
    for (const child of top.children) writeItem(child, 0, lines)
  }
  return { text: lines.length > 0 ? `${lines.join('\n')}\n` : '', tasks: rows.length }
}

const arranged = async (db: Db, rows: readonly TaskRow[]): Promise<Written[]> => {
  const ids = rows.map(({ id }) => id)
  const [depends, labels, files] = [
    await lists.readMany(db, 'depends', ids),
    await lists.readMany(db, 'labels', ids),
    await lists.readMany(db, 'files', ids),
  ]
  const accepted = await criteria.readMany(db, ids)
  const byId = new Map<string, Written>()
  const used = new Set<string>()
  /**
   * Returns whether this task can be written with its key, and marks the key as used. A key must be unique in the
   * tree of its root. The key of a root must also be unique among all roots. A key that looks like an id is never
   * free.
   */
  const isFree = ({ parent, root }: TaskRow, key: string): boolean => {
    const places = [root, ...(parent === null ? [''] : [])].map((scope) => `${scope}\n${key.toLowerCase()}`)
    const isUsed = /^t\d{3,}$/i.test(key) || places.some((place) => used.has(place))
    for (const place of places) used.add(place)
    return !isUsed
  }
  for (const row of rows) {
    const key = row.key !== null && isFree(row, row.key) ? row.key : row.id
    byId.set(row.id, {
      row,
      key,
      isKeyShown: true,
      settings: settingsOf(row, labels.get(row.id), files.get(row.id)),
      criteria: (accepted.get(row.id) ?? []).filter(({ source }) => source === 'given'),
      children: [],
    })
  }
  const tops: Written[] = []
  for (const written of byId.values()) {
    const above = written.row.parent === null ? undefined : byId.get(written.row.parent)
    if (above) above.children.push(written)
    else if (written.row.parent === null) tops.push(written)
    const needs = depends.get(written.row.id) ?? []
    // Name a dependency by its key only within the same epic, because a key finds no task of another epic. An id
    // always finds its task.
    const names = needs.map((id) => {
      const need = byId.get(id)
      return need && need.row.root === written.row.root && isCertain(need) ? need.key : id
    })
    if (names.length > 0) written.settings = { depends: names, ...written.settings }
  }
  for (const written of byId.values()) {
    const above = written.row.parent === null ? undefined : byId.get(written.row.parent)
    written.isKeyShown = written.key !== impliedKey(written, above)
    const { type } = written.row
    if (above && type !== impliedType(written, above))
      written.settings = { ...written.settings, type: [type] }
  }
  return tops
}

/**
 * True if a reference by key certainly finds this task. The key of a root is not certain, because a task below the
 * root may have the same key. The key `none` is not certain, because `after: none` means no dependencies.
 */
const isCertain = ({ row, key }: Written): boolean => row.parent !== null && key !== 'none'

/** Returns the key that `readOutline` would give an item that has no key. */
const impliedKey = ({ row }: Written, above: Written | undefined): string => {
  const own = slugOf(row.title)
  return above && above.row.parent !== null ? `${above.key}/${own}` : own
}

const impliedType = ({ children }: Written, above: Written): TaskRow['type'] =>
  above.row.type === 'epic' || children.length > 0 ? 'task' : 'subtask'

const settingsOf = (row: TaskRow, labels: string[] = [], files: string[] = []): Settings => {
  const values = fieldValues(row)
  const own = singleFields.flatMap(({ as, initial }): [string, string[]][] => {
    const value = values[as] as string | undefined
    const isUsual = value === undefined || value === '' || value === initial
    return isUsual || as === 'type' || !isSetting(as) ? [] : [[as, [value]]]
  })
  return {
    ...Object.fromEntries(own),
    ...(labels.length > 0 && { labels }),
    ...(files.length > 0 && { files }),
  }
}

const titleLine = ({ row, key, isKeyShown }: Written): string =>
  `${titleText(row.title)}${isKeyShown ? ` {#${key}}` : ''}`

const writeItem = (written: Written, depth: number, lines: string[]): void => {
  const indent = '  '.repeat(depth)
  // An indented check box would be read as a criterion. So a done task gets a ticked box only at the left margin.
  const box = written.row.status === 'done' && depth === 0 ? '[x] ' : ''
  const settings = settingsText(written.settings)
  const title = `${indent}- ${box}${titleLine(written)}`
  const isShort = settings !== '' && title.length + settings.length < longestLine
  lines.push(isShort ? `${title} ${settings}` : title)
  lines.push(...ownLines(written, `${indent}  `, isShort ? '' : settings))
  for (const child of written.children) writeItem(child, depth + 1, lines)
}

const ownLines = ({ row, criteria }: Written, indent: string, settings: string): string[] => {
  const text = row.description === '' ? [] : row.description.split('\n')
  const isPlain = text.every(isPlainLine) && text[0] !== '' && text.at(-1) !== ''
  // Below a heading, text begins at the left margin, but criteria are indented, because without the indent they would
  // be read as tasks.
  const column = indent === '' ? '  ' : indent
  return [
    ...(settings === '' ? [] : [indent + settings]),
    ...text.map((line) =>
      isPlain ? (line === '' ? '' : indent + line) : `${indent}>${line === '' ? '' : ` ${line}`}`,
    ),
    ...criteria.map(
      ({ text, state }) => `${column}- [${state === 'met' ? 'x' : ' '}] ${criterionText(text)}`,
    ),
  ]
}

/**
 * Whether a line of a description is read back as text. If one line would be read as something else, the whole
 * description is written as a quote.
 */
const isPlainLine = (line: string): boolean =>
  line === '' ||
  (/^[\p{L}\d"'`]/u.test(line) && !/^(?:\d{1,9}[.)](?:\s|$)|```|.*\s$)/.test(line) && !isLabel(line))
