import { ok } from '../kernel/result.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { transition } from '../tasks/transition.ts'
import type { StoreCheck } from './check.ts'
import { mendable, named } from './finding.ts'
import { idleClaims, loseClaim, unheld } from './sql/claims.ts'

const most = 5
const all = 1_000_000

export const claims: StoreCheck = {
  id: 'claims',
  needs: 'store',
  asks: 'Is a task active exactly while somebody holds it?',
  changesRows: true,
  async look({ store }) {
    const loose = await unheld(store, most)
    const idle = await idleClaims(store, most)
    const about = { kind: 'state', severity: 'error' } as const
    return [
      ...(loose.total > 0
        ? [
            mendable({
              ...about,
              what: `active, but held by nobody: ${named(
                loose.rows.map(({ id }) => id),
                loose.total,
              )}`,
              why: 'nobody works on it and nobody is offered it',
              where: loose.rows[0]!.id,
            }),
          ]
        : []),
      ...(idle.total > 0
        ? [
            mendable({
              ...about,
              what: `held, but not active: ${named(
                idle.rows.map(({ id, owner, status }) => `${id} (${status}, held by ${owner})`),
                idle.total,
              )}`,
              why: 'others are kept from a task that nobody works on',
              where: idle.rows[0]!.id,
            }),
          ]
        : []),
    ]
  },
  async mend({ write }) {
    await write(async (tx) => {
      const loose = await unheld(tx.db, all)
      const rows = await tasks.findMany(
        tx.db,
        loose.rows.map(({ id }) => id),
      )
      for (const row of rows.values()) await transition(tx, row, { to: 'pending' })
      const idle = await idleClaims(tx.db, all)
      for (const claim of idle.rows) {
        await loseClaim(tx.db, claim)
        await tx.record({ after: { mended: 'claims', task: claim.id, lost: claim.owner } })
      }
      return ok(loose.total + idle.total)
    })
  },
}
