import type { StoreCheck } from './check.ts'
import { andMore, open } from './finding.ts'
import { lostScopes } from './sql/claims.ts'

const most = 5
const week = 7 * 24 * 60 * 60_000

export const sessions: StoreCheck = {
  id: 'sessions',
  needs: 'store',
  asks: 'Is every session that is under way for an epic that can still be worked on?',
  async look({ store }) {
    const { rows, total } = await lostScopes(store, (await store.now()) - week, most)
    return rows.map(({ id, scope, status, type }, i) =>
      open({
        kind: 'state',
        severity: 'warning',
        what: `${id} is under way for ${scope}, which ${
          type === 'epic' ? `has been ${status} for over a week` : `is a ${type} now, not an epic`
        }${andMore(i, total, most)}`,
        why: 'whoever works in it is offered nothing and refused everything',
        where: id,
        advice: 'End it, or start another',
        fix: 'cleo session list',
      }),
    )
  },
}
