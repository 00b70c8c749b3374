import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { Limit, pageOf } from '../../operation/paging.ts'
import { epicRoot } from '../../tasks/ready-set.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { entryStatuses } from '../entry.ts'
import { drawEntries, entrySummary, toSummary } from '../entry-summary.ts'
import * as entries from '../sql/entries.ts'

const AgentType = v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}$/, 'must be a word such as research'))

export const list = operation({
  name: 'pipeline.manifest.list',
  kind: 'query',
  tier: 1,
  ingests: true,
  summary: 'List manifest entries, newest first.',
  input: v.strictObject({
    task: v.optional(describe(TaskId, 'only entries of this task')),
    epic: v.optional(describe(TaskId, 'only entries of this epic and of the tasks below it')),
    status: v.optional(describe(v.picklist(entryStatuses), 'only entries with this status')),
    agentType: v.optional(describe(AgentType, 'only entries of this agent type')),
    limit: v.optional(Limit(), 20),
    after: v.optional(
      describe(v.pipe(v.number(), v.integer(), v.minValue(1)), 'the `next` value of the previous page'),
    ),
  }),
  output: () => v.object({ entries: v.array(entrySummary()) }),
  errors: ['task.not_found', 'epic.expected'],
  cli: {
    command: 'manifest list',
    also: ['research list'],
    positional: ['epic'],
    examples: ['cleo manifest list T001', 'cleo manifest list --status partial'],
  },
  human: ({ entries }, style) =>
    entries.length === 0 ? [style.dim('No entries.')] : drawEntries(entries, style),
  async run({ limit, after, ...filter }, { store }) {
    const { task, epic } = filter
    if (task !== undefined && !(await tasks.find(store, task))) return fail('task.not_found', { id: task })
    const refusal = await epicRoot(store, epic)
    if (refusal) return refusal
    const { rows, total } = await entries.list(store, filter, { before: after, limit: limit + 1 })
    const { shown, ...next } = pageOf(rows, limit, ({ seq }) => String(seq))
    return ok({ entries: shown.map(toSummary) }, { page: { total, limit, ...next } })
  },
})
