import { expect, test } from 'vitest'
import { type Edge, treeFaults, waitingTasks } from '../../src/graph/tree-faults.ts'

const task = (id: string, parent: string | null = null, root = 'T001'): Edge => ({
  id,
  parent,
  root,
  needs: null,
})
const needs = (id: string, needs: string): Edge => ({ id, parent: null, root: null, needs })

test('[PROJ-6] a tree of three levels under the right root has no faults', () =>
  expect(treeFaults([task('T001'), task('T002', 'T001'), task('T003', 'T002')])).toEqual({
    ...{ orphans: [], loops: [], deep: [], misplaced: [] },
  }))

test('[PROJ-6] missing parents, loops, a fourth level and a wrong root are found', () => {
  const edges = [
    task('T001'),
    task('T002', 'T001'),
    task('T003', 'T002'),
    task('T004', 'T003'),
    task('T005', 'T001', 'T002'),
    task('T006', 'T099'),
    task('T007', 'T008'),
    task('T008', 'T007'),
  ]
  expect(treeFaults(edges)).toMatchObject({
    orphans: [{ id: 'T006' }],
    loops: ['T007'],
    deep: ['T004'],
    misplaced: [{ id: 'T005', root: 'T002', real: 'T001' }],
  })
})

test('[PROJ-6] tasks are read with their dependencies, and without a parent that is in a loop', () =>
  expect(
    waitingTasks([task('T001', 'T002'), task('T002', 'T001'), task('T003'), needs('T003', 'T001')]),
  ).toEqual([
    { id: 'T001', parent: null, needs: [] },
    { id: 'T002', parent: null, needs: [] },
    { id: 'T003', parent: null, needs: ['T001'] },
  ]))
