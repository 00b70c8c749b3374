import * as v from 'valibot'
import type { Style } from '../kernel/style.ts'
import { type Entry, entryStatuses } from './entry.ts'
import type { EntryRow } from './sql/entries.ts'

export const entrySummary = () =>
  v.object({
    id: v.string(),
    status: v.picklist(entryStatuses),
    agent_type: v.string(),
    title: v.string(),
    /** Set if the entry was ingested from a manifest line, which anyone could have written. */
    origin: v.optional(v.literal('line')),
  })
export type EntrySummary = v.InferOutput<ReturnType<typeof entrySummary>>

export const toSummary = ({ id, status, body, origin }: EntryRow): EntrySummary => {
  const { title, agent_type } = JSON.parse(body) as Partial<Entry>
  const shown = { id, status, agent_type: agent_type ?? '', title: title ?? '' }
  return origin === 'line' ? { ...shown, origin } : shown
}

export const drawEntries = (summaries: readonly EntrySummary[], style: Style): string[] =>
  style.table(
    summaries.map(({ id, status, agent_type, title, origin }) => [
      style.cyan(id),
      inColour(status, style),
      style.dim(origin ? `${agent_type}, from file` : agent_type),
      title,
    ]),
    3,
  )

export const inColour = (status: EntryRow['status'], style: Style): string =>
  status === 'complete'
    ? style.green(status)
    : status === 'partial'
      ? style.yellow(status)
      : style.red(status)
