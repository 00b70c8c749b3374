import { ok } from '../kernel/result.ts'
import type { StoreCheck } from './check.ts'
import { mendable } from './finding.ts'
import { isTextInStep, rebuildTaskText } from './sql/task-text.ts'

export const taskText: StoreCheck = {
  id: 'text',
  needs: 'store',
  asks: 'Are tasks found by the words they have?',
  changesRows: true,
  async look({ store }) {
    if (await isTextInStep(store)) return []
    return [
      mendable({
        kind: 'state',
        severity: 'error',
        what: 'the index of words does not say what the tasks say',
        why: 'cleo find misses tasks, or finds them by words they no longer have',
      }),
    ]
  },
  async mend({ write }) {
    await write(async (tx) => {
      await rebuildTaskText(tx.db)
      await tx.record({ after: { mended: 'text' } })
      return ok(1)
    })
  },
}
