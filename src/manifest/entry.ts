import { isObject } from '../kernel/json-object.ts'
import type { Problem } from '../kernel/result.ts'
import { iso } from '../kernel/time.ts'
import * as fields from './entry-fields.ts'
import type { WrittenFields } from './parse-object.ts'

export const entryStatuses = ['complete', 'partial', 'blocked'] as const
export type EntryStatus = (typeof entryStatuses)[number]

export const blockerCategories = [
  'missing context',
  'permission denied',
  'resource unavailable',
  'ambiguous requirements',
] as const

export const maxEntryBytes = 64 * 1024

/** An entry of the manifest: what was submitted for a task. Unknown fields are kept too. */
export interface Entry extends WrittenFields {
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
  /** Why the change has no tests. */
  no_tests?: string
  /** The tag of a release, created when the work is merged. */
  tag?: string
  revises?: string
}

export interface EntryDefaults {
  id?: string
  file?: string
  title?: string
  date: string
  agent_type: string
}

export interface EntryRules {
  defaults: EntryDefaults
  /** True for lines found in a manifest. Small mistakes in them are corrected with a warning instead of refused. */
  lenient: boolean
  /** True for an entry of research work. If its status is complete, it must have three to seven findings. */
  research: boolean
}

export interface ReadEntry {
  /** Valid only if `problems` is empty. */
  entry: Entry
  problems: Problem[]
  warnings: string[]
}

/** Fields that CLEO sets itself. Values that an agent writes in these fields are ignored. */
const ownFields = ['spawnId', 'sha256', 'appendedAt']
export const knownFields = [
  ...['id', 'file', 'title', 'date', 'status', 'agent_type', 'topics', 'key_findings', 'actionable'],
  ...['needs_followup', 'linked_tasks', 'blocker', 'warnings', 'no_tests', 'tag', 'revises', ...ownFields],
]

/** Collects every problem, not only the first. */
export const readEntry = (given: WrittenFields, rules: EntryRules): ReadEntry => {
  const { defaults, lenient } = rules
  const reading: fields.FieldReader = { given, prefix: '', lenient, problems: [], warnings: [] }
  const id = fields.readEntryId(reading, 'id', defaults.id)
  const status = fields.readOneOf(reading, 'status', entryStatuses)
  const entry: Entry = withoutEmpty({
    id: id ?? '',
    file: fields.readPath(reading, 'file', 1000, defaults.file),
    title: fields.readLine(reading, 'title', 200, defaults.title),
    date: fields.readDay(reading, 'date', defaults.date),
    status: status ?? 'complete',
    agent_type: fields.readWord(reading, 'agent_type', defaults.agent_type),
    topics: fields.readTexts(reading, 'topics', 100),
    key_findings: fields.readTexts(reading, 'key_findings', 2000),
    actionable: fields.readBoolean(reading, 'actionable', true),
    needs_followup: fields.readTexts(reading, 'needs_followup', 2000),
    linked_tasks: fields.readTaskIds(reading, 'linked_tasks'),
    blocker: blockerOf(reading, status),
    warnings: fields.readTexts(reading, 'warnings', 2000),
    no_tests: fields.readOptionalText(reading, 'no_tests', 2000),
    tag: readTag(reading),
    revises: fields.readEntryId(reading, 'revises'),
  })
  for (const [key, value] of Object.entries(given))
    if (!knownFields.includes(key)) Object.defineProperty(entry, key, { value, ...plain })
  if (status) checkStatus(entry, rules, reading)
  const bytes = new TextEncoder().encode(JSON.stringify(entry)).length
  if (bytes > maxEntryBytes)
    fields.addProblem(reading, '', `an entry may have at most ${maxEntryBytes} bytes, not ${bytes}`)
  return { entry, problems: reading.problems, warnings: reading.warnings }
}

// Copy unknown fields with `defineProperty` and these attributes. An assignment would set the prototype if an
// unknown field is named `__proto__`.
const plain = { enumerable: true, configurable: true, writable: true }

/** A tag becomes an argument of git, so it must be a plain name. */
const readTag = (reading: fields.FieldReader): string | undefined => {
  const tag = fields.readOptionalText(reading, 'tag', 200)
  if (tag !== undefined && !/^[\w@][\w.@/+-]*$/.test(tag))
    fields.addProblem(reading, 'tag', 'must be the name of a tag such as v2.3.0')
  return tag
}

const blockerOf = (reading: fields.FieldReader, status: EntryStatus | undefined): Entry['blocker'] => {
  const { blocker } = reading.given
  if (blocker == null && status !== 'blocked') return undefined
  const given = typeof blocker === 'string' ? { text: blocker } : (blocker ?? {})
  if (!isObject(given)) {
    fields.addProblem(reading, 'blocker', 'must have a category and a text')
    return undefined
  }
  const inner = { ...reading, given, prefix: 'blocker.' }
  const category = fields.readCategory(inner, 'category', blockerCategories)
  const text = fields.readText(inner, 'text', 16_384, reading.lenient ? blockerText(reading) : undefined)
  return {
    ...given,
    ...withoutEmpty({ category, text, alternatives: fields.readTexts(inner, 'alternatives', 2000) }),
  }
}

/**
 * Returns why a task is blocked, for a manifest line without a text in its blocker. Versions 1.0 and 2.0 of the
 * subagent protocol had no blocker and gave the reason in the first finding or follow-up.
 */
const blockerText = ({ given: { key_findings, needs_followup } }: fields.FieldReader): string => {
  const texts = [key_findings, needs_followup].flat().filter((text) => typeof text === 'string')
  return texts.map((text) => text.trim()).find((text) => text !== '') ?? 'no reason was given'
}

/** Returns the flag that a problem mentions. Empty for a manifest line, because only `manifest append` has flags. */
const flag = ({ lenient }: fields.FieldReader, name: string): string => (lenient ? '' : ` (${name})`)

/**
 * Whether a text has line breaks or several sentences. One dot before a space is allowed, because it can belong to
 * an abbreviation.
 */
const isParagraph = (text: string): boolean => text.includes('\n') || text.split('. ').length > 2

const checkStatus = (entry: Entry, { research }: EntryRules, reading: fields.FieldReader): void => {
  const findings = entry.key_findings?.length ?? 0
  // Too few or too many findings in a manifest line are only a warning, so that the line still becomes the entry of
  // its spawn. Rule RSCH-006 reports the number of findings when the task is completed.
  const report = reading.lenient ? fields.addWarning : fields.addProblem
  if (research && entry.status === 'complete' && (findings < 3 || findings > 7))
    report(
      reading,
      'key_findings',
      `research needs 3 to 7 findings${flag(reading, '--finding')}, not ${findings}`,
    )
  const long = reading.lenient ? -1 : (entry.key_findings ?? []).findIndex(isParagraph)
  if (long >= 0)
    fields.addWarning(
      reading,
      `key_findings.${long}`,
      'has several sentences; write one here, and the rest in the output file',
    )
  if (entry.status === 'partial' && !entry.needs_followup)
    fields.addProblem(
      reading,
      'needs_followup',
      `a partial entry must list what is left${flag(reading, '--followup')}`,
    )
}

const withoutEmpty = <T extends object>(given: T): T =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  ) as T

/** Ignores CLEO's own fields and the fields in `except`. */
export const isSameEntry = (a: WrittenFields, b: WrittenFields, except: readonly string[] = []): boolean =>
  contentOf(a, except) === contentOf(b, except)

const contentOf = (entry: WrittenFields, except: readonly string[]): string =>
  JSON.stringify(
    Object.entries(entry)
      .filter(([key]) => !ownFields.includes(key) && !except.includes(key))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )

export interface EntryOrigin {
  spawn: string | null
  /** Hash of the output file. */
  sha256: string | null
  now: number
}

/**
 * Returns the text that is stored and written to the manifest: one line of JSON, with CLEO's own fields at the end.
 */
export const entryBody = (entry: Entry, { spawn, sha256, now }: EntryOrigin): string =>
  JSON.stringify({
    ...entry,
    ...(spawn !== null && { spawnId: spawn }),
    ...(sha256 !== null && { sha256 }),
    appendedAt: iso(now),
  })

/** Returns the text that `manifest find` searches. */
export const searchWords = (body: string): string => {
  const { id, title, topics, key_findings, needs_followup, blocker } = JSON.parse(body) as WrittenFields
  return [id, title, topics, key_findings, needs_followup, blocker].flatMap(textsIn).join('\n')
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
