import * as v from 'valibot'
import { type Fault, fail } from '../../kernel/result.ts'
import { moreTasks, TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { attempt } from '../../operation/write.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { applyChanges, changeFields, type UpdateCode, updateCodes } from '../apply-changes.ts'
import { drawUpdated, runUpdates, updatedShape } from '../run-update.ts'

export const update = operation({
  name: 'tasks.update',
  kind: 'mutate',
  tier: 1,
  summary: "Edit a task's fields. For status use complete, block or cancel.",
  input: v.strictObject({ id: describe(TaskId, 'the task'), more: moreTasks(), ...changeFields }),
  output: updatedShape,
  errors: updateCodes,
  several: true,
  tool: ['id', 'title', 'description', 'addDepends', 'removeDepends', 'files', 'priority', 'size'],
  cli: {
    command: 'update',
    suggestedFor: [
      ...['set', 'modify', 'change', 'alter'],
      ...['rename --title', 'retitle --title', 'describe --description'],
      'wait --add-depends',
      ...['link --add-depends', 'unlink --remove-depends', 'undepend --remove-depends'],
      ...['tag --add-labels', 'label --add-labels', 'untag --remove-labels', 'unlabel --remove-labels'],
      ...['prioritize --priority', 'prioritise --priority', 'priority --priority', 'prio --priority'],
      ...['resize --size'],
    ],
    positional: ['id', 'more'],
    examples: [
      'cleo update T012 --priority high',
      'cleo update T012 --add-depends T009 --remove-labels draft',
      'cleo update T012 T013 T014 -p high',
    ],
  },
  human: drawUpdated,
  async examine({ id, more: _, ...fit }, { write }) {
    const faults: Fault<UpdateCode>[] = []
    if (id === undefined) return faults
    await attempt(write, async (tx) => {
      const row = await tasks.find(tx.db, id)
      if (row) await applyChanges(tx, row, fit, faults)
      else faults.push({ path: 'id', failure: fail('task.not_found', { id }) })
    })
    return faults
  },
  run: ({ more, ...input }, context) => runUpdates(context, { ...input, more }),
})
