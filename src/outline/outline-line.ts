import { nearest } from '../kernel/nearest.ts'
import type { editableFields } from '../tasks/editable-fields.ts'
import { listFields, singleFields } from '../tasks/field-table.ts'

/** The fields that a line can have in parentheses. The other fields have their own place in an outline. */
export type Setting = Exclude<keyof typeof editableFields, 'title' | 'parent' | 'description' | 'acceptance'>
export type Settings = Partial<Record<Setting, string[]>>
export const isSetting = (name: string): name is Setting => name !== 'title' && name !== 'parent'

const names: Readonly<Record<string, Setting>> = {
  after: 'depends',
  'depends on': 'depends',
  needs: 'depends',
  'blocked by': 'depends',
  label: 'labels',
  tags: 'labels',
  file: 'files',
  ...Object.fromEntries(
    [...singleFields.map(({ as }) => as), ...listFields].filter(isSetting).map((name) => [name, name]),
  ),
}

export interface TitleParts {
  title: string
  key?: string
  settings: Settings
  /** Why CLEO may have misunderstood the line. */
  doubts: string[]
}

const groupStart = /\(([a-z][a-z ]{0,15}):/gi
const keyMark = /(?:^|\s)\{#([^\s{}]+)\}$/

/** Splits `{#key}` and `(after: key; size: small)` off the end of a title. */
export const readTitle = (text: string): TitleParts => {
  const parts: TitleParts = { title: '', settings: {}, doubts: [] }
  let rest = text.trim()
  let kept = ''
  for (;;) {
    const key = parts.key === undefined ? keyMark.exec(rest) : null
    if (key) {
      parts.key = key[1]!
      rest = rest.slice(0, key.index).trimEnd()
      continue
    }
    const start = isUnescaped(rest, rest.length - 1, ')') ? lastGroup(rest) : -1
    if (start < 0) break
    const group = readSettings(rest.slice(start + 1, -1))
    if (group.unknown.length > 0) {
      parts.doubts.push(...group.unknown.map((word) => unknownWord(word)))
      kept = ` ${rest.slice(start)}${kept}`
    }
    for (const [name, values] of Object.entries(group.unknown.length > 0 ? {} : group.settings))
      parts.settings[name as Setting] = [...values, ...(parts.settings[name as Setting] ?? [])]
    rest = rest.slice(0, start).trimEnd()
  }
  parts.title = unescaped((rest + kept).trim())
  return parts
}

/** If the line contains only settings, returns them; otherwise undefined. */
export const settingsLine = (text: string): Settings | undefined => {
  if (!text.startsWith('(') || !isUnescaped(text, text.length - 1, ')')) return undefined
  const { title, key, settings, doubts } = readTitle(text)
  return title === '' && key === undefined && doubts.length === 0 ? settings : undefined
}

const lastGroup = (text: string): number => {
  let at = -1
  for (const { index, 1: word } of text.matchAll(groupStart)) {
    const isSetting = names[word!.trim().toLowerCase()] !== undefined
    // A misspelled name of a setting also begins a group, so that the misspelling is reported. Other text in
    // parentheses belongs to the title.
    if (isUnescaped(text, index, '(') && (isSetting || nearly(word!))) at = index
  }
  return at
}

const nearly = (word: string): string | undefined => nearest(word.trim().toLowerCase(), Object.keys(names))

const unknownWord = (word: string): string =>
  `"${word}" is not a field and stays in the title; did you mean "${nearly(word)}"?`

const readSettings = (text: string): { settings: Settings; unknown: string[] } => {
  const settings: Settings = {}
  const unknown: string[] = []
  for (const part of splitAt(text, ';')) {
    const at = part.indexOf(':')
    const word = part.slice(0, Math.max(at, 0)).trim()
    const name = names[word.toLowerCase()]
    if (!name) {
      unknown.push(word || part.trim())
      continue
    }
    const values = splitAt(part.slice(at + 1), ',').map((value) => unescaped(value.trim()))
    settings[name] = [...(settings[name] ?? []), ...values.filter((value) => value !== '')]
  }
  return { settings, unknown }
}

const isUnescaped = (text: string, at: number, char: string): boolean => {
  if (text[at] !== char) return false
  let slashes = 0
  while (text[at - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 0
}

const splitAt = (text: string, mark: string): string[] => {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++)
    if (isUnescaped(text, at, mark)) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  return [...parts, text.slice(start)]
}

const escapes = /\\([!-/:-@[-`{-~])|&#10;/g

/** Resolves backslash escapes as Markdown does. Turns the entity `&#10;` into a line break. */
export const unescaped = (text: string): string =>
  text.replaceAll(escapes, (_, char: string | undefined) => char ?? '\n')

const escapesIn = (text: string): string =>
  text
    .replaceAll(/\\(?=[!-/:-@[-`{-~\n]|$)/g, '\\\\')
    .replaceAll(/&(?=#10;)/g, '\\&')
    .replaceAll('\n', '&#10;')

/** Writes a title so that `readTitle` returns it unchanged. */
export const titleText = (title: string): string =>
  escapesIn(title)
    .replace(/^[-*_[(]/, '\\$&')
    .replace(/[)}#]$/, '\\$&')

/** Parentheses need no escapes, because a criterion has no settings. */
export const criterionText = (text: string): string => escapesIn(text)

const valueText = (value: string): string => escapesIn(value).replaceAll(/[,;)]/g, '\\$&')

export const settingsText = (settings: Readonly<Settings>): string => {
  const parts = Object.entries(settings).flatMap(([name, values]) =>
    values.length === 0
      ? []
      : [`${name === 'depends' ? 'after' : name}: ${values.map(valueText).join(', ')}`],
  )
  return parts.length === 0 ? '' : `(${parts.join('; ')})`
}
