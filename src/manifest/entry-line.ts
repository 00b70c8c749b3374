import * as v from 'valibot'
import type { Style } from '../kernel/style.ts'
import { type Entry, entryStatuses } from './entry.ts'
import type { EntryRow } from './sql/entries.ts'

/** What lists show of an entry; its findings are one `manifest show` away. */
export const entryLine = () =>
  v.object({
    id: v.string(),
    status: v.picklist(entryStatuses),
    agentType: v.string(),
    title: v.string(),
    /** It came as a line in the file, which anybody can have written. */
    origin: v.optional(v.literal('line')),
  })
export type EntryLine = v.InferOutput<ReturnType<typeof entryLine>>

export const toLine = ({ id, status, body, origin }: EntryRow): EntryLine => {
  const { title, agent_type } = JSON.parse(body) as Partial<Entry>
  const shown = { id, status, agentType: agent_type ?? '', title: title ?? '' }
  return origin === 'line' ? { ...shown, origin } : shown
}

export const drawEntries = (lines: readonly EntryLine[], style: Style): string[] =>
  style.table(
    lines.map(({ id, status, agentType, title, origin }) => [
      style.cyan(id),
      inColour(status, style),
      style.dim(origin ? `${agentType}, as a line` : agentType),
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
