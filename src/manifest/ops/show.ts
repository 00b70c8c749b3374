import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { describe } from '../../kernel/text.ts'
import { formatMinute } from '../../kernel/time.ts'
import { operation } from '../../operation/operation.ts'
import { type Entry, entryStatuses, knownFields } from '../entry.ts'
import { EntryRef, findEntry, isTask } from '../entry-ref.ts'
import { inColour } from '../entry-summary.ts'
import * as entries from '../sql/entries.ts'

const texts = () => v.optional(v.array(v.string()))

const output = () =>
  v.looseObject({
    id: v.string(),
    file: v.optional(v.string()),
    title: v.optional(v.string()),
    date: v.optional(v.string()),
    status: v.optional(v.picklist(entryStatuses)),
    agent_type: v.optional(v.string()),
    topics: texts(),
    key_findings: texts(),
    actionable: v.optional(v.boolean()),
    needs_followup: texts(),
    linked_tasks: texts(),
    blocker: v.optional(v.looseObject({ category: v.string(), text: v.string(), alternatives: texts() })),
    warnings: texts(),
    revises: v.optional(v.string()),
    spawnId: v.optional(v.string()),
    sha256: v.optional(v.string()),
    appendedAt: v.optional(v.string()),
    /** Set if the entry was ingested from a manifest line, which anyone could have written. */
    origin: v.optional(v.unknown()),
  })
type ShownEntry = v.InferOutput<ReturnType<typeof output>>

export const show = operation({
  name: 'pipeline.manifest.show',
  kind: 'query',
  tier: 0,
  ingests: true,
  summary: 'Show a manifest entry with all its fields.',
  input: v.strictObject({ id: describe(EntryRef, 'an entry; or a task, to show its newest entry') }),
  output,
  errors: ['entry.not_found', 'entry.none'],
  cli: {
    command: 'manifest show',
    also: ['research show'],
    positional: ['id'],
    examples: ['cleo manifest show T012', 'cleo manifest show T012-password-hashing'],
  },
  human: (entry, style) => draw(entry, style),
  async run({ id }, { store }) {
    const row = await findEntry(store, id)
    if ('ok' in row) return row
    const { total, rows } = isTask(id)
      ? await entries.list(store, { task: id }, { before: row.seq, limit: 5 })
      : { total: 1, rows: [] }
    const earlier = rows.map((each) => each.id).join(', ')
    const warnings = total > 1 ? [`${id} has ${total} entries; earlier ones: ${earlier}`] : []
    const entry = JSON.parse(row.body) as Entry
    return ok(row.origin === 'line' ? { ...entry, origin: row.origin } : entry, { warnings })
  },
})

const draw = (entry: ShownEntry, style: Style): string[] => {
  const { id, status, agent_type, title, file, spawnId, date, blocker, revises } = entry
  const line = entry['origin'] === 'line' ? 'read from the manifest file' : undefined
  const list = (name: string, items: readonly string[] | undefined): string[] =>
    items?.length ? [style.bold(name), ...items.flatMap((item) => indented('  - ', item))] : []
  const fact = (name: string, value: string | undefined): string[] =>
    value ? [`  ${style.dim(`${name}:`)} ${value}`] : []
  const origin = [agent_type, spawnId, date, line].filter((part) => part !== undefined).join(', ')
  return [
    `${style.cyan(id)} ${style.bold(title ?? '')}  ${status ? inColour(status, style) : ''}`,
    `  ${style.dim(origin)}`,
    ...(file ? [`  ${file}`] : []),
    ...(revises ? [`  revises ${revises}`] : []),
    ...fact('topics', entry.topics?.join(', ')),
    ...fact('linked tasks', entry.linked_tasks?.join(', ')),
    ...fact('actionable', entry.actionable === undefined ? undefined : entry.actionable ? 'yes' : 'no'),
    ...fact('file hash', entry.sha256),
    ...fact('submitted', entry.appendedAt && formatMinute(entry.appendedAt)),
    ...Object.entries(entry).flatMap(([name, value]) =>
      name === 'origin' || knownFields.includes(name) ? [] : fact(name, JSON.stringify(value)),
    ),
    ...(blocker ? indented('  ', `${style.red(blocker.category)}: ${blocker.text}`, '    ') : []),
    ...list('Alternatives', blocker?.alternatives),
    ...list('Findings', entry.key_findings),
    ...list('Left to do', entry.needs_followup),
    ...list('Warnings', entry.warnings),
  ]
}

const indented = (mark: string, text: string, indent = ' '.repeat(mark.length)): string[] =>
  text.split('\n').map((line, i) => (i === 0 ? mark : indent) + line.trimEnd())
