import { levels, type Misplaced, treeFaults, waitingTasks } from '../graph/tree-faults.ts'
import { findCycle } from '../graph/waits.ts'
import { ok } from '../kernel/result.ts'
import type { StoreCheck } from './check.ts'
import {
  type DoctorFinding,
  fixableFinding,
  listNames,
  manualFinding,
  mostShown,
  plural,
} from './doctor-finding.ts'
import { danglingRows, everyEdge, missingDependencies, setRoot } from './sql/tasks.ts'

export const references: StoreCheck = {
  id: 'references',
  needs: 'store',
  question: 'Do all rows refer only to tasks and sessions that exist?',
  async find({ store }) {
    const tables = await danglingRows(store)
    const missing = tables.some(({ table }) => table === 'depends')
      ? await missingDependencies(store, mostShown)
      : undefined
    const others = tables.filter(({ table }) => table !== 'depends' || !missing?.total)
    return [
      ...(missing?.rows ?? []).map(({ task, needs }) =>
        manualFinding({
          kind: 'state',
          severity: 'error',
          what: `${task} depends on ${needs}, which does not exist`,
          why: `CLEO cannot tell whether ${task} may start`,
          where: task,
          fix: `cleo update ${task} --remove-depends ${needs}`,
        }),
      ),
      ...(others.length > 0
        ? [
            manualFinding({
              kind: 'damage',
              severity: 'error',
              what: `${listNames(others.map(({ table, total }) => `${plural(total, 'row', 'rows')} of ${table}`))} refer to rows that do not exist`,
              why: 'another program changed the database; cleo export and cleo restore refuse it',
              where: '.cleo/cleo.db',
              fix: 'cleo restore --list',
            }),
          ]
        : []),
    ]
  },
}

export const tree: StoreCheck = {
  id: 'tree',
  needs: 'store',
  question: 'Does every task have a parent that exists, at most three levels deep?',
  changesRows: true,
  async find({ store }) {
    const { orphans, loops, deep, misplaced } = treeFaults(await everyEdge(store))
    return [
      ...orphans
        .slice(0, mostShown)
        .map(({ id, parent }) =>
          wrongParent(
            id,
            `the parent of ${id}, ${parent}, does not exist`,
            `trees and epics do not show ${id}`,
          ),
        ),
      ...loops
        .slice(0, mostShown)
        .map((id) =>
          wrongParent(id, `${id} is its own ancestor`, 'commands that read this tree would never end'),
        ),
      ...deep
        .slice(0, mostShown)
        .map((id) =>
          wrongParent(
            id,
            `${id} is more than ${levels} levels deep`,
            'dependencies of its ancestors are not counted',
          ),
        ),
      ...(misplaced.length > 0 ? [wrongRoot(misplaced)] : []),
    ]
  },
  async fix({ write }) {
    await write(async (tx) => {
      const { misplaced } = treeFaults(await everyEdge(tx.db))
      for (const { id, root, real } of misplaced) {
        await setRoot(tx.db, id, real)
        await tx.record({ after: { fixed: 'tree', id, was: root, root: real } })
      }
      return ok(misplaced.length)
    })
  },
}

const wrongParent = (id: string, what: string, why: string): DoctorFinding =>
  manualFinding({
    kind: 'state',
    severity: 'error',
    what,
    why,
    where: id,
    fix: `cleo update ${id} --parent none`,
  })

const wrongRoot = (misplaced: readonly Misplaced[]): DoctorFinding =>
  fixableFinding({
    kind: 'state',
    severity: 'error',
    what: `${listNames(
      misplaced.map(({ id, root, real }) => `${id} (${root} instead of ${real})`),
    )} ${misplaced.length === 1 ? 'is' : 'are'} recorded under the wrong epic`,
    why: 'cleo ready leaves such a task out, and sessions refuse it',
    where: misplaced[0]!.id,
  })

export const cycles: StoreCheck = {
  id: 'cycles',
  needs: 'store',
  question: 'Are the dependencies free of cycles?',
  async find({ store }) {
    const cycle = findCycle(waitingTasks(await everyEdge(store)))
    if (!cycle) return []
    const [task, need] = cycle.path as [string, string]
    return [
      manualFinding({
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
