import { findCycle, type Waiting } from '../graph/waits.ts'
import type { StoreCheck } from './check.ts'
import { open } from './finding.ts'
import { type Edge, everyEdge } from './sql/tree.ts'

const levels = 3

export const cycles: StoreCheck = {
  id: 'cycles',
  needs: 'store',
  asks: 'Does no task wait for itself, by whatever detour?',
  async look({ store }) {
    const cycle = findCycle(waiting(await everyEdge(store)))
    if (!cycle) return []
    const [task, need] = cycle.path as [string, string]
    return [
      open({
        kind: 'state',
        severity: 'error',
        what: `${cycle.path.join(' → ')} wait for each other`,
        why: 'none of them can ever start',
        where: task,
        fix: cycle.contains ? `cleo deps ${task}` : `cleo update ${task} --remove-depends ${need}`,
      }),
    ]
  },
}

/** A parent that leads nowhere is the business of the tree. */
const waiting = (edges: readonly Edge[]): Waiting[] => {
  const parents = new Map(edges.flatMap(({ id, parent, needs }) => (needs === null ? [[id, parent]] : [])))
  const needs = Map.groupBy(
    edges.filter((edge) => edge.needs !== null),
    ({ id }) => id,
  )
  return [...parents].map(([id, parent]) => ({
    id,
    parent: ends(id, parents) ? parent : null,
    needs: (needs.get(id) ?? []).map((edge) => edge.needs!),
  }))
}

const ends = (id: string, parents: ReadonlyMap<string, string | null>): boolean => {
  let at: string | null | undefined = id
  for (let level = 0; at && level <= levels; level++) at = parents.get(at)
  return !at
}
