import type { StoreCheck } from './check.ts'
import { andMore, open } from './finding.ts'
import { expiredBefore } from './sql/claims.ts'

const most = 5
const day = 24 * 60 * 60_000
const long = 30 * day

export const oldClaims: StoreCheck = {
  id: 'forgotten',
  needs: 'store',
  asks: 'Has everybody who holds a task given a sign of life within 30 days?',
  async look({ store }) {
    const now = await store.now()
    const { rows, total } = await expiredBefore(store, now - long, most)
    return rows.map(({ id, owner, expires_at }, i) =>
      open({
        kind: 'state',
        severity: 'warning',
        what: `${id} is active, but ${owner} has not been heard of for ${Math.floor((now - expires_at) / day)} days${andMore(i, total, most)}`,
        why: 'it looks as if somebody were at work on it',
        where: id,
        fix: `cleo focus set ${id}`,
      }),
    )
  },
}
