import { ok } from '../kernel/result.ts'
import { taskId } from '../kernel/task-id.ts'
import { setCounter } from '../transfer/sql.ts'
import type { StoreCheck } from './check.ts'
import { mendable } from './finding.ts'
import { counter as read } from './sql/counts.ts'

export const counter: StoreCheck = {
  id: 'counter',
  needs: 'store',
  asks: 'Is the number for the next task above all that were given out?',
  changesRows: true,
  async look({ store }) {
    const { value, highest } = await read(store)
    if (value >= highest) return []
    return [
      mendable({
        kind: 'state',
        severity: 'error',
        what: `the counter of tasks stands at ${value}, but ${taskId(highest)} exists`,
        why: 'the next task cannot be added, for its id is taken',
        where: taskId(highest),
      }),
    ]
  },
  async mend({ write }) {
    await write(async (tx) => {
      const { value, highest } = await read(tx.db)
      if (value >= highest) return ok(0)
      await setCounter(tx.db, { name: 'task', value: highest })
      await tx.record({ before: { counter: value }, after: { mended: 'counter', counter: highest } })
      return ok(1)
    })
  },
}
