import { parseEntryId } from '../kernel/entry-id.ts'
import type { Problem } from '../kernel/result.ts'
import { parseTaskId } from '../kernel/task-id.ts'
import type { WrittenFields } from './parse-object.ts'

const maxItems = 50

/**
 * The fields to read, and the problems found so far. For a wrong field, the `read…` functions below add a problem and
 * do not throw. For a field of the wrong type, they also return an empty value.
 */
export interface FieldReader {
  given: WrittenFields
  /** Printed before a field's name in problems and warnings: empty, or `blocker.` for the fields of a blocker. */
  prefix: string
  /** If true, small mistakes are corrected with a warning instead of reported as problems. */
  lenient: boolean
  problems: Problem[]
  warnings: string[]
}

export const addProblem = ({ prefix, problems }: FieldReader, key: string, message: string): void => {
  problems.push({ path: prefix + key, message })
}

export const addWarning = ({ prefix, warnings }: FieldReader, key: string, message: string): void => {
  warnings.push(`${prefix}${key} ${message}`)
}

export const readText = (reading: FieldReader, key: string, limit: number, fallback?: string): string => {
  const value = reading.given[key] ?? undefined
  if (value === undefined && fallback !== undefined) {
    if (reading.lenient) addWarning(reading, key, `is missing; using ${JSON.stringify(fallback)}`)
    return fallback
  }
  const wrong = wrongWith(value, limit)
  if (wrong) addProblem(reading, key, wrong)
  return wrong ? '' : (value as string).trim()
}

/** In a manifest line, an invalid value is not a problem: it is left out with a warning. */
export const readOptionalText = (reading: FieldReader, key: string, limit: number): string | undefined => {
  const value = reading.given[key]
  if (value == null || value === '') return undefined
  const wrong = wrongWith(value, limit)
  if (wrong && reading.lenient) addWarning(reading, key, `${wrong}; left out`)
  if (wrong && !reading.lenient) addProblem(reading, key, wrong)
  return wrong ? undefined : (value as string).trim()
}

export const readLine = (reading: FieldReader, key: string, limit: number, fallback?: string): string => {
  const value = readText(reading, key, limit, fallback)
  if (value.includes('\n')) addProblem(reading, key, 'must be one line')
  return value
}

/** Refuses control characters, because agents write no files with such names. */
export const readPath = (reading: FieldReader, key: string, limit: number, fallback?: string): string => {
  const value = readText(reading, key, limit, fallback)
  if (/[\u0000-\u001f\u007f]/.test(value)) addProblem(reading, key, 'must not contain control characters')
  return value
}

export const readWord = (reading: FieldReader, key: string, fallback: string): string => {
  const found = readLine(reading, key, 64, fallback).toLowerCase()
  if (found !== '' && !isWord(found)) addProblem(reading, key, 'must be a word such as research')
  return found
}

export const readDay = (reading: FieldReader, key: string, fallback: string): string => {
  const value = readText(reading, key, 64, fallback)
  const found = reading.lenient ? value.slice(0, 10) : value
  if (value !== '' && !isDay(found)) addProblem(reading, key, 'must be a date such as 2026-01-31')
  return found
}

export const readOneOf = <T extends string>(
  reading: FieldReader,
  key: string,
  words: readonly T[],
): T | undefined => {
  const value = reading.given[key]
  const known = words.find((word) => word === value)
  const expected = `must be one of ${words.join(', ')}`
  if (!known)
    addProblem(
      reading,
      key,
      value == null ? `is missing: it ${expected}` : `${expected}, not ${shown(value)}`,
    )
  return known
}

export const readTexts = (reading: FieldReader, key: string, limit: number): string[] => {
  const value = reading.given[key] ?? []
  if (typeof value === 'string' && reading.lenient) {
    addWarning(reading, key, 'is text; treated as a list with one item')
    return value.trim() === '' ? [] : [value.trim()]
  }
  if (!Array.isArray(value)) {
    addProblem(reading, key, 'must be a list of strings')
    return []
  }
  if (value.length > maxItems)
    addProblem(reading, key, `must have at most ${maxItems} items, not ${value.length}`)
  return value.slice(0, maxItems).flatMap((item, i) => {
    const wrong = wrongWith(item, limit)
    if (wrong) addProblem(reading, `${key}.${i}`, wrong)
    return wrong ? [] : [(item as string).trim()]
  })
}

export const readTaskIds = (reading: FieldReader, key: string): string[] => [
  ...new Set(
    readTexts(reading, key, 20).flatMap((item, i) => {
      const id = parseTaskId(item)
      if (!id) addProblem(reading, `${key}.${i}`, `${shown(item)} is not a task id; ids look like T012`)
      return id ? [id] : []
    }),
  ),
]

/** A missing id is allowed, an invalid one is a problem. Returns undefined in both cases. */
export const readEntryId = (reading: FieldReader, key: string, fallback?: string): string | undefined => {
  const value = reading.given[key] ?? fallback
  if (value === undefined) return undefined
  const id = typeof value === 'string' ? parseEntryId(value.trim())?.id : undefined
  if (!id)
    addProblem(reading, key, `must be the id of an entry such as T012-sign-up-form, not ${shown(value)}`)
  return id
}

export const readBoolean = (reading: FieldReader, key: string, fallback: boolean): boolean => {
  const value = reading.given[key] ?? fallback
  if (typeof value !== 'boolean') addProblem(reading, key, 'must be true or false')
  return value === true
}

/** Ignores case, and accepts dashes or underscores in place of spaces. */
export const readCategory = (reading: FieldReader, key: string, words: readonly string[]): string => {
  const value = reading.given[key]
  const written = typeof value === 'string' ? value.trim().toLowerCase().replaceAll(/[-_]/g, ' ') : ''
  if (words.includes(written)) return written
  if (!reading.lenient) addProblem(reading, key, `must be one of ${words.join(', ')} (--blocker)`)
  else if (written !== 'unspecified')
    addWarning(reading, key, `is not one of ${words.join(', ')}; treated as unspecified`)
  return 'unspecified'
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 60)

const wrongWith = (value: unknown, limit: number): string | undefined => {
  if (value === undefined) return 'is missing'
  if (typeof value !== 'string') return `must be text, not ${shown(value)}`
  if (value.trim() === '') return 'is empty'
  if (!value.isWellFormed()) return 'is not valid Unicode'
  return value.length > limit ? `is limited to ${limit} characters` : undefined
}

const isWord = (text: string): boolean => {
  for (const char of text)
    if (!((char >= 'a' && char <= 'z') || (char >= '0' && char <= '9') || char === '-')) return false
  return true
}

const isDay = (text: string): boolean => {
  const [year = '', month = '', day = '', ...more] = text.split('-')
  if (more.length > 0 || year.length !== 4 || month.length !== 2 || day.length !== 2) return false
  const [y, m, d] = [Number(year), Number(month), Number(day)]
  const isLeap = (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0
  const most = m === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(m) ? 30 : 31
  return y >= 1 && m >= 1 && m <= 12 && d >= 1 && d <= most
}
