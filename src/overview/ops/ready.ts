import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { After, Limit } from '../../operation/paging.ts'
import { drawLines } from '../../task-lists/draw-tasks.ts'
import { epicRoot } from '../../tasks/ready-set.ts'
import { spawnProblems } from '../../tasks/spawn-problems.ts'
import * as search from '../../tasks/sql/search.ts'
import { toLine } from '../../tasks/sql/tasks.ts'
import { taskLine } from '../../tasks/task-shape.ts'
import { readyTasks } from '../../worktrees/ready-tasks.ts'
import { drawOut, outLines, outShape } from '../out-list.ts'

export const ready = operation({
  name: 'orchestrate.ready',
  kind: 'query',
  tier: 1,
  summary: 'List tasks that can all start now, in parallel.',
  get input() {
    return v.strictObject({
      epic: v.optional(describe(TaskId, 'only tasks of this epic')),
      shared: v.optional(
        describe(
          v.boolean(),
          'choose tasks for agents that share one folder: a task without declared files is never chosen beside another; the default if the project uses no worktrees',
        ),
      ),
      limit: v.optional(Limit(), 10),
      after: v.optional(After()),
    })
  },
  output: () =>
    v.object({
      tasks: v.array(
        v.object({
          ...taskLine().entries,
          files: v.optional(v.array(v.string())),
          unblocks: v.number(),
          /** Why spawning this task would be refused. */
          lacks: v.optional(v.string()),
        }),
      ),
      waiting: v.array(v.object({ id: v.string(), why: v.string() })),
      /** How many tasks wait besides those in the list. */
      moreWaiting: v.optional(v.number()),
      out: outShape(),
      /** How many tasks are out besides those in the list. */
      moreOut: v.optional(v.number()),
    }),
  errors: ['task.not_found', 'epic.expected', 'input.invalid'],
  tool: ['epic', 'limit'],
  cli: {
    command: 'ready',
    suggestedFor: ['queue', 'available', 'startable'],
    positional: ['epic'],
    examples: ['cleo ready T001'],
  },
  human: ({ tasks, waiting, moreWaiting, out, moreOut }, style) => {
    const lines =
      tasks.length === 0
        ? [style.dim('No task is ready.')]
        : drawLines(tasks, style, ({ unblocks, lacks }) => {
            const why = unblocks > 0 ? `unblocks ${unblocks}` : ''
            return lacks ? `${why}${why && '; '}${lacks}` : why
          })
    for (const { id, why } of waiting) lines.push(`${style.dim('waits')} ${style.cyan(id)} ${why}`)
    if (moreWaiting) lines.push(style.dim(`and ${moreWaiting} more wait`))
    lines.push(...drawOut(out, style))
    if (moreOut) lines.push(style.dim(`and ${moreOut} more`))
    return lines
  },
  async run({ epic, shared, limit, after }, context) {
    const { store, session, config } = context
    const root = epic ?? session?.scope ?? undefined
    const refusal = await epicRoot(store, root)
    if (refusal) return refusal
    const skip = Number(after ?? 0)
    if (!Number.isSafeInteger(skip) || skip < 0) {
      return fail('input.invalid', {
        problems: [{ path: 'after', message: 'must be the `next` value of the previous page' }],
      })
    }
    const found = await readyTasks(context, { root, limit, shared, skip })
    const tasks = []
    for (const task of found.chosen) {
      const { files, unblocks } = task
      const lacks = spawnProblems(task, config)
        .map((problem) => problem.lacks)
        .join('; ')
      tasks.push({
        ...toLine(task),
        ...(files.length > 0 && { files: [...files] }),
        unblocks,
        ...(lacks && { lacks }),
      })
    }
    const { total, atLeast } = await search.countReady(store, root)
    const next = found.seen < total || (atLeast && found.more) ? String(found.seen) : undefined
    const out = skip === 0 && found.out.length > 0 ? await outLines(context, found, limit) : []
    const moreOut = skip === 0 ? found.out.length - out.length : 0
    const waiting = found.waiting.slice(0, limit)
    const moreWaiting = found.waiting.length - waiting.length
    return ok(
      {
        tasks,
        waiting,
        ...(moreWaiting > 0 && { moreWaiting }),
        out,
        ...(moreOut > 0 && { moreOut }),
      },
      { page: { total: total + found.left, ...(atLeast && { atLeast }), limit, ...(next && { next }) } },
    )
  },
})
