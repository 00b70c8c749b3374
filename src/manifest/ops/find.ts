import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { parseTaskId } from '../../kernel/task-id.ts'
import { describe, text } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { paging } from '../../operation/paging.ts'
import * as texts from '../../store/texts.ts'
import { drawEntries, entrySummary, toSummary } from '../entry-summary.ts'
import * as entries from '../sql/entries.ts'

export const find = operation({
  name: 'pipeline.manifest.find',
  kind: 'query',
  tier: 1,
  ingests: true,
  summary: 'Search manifest entries by title, topics, findings, follow-ups and blocker.',
  input: v.strictObject({
    query: describe(text(500), 'words or beginnings of words, or a task id'),
    ...paging,
  }),
  output: () => v.object({ entries: v.array(entrySummary()) }),
  errors: ['input.invalid'],
  cli: {
    command: 'manifest find',
    positional: ['query'],
    examples: ['cleo manifest find "password hash"', 'cleo manifest find T012'],
  },
  human: ({ entries }, style) =>
    entries.length === 0 ? [style.dim('Nothing found.')] : drawEntries(entries, style),
  async run({ query, limit, after }, { store }) {
    const skip = Number(after ?? 0)
    if (!Number.isSafeInteger(skip) || skip < 0) {
      const problems = [{ path: 'after', message: 'must be the `next` value of the previous page' }]
      return fail('input.invalid', { problems })
    }
    const task = parseTaskId(query)
    if (task) {
      const before = after === undefined ? undefined : skip
      const { rows, total } = await entries.list(store, { task }, { before, limit })
      const next = rows.length === limit && rows.length < total ? String(rows.at(-1)!.seq) : undefined
      return ok({ entries: rows.map(toSummary) }, { page: { total, limit, ...(next && { next }) } })
    }
    const { refs, total } = await texts.match(store, 'entry', query, { limit, skip })
    const found = await entries.findMany(store, refs)
    const next = skip + refs.length < total ? String(skip + refs.length) : undefined
    const summaries = refs.flatMap((id) => found.get(id) ?? []).map(toSummary)
    return ok({ entries: summaries }, { page: { total, limit, ...(next && { next }) } })
  },
})
