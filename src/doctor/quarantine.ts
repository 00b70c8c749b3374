import type { StoreCheck } from './check.ts'
import { open, plural } from './finding.ts'
import { quarantinedSince } from './sql/entries.ts'

const week = 7 * 24 * 60 * 60_000

export const quarantine: StoreCheck = {
  id: 'quarantine',
  needs: 'store',
  // What is older has been seen by whoever wanted to see it: the rows stay, and a healthy project must be silent again.
  asks: 'Was every line of the manifest of the last week an entry?',
  async look({ store }) {
    const { count, path, reason } = await quarantinedSince(store, (await store.now()) - week)
    if (count === 0) return []
    return [
      open({
        kind: 'state',
        severity: 'warning',
        what: `${plural(count, 'part', 'parts')} of ${path} ${count === 1 ? 'is' : 'are'} no entry (${reason})`,
        why: 'what an agent meant to hand in is not in the table',
        where: path,
        fix: 'cleo manifest quarantine',
      }),
    ]
  },
}
