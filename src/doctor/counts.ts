import { ok } from '../kernel/result.ts'
import type { StoreCheck } from './check.ts'
import { mendable, named } from './finding.ts'
import { type Miscounted, miscounted, recountWrong } from './sql/counts.ts'

const most = 5
const mostLogged = 100

export const counts: StoreCheck = {
  id: 'counts',
  needs: 'store',
  asks: 'Are the counts that make ready work a look-up what a recount says?',
  changesRows: true,
  async look({ store }) {
    const { rows, total } = await miscounted(store, most)
    if (total === 0) return []
    return [
      mendable({
        kind: 'state',
        severity: 'error',
        what: `counted wrongly: ${named(rows.map(describe), total)}`,
        why: 'work is offered that has to wait, or is never offered',
        where: rows[0]!.id,
      }),
    ]
  },
  async mend({ write }) {
    await write(async (tx) => {
      const mended = await recountWrong(tx.db)
      if (mended.length > 0)
        await tx.record({
          after: { mended: 'counts', count: mended.length, tasks: mended.slice(0, mostLogged) },
        })
      return ok(mended.length)
    })
  },
}

const describe = (row: Miscounted): string => {
  const wrong = (['blockers', 'unblocks', 'children'] as const).flatMap((name) =>
    row[name] === row[`real_${name}`] ? [] : [`${name} ${row[name]} for ${row[`real_${name}`]}`],
  )
  return `${row.id} (${wrong.join(', ')})`
}
