import * as v from 'valibot'
import { fail } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { drawReport, reported, reportShape } from '../../operation/report.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { examineEntries } from '../examine.ts'

export const validate = operation({
  name: 'pipeline.manifest.validate',
  kind: 'query',
  tier: 1,
  summary: 'Look at every manifest entry: its shape, its file, its links.',
  input: v.strictObject({ task: v.optional(describe(TaskId, 'only of this task')) }),
  output: reportShape,
  errors: ['task.not_found', 'content.invalid'],
  cli: {
    command: 'manifest validate',
    examples: ['cleo manifest validate', 'cleo manifest validate --task T012'],
  },
  human: drawReport('line'),
  async run({ task }, context) {
    if (task !== undefined && !(await tasks.find(context.store, task)))
      return fail('task.not_found', { id: task })
    const { checked, findings } = await examineEntries(context, task)
    return reported(checked, findings)
  },
})
