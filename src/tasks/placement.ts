import { type Failure, fail } from '../kernel/result.ts'
import { closed, type Status, type TaskType } from '../kernel/task.ts'

const maxDepth = 3

export interface Parent {
  id: string
  type: TaskType
  status: Status
  root: string
  /** 1 for a task without a parent. */
  depth: number
}

export interface Place {
  type: TaskType
  root: string
  depth: number
}

type Unfit = Failure<'parent.invalid' | 'parent.closed' | 'depth.exceeded' | 'input.invalid'>

/** Where a task may stand: its type from its parent, and every reason why it may not stand there. */
export const placeBelow = (
  id: string,
  given: TaskType | undefined,
  parent: Parent | undefined,
): Place | Unfit[] => {
  const type = given ?? inferred(parent)
  if (!parent) {
    if (type !== 'subtask') return { type, root: id, depth: 1 }
    return [fail('input.invalid', { problems: [{ path: 'parent', message: 'a subtask needs a parent' }] })]
  }
  const depth = parent.depth + 1
  const faults: Unfit[] = []
  if (type === 'epic')
    faults.push(fail('parent.invalid', { parent: parent.id, why: 'an epic stands at the root' }))
  if (closed(parent.status)) faults.push(fail('parent.closed', { parent: parent.id, status: parent.status }))
  if (parent.type === 'subtask')
    faults.push(fail('parent.invalid', { parent: parent.id, why: 'a subtask has no children' }))
  if (depth > maxDepth) faults.push(fail('depth.exceeded', { parent: parent.id, depth }))
  return faults.length > 0 ? faults : { type, root: parent.root, depth }
}

const inferred = (parent: Parent | undefined): TaskType =>
  parent && parent.type !== 'epic' ? 'subtask' : 'task'
