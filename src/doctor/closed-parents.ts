import type { StoreCheck } from './check.ts'
import { andMore, open } from './finding.ts'
import { closedParents as find } from './sql/tree.ts'

const most = 5

export const closedParents: StoreCheck = {
  id: 'parents',
  needs: 'store',
  asks: 'Is no parent done or cancelled while a part of it is open?',
  async look({ store }) {
    const { rows, total } = await find(store, most)
    return rows.map(({ id, status, child }, i) =>
      open({
        kind: 'state',
        severity: 'error',
        what: `${id} is ${status}, but ${child} below it is open${andMore(i, total, most)}`,
        why: 'what depends on it starts too early',
        where: id,
        fix: `cleo reopen ${id} --reason "${child} is open"`,
      }),
    )
  },
}
