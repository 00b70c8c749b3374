import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe, text } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { paging } from '../../operation/paging.ts'
import { anyEnding } from '../../store/texts.ts'
import { drawMemory, Kind, type Memory, memoryShape, toMemory } from '../memory.ts'
import * as memory from '../sql.ts'

export const find = operation({
  name: 'memory.find',
  kind: 'query',
  tier: 0,
  summary: 'Search memories by words, kind or task.',
  input: v.strictObject({
    query: v.optional(describe(text(500), 'words or beginnings of words; default: all memories')),
    kind: v.optional(Kind),
    task: v.optional(describe(TaskId, 'only memories of this task')),
    limit: v.optional(paging.limit.wrapped, 10),
    after: paging.after,
  }),
  output: () => v.object({ memories: v.array(memoryShape()) }),
  errors: ['input.invalid'],
  cli: {
    command: 'memory find',
    suggestedFor: ['recall'],
    positional: ['query'],
    examples: ['cleo memory find "mail server"', 'cleo memory find --task T012 --kind decision'],
  },
  human: ({ memories }, style) =>
    memories.length === 0
      ? [style.dim('No memories found.')]
      : memories.flatMap((each) => drawMemory(each, style)),
  async run({ query, kind, task, limit, after }, { store }) {
    const skip = Number(after ?? 0)
    if (!Number.isSafeInteger(skip) || skip < 0) {
      const problems = [{ path: 'after', message: 'must be the `next` value of the previous page' }]
      return fail('input.invalid', { problems })
    }
    const words = query === undefined ? undefined : anyEnding(store, query)
    // The query has no letters or digits, so nothing can match.
    if (words === '') return ok({ memories: [] }, { page: { total: 0, limit } })
    const { rows, total } = await memory.search(store, { words, kind, task, limit, skip })
    const tasks = await memory.tasksOf(
      store,
      rows.map(({ seq }) => seq),
    )
    const next = skip + rows.length < total ? String(skip + rows.length) : undefined
    return ok(
      { memories: rows.map((row) => cut(toMemory(row, tasks.get(row.seq)))) },
      { page: { total, limit, ...(next && { next }) } },
    )
  },
})

const maxShown = 400

/** `memory show` prints the whole text. */
const cut = (memory: Memory): Memory =>
  memory.text.length > maxShown
    ? { ...memory, text: `${memory.text.slice(0, maxShown).toWellFormed()}…` }
    : memory
