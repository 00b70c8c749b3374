import { closed, type Status } from '../kernel/task.ts'

export interface WorkNode {
  id: string
  parent: string | null
  status: Status
}

export interface WorkNeed {
  task: string
  needs: string
  /** The status of the needed task, which can be outside the epic. */
  status: Status
}

export interface Analysis {
  waves: string[][]
  criticalPath: string[]
  blockedOutside: { id: string; on: string[] }[]
}

/**
 * Arranges the open work below an epic in waves. Only tasks without open children are work: a task with open children
 * is done when its children are done. `nodes` holds the epic and all tasks below it, parents before children. `needs`
 * holds the dependencies of these nodes.
 */
export const analyze = (nodes: readonly WorkNode[], needs: readonly WorkNeed[]): Analysis => {
  const tree = buildTree(nodes, needs)
  const { level, via, outside } = computeLevels(tree)
  const waves: string[][] = []
  const blockedOutside: Analysis['blockedOutside'] = []
  let last = -1
  for (const i of tree.work) {
    const on = outside.get(i)
    if (on) {
      blockedOutside.push({ id: tree.ids[i]!, on })
      continue
    }
    if (level[i] === 0) continue
    const wave = level[i]! - 1
    while (waves.length <= wave) waves.push([])
    waves[wave]!.push(tree.ids[i]!)
    if (last < 0 || level[i]! > level[last]!) last = i
  }
  const criticalPath: string[] = []
  for (let i = last; i >= 0; i = via[i]!) criticalPath.unshift(tree.ids[i]!)
  return { waves, criticalPath, blockedOutside }
}

interface Tree {
  ids: string[]
  parent: Int32Array
  /**
   * The open children of each task. An open task without open children is work itself: it still has to be completed,
   * even if it has closed children.
   */
  children: number[][]
  /** For each task, the indexes of its open dependencies inside the epic. */
  inside: number[][]
  /** For each task, the ids of its open dependencies outside the epic. */
  outside: string[][]
  open: boolean[]
  work: number[]
}

const buildTree = (nodes: readonly WorkNode[], needs: readonly WorkNeed[]): Tree => {
  const index = new Map(nodes.map(({ id }, i) => [id, i]))
  const tree: Tree = {
    ids: nodes.map(({ id }) => id),
    parent: Int32Array.from(nodes, ({ parent }) => (parent === null ? -1 : (index.get(parent) ?? -1))),
    children: nodes.map(() => []),
    inside: nodes.map(() => []),
    outside: nodes.map(() => []),
    open: nodes.map(({ status }) => !closed(status)),
    work: [],
  }
  nodes.forEach((_, i) => {
    const p = tree.parent[i]!
    if (p >= 0 && tree.open[i]) tree.children[p]!.push(i)
  })
  for (const { task, needs: needed, status } of needs) {
    const i = index.get(task)
    if (i === undefined || closed(status)) continue
    const n = index.get(needed)
    if (n === undefined) tree.outside[i]!.push(needed)
    else tree.inside[i]!.push(n)
  }
  // The first node is the epic itself, which is not work.
  nodes.forEach((_, i) => {
    if (i > 0 && tree.open[i] && tree.children[i]!.length === 0) tree.work.push(i)
  })
  return tree
}

/**
 * Computes the level of each task. Visits the start and the end of every task in dependency order. A task starts one
 * level after the last task that it waits for. A parent ends with its last child. `via` names, for each task, the task
 * that decided its level.
 */
const computeLevels = (tree: Tree) => {
  const count = tree.ids.length
  const level = new Int32Array(count)
  const via = new Int32Array(count).fill(-1)
  const endLevel = new Int32Array(count)
  const endWork = new Int32Array(count).fill(-1)
  const outside = new Map<number, string[]>()

  const start = (i: number): void => {
    const p = tree.parent[i]!
    let best = p >= 0 ? level[p]! : 1
    let from = p >= 0 ? via[p]! : -1
    const on = [...tree.outside[i]!, ...(p >= 0 ? (outside.get(p) ?? []) : [])]
    for (const n of tree.inside[i]!) {
      if (outside.has(n)) on.push(tree.ids[n]!)
      else if (endLevel[n]! + 1 > best) {
        best = endLevel[n]! + 1
        from = endWork[n]!
      }
    }
    level[i] = best
    via[i] = from
    if (on.length > 0) outside.set(i, [...new Set(on)])
  }
  const end = (i: number): void => {
    endLevel[i] = level[i]!
    endWork[i] = tree.children[i]!.length === 0 ? i : via[i]!
    for (const c of tree.children[i]!) {
      const stuck = outside.get(c)
      if (stuck && !outside.has(i)) outside.set(i, [tree.ids[c]!])
      if (endLevel[c]! >= endLevel[i]!) {
        endLevel[i] = endLevel[c]!
        endWork[i] = endWork[c]!
      }
    }
  }
  inOrder(tree, start, end)
  return { level, via, outside }
}

/**
 * Visits the events "task i starts" (2i) and "task i ends" (2i + 1) of the open tasks in dependency order, with Kahn's
 * algorithm.
 */
const inOrder = (tree: Tree, start: (i: number) => void, end: (i: number) => void): void => {
  const count = tree.ids.length
  const waits = new Int32Array(count * 2)
  const followers: number[][] = Array.from({ length: count * 2 }, () => [])
  const edge = (before: number, after: number) => {
    followers[before]!.push(after)
    waits[after]!++
  }
  for (let i = 0; i < count; i++) {
    if (!tree.open[i]) continue
    edge(2 * i, 2 * i + 1)
    const p = tree.parent[i]!
    if (p >= 0 && tree.open[p]) {
      edge(2 * p, 2 * i)
      edge(2 * i + 1, 2 * p + 1)
    }
    for (const n of tree.inside[i]!) edge(2 * n + 1, 2 * i)
  }
  const queue: number[] = []
  for (let m = 0; m < count * 2; m++) if (tree.open[m >> 1] && waits[m] === 0) queue.push(m)
  for (let head = 0; head < queue.length; head++) {
    const moment = queue[head]!
    if (moment & 1) end(moment >> 1)
    else start(moment >> 1)
    for (const after of followers[moment]!) if (--waits[after]! === 0) queue.push(after)
  }
}
