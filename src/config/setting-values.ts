import { innermostSchema } from '../kernel/innermost-schema.ts'
import { isObject } from '../kernel/json-object.ts'
import { shellWords } from '../kernel/shell-words.ts'
import { shellQuote } from '../print/shell-quote.ts'
import type { RawConfig } from '../project/config-file.ts'
import { hasPassword, shownAddress } from '../store/postgres/address.ts'
import type { Setting } from './setting-keys.ts'

export type ReadValue = { ok: true; value: unknown } | { ok: false; message: string; fix?: string }

/**
 * Parses what a person typed for a setting: text, a number, `on`, a list with commas, a command line, or JSON. `null`
 * gives undefined, which removes the setting. The schema checks the value afterwards.
 */
export const readValue = (setting: Setting, text: string): ReadValue => {
  if (text.trim() === 'null') return value(undefined)
  switch (kindOf(setting)) {
    case 'number':
      return value(asNumber(text))
    case 'boolean':
      return value(asBoolean(text) ?? text)
    case 'list':
      return isJson(text) ? fromJson(text) : value(asList(text))
    case 'boolean or list':
      return isJson(text) ? fromJson(text) : value(asBoolean(text) ?? asList(text))
    case 'command':
      return isJson(text) ? fromJson(text) : fromCommand(setting, text, () => text.trim())
    case 'commands':
      return isJson(text)
        ? fromJson(text, text.trim()[0] === '{')
        : fromCommand(setting, text, (words) => [words])
    case 'bytes':
      return value(asNumber(text))
    case 'group':
      return text.trim()[0] === '{' ? fromJson(text) : { ok: false, message: 'must be a JSON object' }
    default:
      return value(text)
  }
}

type Kind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'list'
  | 'boolean or list'
  | 'command'
  | 'commands'
  | 'bytes'
  | 'group'

const kindOf = ({ schema, isGroup }: Setting): Kind => {
  const inner = innermostSchema(schema)
  if (isGroup) return 'group'
  if (inner.type === 'number' || inner.type === 'boolean') return inner.type
  if (inner.type === 'array') return innermostSchema(inner.item!).type === 'union' ? 'commands' : 'list'
  if (inner.type !== 'union') return 'text'
  const types = (inner.options as { type: string }[]).map(({ type }) => type)
  if (types.includes('number')) return 'bytes'
  return types.includes('boolean') ? 'boolean or list' : 'command'
}

const value = (given: unknown): ReadValue => ({ ok: true, value: given })

const asNumber = (text: string): unknown =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text

const asBoolean = (text: string): boolean | undefined => {
  const word = text.trim().toLowerCase()
  if (word === 'true' || word === 'on') return true
  return word === 'false' || word === 'off' ? false : undefined
}

const asList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const isJson = (text: string): boolean => ['[', '{'].includes(text.trim()[0] ?? '')

const fromJson = (text: string, inList = false): ReadValue => {
  try {
    const read: unknown = JSON.parse(text)
    return value(inList ? [read] : read)
  } catch {
    return { ok: false, message: 'is not valid JSON' }
  }
}

const fromCommand = (setting: Setting, text: string, stored: (words: string[]) => unknown): ReadValue => {
  const split = shellWords(text)
  if (split.ok) return value(stored(split.words))
  const words = ['sh', '-c', text.trim()]
  const typed = kindOf(setting) === 'commands' ? [words] : words
  return {
    ok: false,
    message: split.why,
    ...(split.needsShell && { fix: `cleo config set ${setting.key} ${shellQuote(JSON.stringify(typed))}` }),
  }
}

/** Returns the value as people type it, so that `set` accepts the output of `get`. */
export const typedValue = (setting: Setting, shown: unknown): string => {
  if (shown === undefined) return ''
  if (typeof shown !== 'object' || shown === null) return String(shown)
  if (!isTextList(shown)) return JSON.stringify(shown)
  if (kindOf(setting) === 'command') return shown.map(shellQuote).join(' ')
  if (kindOf(setting) === 'commands') return JSON.stringify(shown)
  return shown.some((item) => item.includes(',') || item.trim() !== item || item === '' || isJson(item))
    ? JSON.stringify(shown)
    : shown.join(',')
}

const isTextList = (given: object): given is string[] =>
  Array.isArray(given) && given.every((item) => typeof item === 'string')

/** Returns the value as it may be shown or logged. */
export const withoutSecret = ({ key }: Setting, given: unknown): unknown =>
  key === 'database' && typeof given === 'string' && hasPassword(given) ? shownAddress(given) : given

/** Only a value that starts like a PostgreSQL address can contain a password. */
export const isSafeToStore = (text: string): boolean =>
  !/^\s*postgres(ql)?:\/\//i.test(text) || !hasPassword(text.trim())

export const valueAt = (raw: RawConfig, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), raw)

/** If the value is undefined, removes the setting. Also removes every group that is empty after that. */
export const withValue = (raw: RawConfig, [name, ...rest]: readonly string[], given: unknown): RawConfig => {
  const below = valueAt(raw, [name!])
  const next = rest.length === 0 ? given : withValue(isObject(below) ? below : {}, rest, given)
  if (next !== undefined && !(isObject(next) && Object.keys(next).length === 0))
    return { ...raw, [name!]: next }
  const { [name!]: _, ...others } = raw
  return others
}
