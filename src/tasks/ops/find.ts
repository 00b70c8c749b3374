import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { parseTaskId } from '../../kernel/task-id.ts'
import { describe, text } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { paging } from '../../operation/paging.ts'
import { drawLines } from '../draw-tasks.ts'
import * as search from '../sql/search.ts'
import { toLines } from '../sql/tasks.ts'
import { taskLine } from '../task-shape.ts'

export const find = operation({
  name: 'tasks.find',
  kind: 'query',
  tier: 0,
  summary: 'Find tasks by the words in title and description.',
  input: v.strictObject({
    query: describe(text(500), 'words or beginnings of words'),
    exact: v.optional(describe(v.boolean(), 'match only the exact id or title')),
    ...paging,
  }),
  output: () => v.object({ tasks: v.array(taskLine()) }),
  errors: ['input.invalid'],
  cli: { command: 'find', positional: ['query'], examples: ['cleo find password', 'cleo find --exact T012'] },
  human: ({ tasks }, style) => (tasks.length === 0 ? [style.dim('Nothing found.')] : drawLines(tasks, style)),
  async run({ query, exact, limit, after }, { store }) {
    if (exact) {
      const rows = await search.exact(store, parseTaskId(query), query, limit)
      return ok({ tasks: toLines(rows) }, { page: { total: rows.length, limit } })
    }
    const skip = Number(after ?? 0)
    if (!Number.isSafeInteger(skip) || skip < 0) {
      return fail('input.invalid', {
        problems: [{ path: 'after', message: 'must be the `next` value of the previous page' }],
      })
    }
    const words = store.dialect.words(query)
    if (words === '') return ok({ tasks: [] }, { page: { total: 0, limit } })
    const { rows, total } = await search.match(store, words, limit, skip)
    const next = skip + rows.length < total ? String(skip + rows.length) : undefined
    return ok({ tasks: toLines(rows) }, { page: { total, limit, ...(next && { next }) } })
  },
})
