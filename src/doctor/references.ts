import type { StoreCheck } from './check.ts'
import { named, open, plural } from './finding.ts'
import { dangling, missingNeeds } from './sql/tree.ts'

const most = 5

export const references: StoreCheck = {
  id: 'references',
  needs: 'store',
  asks: 'Does every row that names a task or a session name one that exists?',
  async look({ store }) {
    const tables = await dangling(store)
    const needs = tables.some(({ table }) => table === 'depends')
      ? await missingNeeds(store, most)
      : undefined
    const others = tables.filter(({ table }) => table !== 'depends' || !needs?.total)
    return [
      ...(needs?.rows ?? []).map(({ task, needs }) =>
        open({
          kind: 'state',
          severity: 'error',
          what: `${task} depends on ${needs}, which does not exist`,
          why: 'nobody can tell whether it may start',
          where: task,
          fix: `cleo update ${task} --remove-depends ${needs}`,
        }),
      ),
      ...(others.length > 0
        ? [
            open({
              kind: 'damage',
              severity: 'error',
              what: named(
                others.map(({ table, total }) => `${plural(total, 'row', 'rows')} of ${table}`),
              ).concat(' name what does not exist'),
              why: 'somebody changed the file by hand; exports and restores of it are refused',
              where: '.cleo/cleo.db',
              fix: 'cleo restore --list',
            }),
          ]
        : []),
    ]
  },
}
