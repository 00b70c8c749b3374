import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { parseTaskId, taskNumber } from '../../kernel/task-id.ts'
import { describe, text } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { pageOf, paging } from '../../operation/paging.ts'
import type { Db } from '../../store/port.ts'
import * as search from '../../tasks/sql/search.ts'
import { toLines } from '../../tasks/sql/tasks.ts'
import { taskLine } from '../../tasks/task-shape.ts'
import { drawLines } from '../draw-tasks.ts'
import type { Query } from '../sql/find.ts'
import * as fullText from '../sql/find.ts'

export const find = operation({
  name: 'tasks.find',
  kind: 'query',
  tier: 0,
  summary: 'Find tasks by the words in title and description.',
  get input() {
    return v.strictObject({
      query: describe(text(500), 'words or beginnings of words'),
      exact: v.optional(describe(v.boolean(), 'match only the exact id or title')),
      ...paging,
    })
  },
  output: () =>
    v.object({
      tasks: v.array(taskLine()),
      /** The same list as `tasks`, set only with `exact`. Scripts of the subagent protocol 2.0 read this field. */
      results: v.optional(v.array(taskLine())),
    }),
  errors: ['input.invalid'],
  tool: ['query'],
  cli: {
    command: 'find',
    suggestedFor: ['search', 'grep', 'query', 'lookup', 'where'],
    positional: ['query'],
    examples: ['cleo find password', 'cleo find --exact T012'],
  },
  human: ({ tasks }, style) => (tasks.length === 0 ? [style.dim('Nothing found.')] : drawLines(tasks, style)),
  async run({ query, exact, limit, after }, { store }) {
    if (exact) {
      const rows = await search.exact(store, parseTaskId(query), query, limit)
      const tasks = toLines(rows)
      return ok({ tasks, results: tasks }, { page: { total: rows.length, limit } })
    }
    const asked = await fullText.readQuery(store, query)
    if (asked.words.length === 0) return ok({ tasks: [] }, { page: { total: 0, limit } })
    return asked.ranking.length > 0
      ? bestFirst(store, asked, { limit, after })
      : newestFirst(store, asked, { limit, after })
  },
})

interface PageOptions {
  limit: number
  after: string | undefined
}

/** The cursor is the number of tasks on the previous pages. */
const bestFirst = async (store: Db, asked: Query, { limit, after }: PageOptions) => {
  const skip = Number(after ?? 0)
  if (!Number.isSafeInteger(skip) || skip < 0) return wrongCursor()
  const { rows, total } = await fullText.bestMatches(store, asked, limit, skip)
  const next = skip + rows.length < total ? String(skip + rows.length) : undefined
  return ok(
    { tasks: toLines(rows) },
    { page: { total, limit, ...(next && { next }) }, warnings: wholeWordsOnly(asked) },
  )
}

/** The cursor is the last task of the previous page. */
const newestFirst = async (store: Db, asked: Query, { limit, after }: PageOptions) => {
  // Refuse a plain number, because it is a cursor of `bestFirst`. `parseTaskId` would accept it as a task id.
  if (after !== undefined && parseTaskId(after) !== after) return wrongCursor()
  const before = after === undefined ? Number.MAX_SAFE_INTEGER : taskNumber(after)
  const { rows, ...total } = await fullText.newestMatches(store, asked, limit + 1, before)
  const { shown, ...next } = pageOf(rows, limit, ({ id }) => id)
  return ok(
    { tasks: toLines(shown) },
    {
      page: { ...total, limit, ...next },
      warnings: [
        ...wholeWordsOnly(asked),
        'Too many tasks match to rank them, so the newest come first. Add a word to narrow the search.',
      ],
    },
  )
}

const wrongCursor = () =>
  fail('input.invalid', {
    problems: [{ path: 'after', message: 'must be the `next` value of the previous page' }],
  })

const wholeWordsOnly = ({ words }: Query): string[] => {
  const whole = words.filter((each) => each.whole).map(({ word }) => `"${word}"`)
  return whole.length === 0
    ? []
    : [
        `Matched only as whole words, because they are in more than ${fullText.mostRanked} tasks each: ${whole.join(', ')}.`,
      ]
}
