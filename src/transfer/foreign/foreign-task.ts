import { isObject, type JsonObject } from '../../kernel/json-object.ts'
import type { Problem } from '../../kernel/result.ts'
import type { Priority, Status } from '../../kernel/task.ts'
import { normalised } from '../../kernel/text.ts'

/** A task of another tool, with its fields translated into CLEO's fields. */
export interface ForeignTask {
  /** The id that the other tool uses. */
  id: string
  title: string
  description: string
  isEpic?: boolean
  parent?: string
  /** The epic to put the task in if the task has no parent. */
  group?: string
  status: Status
  reason?: string
  priority?: Priority
  labels: string[]
  depends: string[]
  criteria: string[]
  notes: { text: string; at?: number; by?: string }[]
  createdAt?: number
  updatedAt?: number
  completedAt?: number
  /** Fields that CLEO does not have. They are kept in a note. */
  others: Record<string, unknown>
}

/** A project of another tool, or the reasons why it cannot be read. */
export interface ForeignProject {
  tool: string
  tasks: ForeignTask[]
  /** Maps the title of an epic to its description. Contains the titles that tasks have as their `group`. */
  groups?: ReadonlyMap<string, string>
  /** Records that are not imported, and why. */
  left: LeftOut[]
  problems: Problem[]
}

export interface LeftOut {
  what: string
  count: number
  why: string
}

/**
 * Returns functions that read the fields of a record. A value of the wrong type counts as missing. `others` returns
 * the non-empty fields that were not read or have the wrong type.
 */
export const fieldReader = (record: JsonObject) => {
  const unread = new Map(Object.entries(record))
  const taken = <T>(name: string, read: (value: unknown) => T | undefined): T | undefined => {
    const value = read(unread.get(name))
    if (value !== undefined) unread.delete(name)
    return value
  }
  return {
    text: (name: string): string => taken(name, textOf) ?? '',
    list: (name: string): string[] => taken(name, listOf) ?? [],
    records: (name: string): JsonObject[] => taken(name, recordsOf) ?? [],
    time: (name: string): number | undefined => taken(name, timeOf),
    /**
     * Looks up the value of a field in the table `words`. If the table does not contain the value, the field counts as
     * not read, so `others` returns it.
     */
    word: <T>(name: string, words: Readonly<Record<string, T>>): T | undefined =>
      taken(name, (value) => {
        const word = textOf(value)
          ?.toLowerCase()
          .replaceAll(/[\s_]+/g, '-')
        return word !== undefined && Object.hasOwn(words, word) ? words[word] : undefined
      }),
    others: (): JsonObject => Object.fromEntries([...unread].filter(([, value]) => !isBlank(value))),
  }
}

/**
 * Returns a text. Also turns a number into text, because some tools write ids as numbers. Returns undefined for any
 * other value.
 */
const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? normalised(value).toWellFormed().trim() : undefined
}

const listOf = (value: unknown): string[] | undefined => {
  const items = (Array.isArray(value) ? value : [value]).map(textOf)
  return items.every((item) => item !== undefined) ? items.filter((item) => item !== '') : undefined
}

const recordsOf = (value: unknown): JsonObject[] | undefined =>
  Array.isArray(value) && value.every(isObject) ? value : undefined

/** A time without a zone, such as `2025-07-26 14:30`, is taken as UTC. */
const timeOf = (value: unknown): number | undefined => {
  const text = textOf(value) ?? ''
  const ms = Date.parse(/^\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?$/.test(text) ? `${text}Z` : text)
  return Number.isNaN(ms) || ms < 0 ? undefined : ms
}

const isBlank = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

export const describedBy = (parts: readonly (readonly [heading: string, text: string])[]): string =>
  parts
    .filter(([, text]) => text !== '')
    .map(([heading, text]) => (heading === '' ? text : `## ${heading}\n\n${text}`))
    .join('\n\n')
