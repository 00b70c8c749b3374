import { leaseMs } from '../claims/lease.ts'
import { iso } from '../kernel/time.ts'
import { listNames, mostShown } from './doctor-finding.ts'
import { repairCheck } from './repair-check.ts'
import { expiringAfter, shortenClaims } from './sql/claims.ts'

/** Twice the longest lease that can be configured. A claim that expires later was made by a wrong clock. */
const farAhead = 48 * 60 * 60_000

export const claimClock = repairCheck({
  id: 'clock',
  question: 'Does every claim expire within two days?',
  async find(store) {
    const { rows, total } = await expiringAfter(store, (await store.now()) + farAhead, mostShown)
    if (total === 0) return []
    const shown = rows.map(({ id, owner, expires_at }) => `${id} (${owner}, until ${iso(expires_at)})`)
    return [
      {
        what: `claimed by a clock that was wrong: ${listNames(shown, total)}`,
        why: 'no other agent gets the task until then; --fix lets each claim expire after an ordinary lease',
        where: rows[0]!.id,
      },
    ]
  },
  async repair({ db, now, record }) {
    const { rows, total } = await expiringAfter(db, now + farAhead, Number.MAX_SAFE_INTEGER)
    if (total === 0) return 0
    await shortenClaims(db, now + farAhead, now + leaseMs({}))
    await record({ after: { fixed: 'clock', tasks: rows.slice(0, 100).map(({ id }) => id) } })
    return total
  },
})
