import type { CommonOptions } from './args.ts'
import { jsonText } from './json-text.ts'

/** Returns one value for `--field path`, some fields for `--fields a,b`, or all data for `--raw`. */
export const selected = (data: unknown, { field, fields, quiet }: CommonOptions): string => {
  if (typeof field === 'string') {
    const value = field
      .split('.')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], data)
    if (value === undefined || value === null) return ''
    return `${typeof value === 'object' ? jsonText(value) : String(value)}\n`
  }
  if (typeof fields === 'string')
    return `${jsonText(
      keep(
        data,
        fields.split(',').map((name) => name.trim()),
      ),
    )}\n`
  return quiet ? '' : `${jsonText(data)}\n`
}

/**
 * Keeps the named fields of an object. If the object has none of them, looks for the fields in the items of the
 * object's lists.
 */
const keep = (data: unknown, names: string[]): unknown => {
  if (Array.isArray(data)) return data.map((item) => keep(item, names))
  if (typeof data !== 'object' || data === null) return data
  const entries = Object.entries(data)
  const own = entries.filter(([key]) => names.includes(key))
  const lists = entries.filter(([, value]) => Array.isArray(value))
  if (own.length > 0 || lists.length === 0) return Object.fromEntries(own)
  if (lists.length === 1) return keep(lists[0]![1], names)
  return Object.fromEntries(lists.map(([key, list]) => [key, keep(list, names)]))
}
