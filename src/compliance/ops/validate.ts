import * as v from 'valibot'
import * as spawns from '../../claims/sql/spawns.ts'
import { fail } from '../../kernel/result.ts'
import { closed } from '../../kernel/task.ts'
import { TaskId, taskNumber } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { pageOf, paging } from '../../operation/paging.ts'
import type { TaskRow } from '../../store/rows.ts'
import { epicRoot } from '../../tasks/ready-set.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { type CheckedTask, checkTask } from '../check-task.ts'
import { drawCompliance, reportTask, reportTasks, validationShape } from '../validation-report.ts'

export const validate = operation({
  name: 'orchestrate.validate',
  kind: 'query',
  tier: 1,
  ingests: true,
  summary: 'Check the work of subagents against the rules of their protocols.',
  input: v.strictObject({
    id: v.optional(describe(TaskId, 'the task to check; or an epic, to check all its spawned tasks')),
    epic: v.optional(describe(TaskId, 'check all spawned tasks of this epic')),
    all: v.optional(describe(v.boolean(), 'also show rules that passed or do not apply'), false),
    limit: paging.limit,
    after: v.optional(describe(TaskId, 'the `next` value of the previous page')),
  }),
  output: validationShape,
  errors: [
    'input.invalid',
    'task.not_found',
    'epic.expected',
    'compliance.unspawned',
    'compliance.return',
    'compliance.entry',
    'compliance.failed',
  ],
  cli: {
    command: 'validate',
    positional: ['id'],
    examples: ['cleo validate T012 --all', 'cleo validate T001'],
  },
  human: drawCompliance,
  async run({ id, epic, all, limit, after }, context) {
    if (id !== undefined && epic !== undefined)
      return fail('input.invalid', {
        problems: [{ path: 'epic', message: 'cannot be combined with a task' }],
      })
    if (id !== undefined) {
      const row = await tasks.find(context.store, id)
      if (!row) return fail('task.not_found', { id })
      const checked = await checkTask(context, row)
      if (checked) return reportTask(checked, all)
      if (row.type !== 'epic') return fail('compliance.unspawned', { id })
    }
    const root = id ?? epic ?? context.session?.scope ?? undefined
    const invalid = await epicRoot(context.store, root)
    if (invalid) return invalid
    const total = await spawns.countSpawnedTasks(context.store, root)
    if (total === 0) return fail('compliance.unspawned', { epic: root })
    const from = after === undefined ? 0 : taskNumber(after)
    const rows = await spawns.spawnedTasks(context.store, { root, after: from, limit: limit + 1 })
    const { shown, ...next } = pageOf(rows, limit, (row) => row.id)
    const out = await stillOut(context, shown)
    const checked = await checkAll(
      context,
      shown.filter(({ id }) => !out.has(id)),
    )
    return reportTasks(checked, { root, all, out: [...out.values()], page: { total, limit, ...next } })
  },
})

/**
 * Returns, by task, the spawns that have not returned yet. They are not checked, because their work is not submitted.
 */
const stillOut = async ({ store }: Context, rows: readonly TaskRow[]): Promise<Map<string, string>> => {
  const open = rows.filter(({ status }) => !closed(status)).map(({ id }) => id)
  const lasts = [...(await spawns.latestWork(store, open)).values()]
  return new Map(lasts.flatMap(({ id, task, back_at }) => (back_at === null ? [[task, id] as const] : [])))
}

/** Checks the tasks one after the other, because each check starts several git processes. */
const checkAll = async (context: Context, rows: readonly TaskRow[]): Promise<CheckedTask[]> => {
  const checked: CheckedTask[] = []
  for (const row of rows) {
    const one = await checkTask(context, row)
    if (one) checked.push(one)
  }
  return checked
}
