import * as v from 'valibot'
import { moreTasks, TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { updateCodes } from '../apply-changes.ts'
import { drawUpdated, runUpdates, updatedShape } from '../run-update.ts'

export const move = operation({
  name: 'tasks.move',
  kind: 'mutate',
  tier: 1,
  summary: 'Move tasks below another task, or to the top level.',
  input: v.strictObject({
    id: describe(TaskId, 'the task'),
    more: moreTasks(),
    to: describe(
      v.pipe(v.union([v.picklist(['-', '/', 'none']), TaskId]), v.metadata({ dash: true })),
      'the new parent, or `-` for none',
    ),
  }),
  output: updatedShape,
  errors: updateCodes,
  several: true,
  cli: {
    command: 'mv',
    also: ['move'],
    suggestedFor: ['parent', 'reparent', 'under', 'nest'],
    positional: ['id', 'more', 'to'],
    examples: ['cleo mv T012 T009', 'cleo mv T012 T013 T009', 'cleo mv T012 -'],
  },
  human: drawUpdated,
  run: ({ id, more, to }, context) =>
    runUpdates(context, { id, more, parent: to === '-' || to === '/' || to === 'none' ? 'none' : to }),
})
