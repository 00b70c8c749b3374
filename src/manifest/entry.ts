import type { Problem } from '../kernel/result.ts'
import * as fields from './fields.ts'
import { type Fields, isObject } from './pieces.ts'

export const entryStatuses = ['complete', 'partial', 'blocked'] as const
export type EntryStatus = (typeof entryStatuses)[number]

export const blockerCategories = [
  'missing context',
  'permission denied',
  'resource unavailable',
  'ambiguous requirements',
] as const

export const mostBytes = 64 * 1024

/** What a spawn says it produced. Fields nobody knows are kept. */
export interface Entry extends Fields {
  id: string
  file: string
  title: string
  date: string
  status: EntryStatus
  agent_type: string
  topics?: string[]
  key_findings?: string[]
  actionable: boolean
  needs_followup?: string[]
  linked_tasks?: string[]
  blocker?: { category: string; text: string; alternatives?: string[] }
  warnings?: string[]
  revises?: string
}

/** What stands in for a field that was left out. */
export interface Derived {
  id?: string
  file?: string
  title?: string
  date: string
  agent_type: string
}

export interface EntryRules {
  derived: Derived
  /** It was found in the file: what can be made good is made good, with a warning. */
  lenient: boolean
  /** Three to seven findings, when it is complete. */
  research: boolean
}

export interface ReadEntry {
  /** Only worth something where there are no problems. */
  entry: Entry
  problems: Problem[]
  warnings: string[]
}

/** What CLEO itself puts into an entry; whatever stands there is a claim. */
const own = ['spawnId', 'sha256', 'appendedAt']
const known = [
  ...['id', 'file', 'title', 'date', 'status', 'agent_type', 'topics', 'key_findings', 'actionable'],
  ...['needs_followup', 'linked_tasks', 'blocker', 'warnings', 'revises', ...own],
]

/** An entry from what was given: everything that is wrong with it, at once. */
export const readEntry = (given: Fields, rules: EntryRules): ReadEntry => {
  const { derived, lenient } = rules
  const reading: fields.Reading = { given, prefix: '', lenient, problems: [], warnings: [] }
  const id = fields.entryId(reading, 'id', derived.id)
  const status = fields.oneOf(reading, 'status', entryStatuses)
  const entry: Entry = withoutEmpty({
    id: id ?? '',
    file: fields.text(reading, 'file', 1000, derived.file),
    title: fields.line(reading, 'title', 200, derived.title),
    date: fields.day(reading, 'date', derived.date),
    status: status ?? 'complete',
    agent_type: fields.word(reading, 'agent_type', derived.agent_type),
    topics: fields.texts(reading, 'topics', 100),
    key_findings: fields.texts(reading, 'key_findings', 2000),
    actionable: fields.truth(reading, 'actionable', true),
    needs_followup: fields.texts(reading, 'needs_followup', 2000),
    linked_tasks: fields.taskIds(reading, 'linked_tasks'),
    blocker: blockerOf(reading, status),
    warnings: fields.texts(reading, 'warnings', 2000),
    revises: fields.entryId(reading, 'revises'),
  })
  for (const [key, value] of Object.entries(given))
    if (!known.includes(key)) Object.defineProperty(entry, key, { value, ...plain })
  if (status) judge(entry, rules, reading)
  const bytes = new TextEncoder().encode(JSON.stringify(entry)).length
  if (bytes > mostBytes) fields.problem(reading, '', `an entry has at most ${mostBytes} bytes, not ${bytes}`)
  return { entry, problems: reading.problems, warnings: reading.warnings }
}

// `__proto__` is a name like any other here: assigning it would not keep it.
const plain = { enumerable: true, configurable: true, writable: true }

const blockerOf = (reading: fields.Reading, status: EntryStatus | undefined): Entry['blocker'] => {
  const { blocker: said } = reading.given
  if (said == null && status !== 'blocked') return undefined
  const given = typeof said === 'string' ? { text: said } : (said ?? {})
  if (!isObject(given)) {
    fields.problem(reading, 'blocker', 'has a category and a text')
    return undefined
  }
  const inner = { ...reading, given, prefix: 'blocker.' }
  const category = fields.category(inner, 'category', blockerCategories)
  const text = fields.text(inner, 'text', 16_384, reading.lenient ? 'no reason was given' : undefined)
  return {
    ...given,
    ...withoutEmpty({ category, text, alternatives: fields.texts(inner, 'alternatives', 2000) }),
  }
}

/** Who hands in by command is told how to say it. */
const flag = ({ lenient }: fields.Reading, name: string): string => (lenient ? '' : ` (${name})`)

const judge = (entry: Entry, { research }: EntryRules, reading: fields.Reading): void => {
  const findings = entry.key_findings?.length ?? 0
  if (research && entry.status === 'complete' && (findings < 3 || findings > 7))
    fields.problem(
      reading,
      'key_findings',
      `research has 3 to 7 findings${flag(reading, '--finding')}, not ${findings}`,
    )
  if (entry.status === 'partial' && !entry.needs_followup)
    fields.problem(
      reading,
      'needs_followup',
      `a partial entry says what is left${flag(reading, '--followup')}`,
    )
}

const withoutEmpty = <T extends object>(given: T): T =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  ) as T

/** Without what CLEO put in: two entries that are the same thing said twice. */
export const isSameEntry = (a: Fields, b: Fields, besides: readonly string[] = []): boolean =>
  said(a, besides) === said(b, besides)

const said = (entry: Fields, besides: readonly string[]): string =>
  JSON.stringify(
    Object.entries(entry)
      .filter(([key]) => !own.includes(key) && !besides.includes(key))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
