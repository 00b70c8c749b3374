import { parseEntryId } from '../kernel/entry-id.ts'
import type { Problem } from '../kernel/result.ts'
import { parseTaskId } from '../kernel/task-id.ts'
import type { Fields } from './pieces.ts'

const mostItems = 50

/** Fields to be read, and what was found to be wrong with them. Every reader answers something that fits. */
export interface Reading {
  given: Fields
  /** Where these fields stand: empty, or `blocker.`. */
  prefix: string
  /** What can be made good is made good, with a warning. */
  lenient: boolean
  problems: Problem[]
  warnings: string[]
}

export const problem = ({ prefix, problems }: Reading, key: string, message: string): void => {
  problems.push({ path: prefix + key, message })
}

const warning = ({ prefix, warnings }: Reading, key: string, message: string): void => {
  warnings.push(`${prefix}${key} ${message}`)
}

export const text = (reading: Reading, key: string, limit: number, instead?: string): string => {
  const value = reading.given[key] ?? undefined
  if (value === undefined && instead !== undefined) {
    if (reading.lenient) warning(reading, key, `was left out; taken as ${JSON.stringify(instead)}`)
    return instead
  }
  const wrong = wrongWith(value, limit)
  if (wrong) problem(reading, key, wrong)
  return wrong ? '' : (value as string).trim()
}

/** A text without line breaks. */
export const line = (reading: Reading, key: string, limit: number, instead?: string): string => {
  const found = text(reading, key, limit, instead)
  if (found.includes('\n')) problem(reading, key, 'is one line')
  return found
}

export const word = (reading: Reading, key: string, instead: string): string => {
  const found = line(reading, key, 64, instead).toLowerCase()
  if (found !== '' && !isWord(found)) problem(reading, key, 'is a word such as research')
  return found
}

export const day = (reading: Reading, key: string, instead: string): string => {
  const value = text(reading, key, 64, instead)
  const found = reading.lenient ? value.slice(0, 10) : value
  if (value !== '' && !isDay(found)) problem(reading, key, 'is a day such as 2026-01-31')
  return found
}

export const oneOf = <T extends string>(
  reading: Reading,
  key: string,
  words: readonly T[],
): T | undefined => {
  const value = reading.given[key]
  const known = words.find((word) => word === value)
  const rather = `is one of ${words.join(', ')}`
  if (!known)
    problem(reading, key, value == null ? `is missing: it ${rather}` : `${rather}, not ${shown(value)}`)
  return known
}

export const texts = (reading: Reading, key: string, limit: number): string[] => {
  const value = reading.given[key] ?? []
  if (typeof value === 'string' && reading.lenient) {
    warning(reading, key, 'is a text; taken as a list of one')
    return value.trim() === '' ? [] : [value.trim()]
  }
  if (!Array.isArray(value)) {
    problem(reading, key, 'is a list of texts')
    return []
  }
  if (value.length > mostItems) problem(reading, key, `has at most ${mostItems} items, not ${value.length}`)
  return value.slice(0, mostItems).flatMap((item, i) => {
    const wrong = wrongWith(item, limit)
    if (wrong) problem(reading, `${key}.${i}`, wrong)
    return wrong ? [] : [(item as string).trim()]
  })
}

export const taskIds = (reading: Reading, key: string): string[] => [
  ...new Set(
    texts(reading, key, 20).flatMap((item, i) => {
      const id = parseTaskId(item)
      if (!id) problem(reading, `${key}.${i}`, `${shown(item)} is not a task id; ids look like T012`)
      return id ? [id] : []
    }),
  ),
]

/** The id of an entry; undefined where there is none. */
export const entryId = (reading: Reading, key: string, instead?: string): string | undefined => {
  const value = reading.given[key] ?? instead
  if (value === undefined) return undefined
  const id = typeof value === 'string' ? parseEntryId(value.trim())?.id : undefined
  if (!id) problem(reading, key, `is the id of an entry such as T012-sign-up-form, not ${shown(value)}`)
  return id
}

export const truth = (reading: Reading, key: string, instead: boolean): boolean => {
  const value = reading.given[key] ?? instead
  if (typeof value !== 'boolean') problem(reading, key, 'is true or false')
  return value === true
}

/** One of some words, also where it is written with dashes or capitals. */
export const category = (reading: Reading, key: string, words: readonly string[]): string => {
  const value = reading.given[key]
  const said = typeof value === 'string' ? value.trim().toLowerCase().replaceAll(/[-_]/g, ' ') : ''
  if (words.includes(said)) return said
  if (!reading.lenient) problem(reading, key, `is one of ${words.join(', ')} (--blocker)`)
  else if (said !== 'unspecified')
    warning(reading, key, `is none of ${words.join(', ')}; taken as unspecified`)
  return 'unspecified'
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 60)

const wrongWith = (value: unknown, limit: number): string | undefined => {
  if (value === undefined) return 'is missing'
  if (typeof value !== 'string') return `is a text, not ${shown(value)}`
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
