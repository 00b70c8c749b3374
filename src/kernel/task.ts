export const limits = {
  title: 200,
  description: 64 * 1024,
  label: 64,
  labels: 50,
  depends: 200,
  file: 500,
  files: 200,
  criterion: 500,
  criteria: 100,
  note: 16 * 1024,
  reason: 1000,
} as const

export const types = ['epic', 'task', 'subtask'] as const
/** What happened to the branch of a task; `none` if the task has no branch. */
export const merges = ['none', 'pending', 'merged', 'refused'] as const
export type Merge = (typeof merges)[number]

export const statuses = ['pending', 'active', 'blocked', 'done', 'cancelled'] as const
export const priorities = ['critical', 'high', 'medium', 'low'] as const
export const sizes = ['small', 'medium', 'large'] as const
// This is a function, because few commands need the list. If the list were a constant, every command would build it. It
// is so long that it takes a whole block of the heap.
export const stages = () =>
  [
    'research',
    'consensus',
    'architecture-decision',
    'specification',
    'decomposition',
    'implementation',
    'validation',
    'testing',
    'release',
    'contribution',
  ] as const
export const criterionStates = ['open', 'met', 'unmet', 'waived'] as const

export type TaskType = (typeof types)[number]
export type Status = (typeof statuses)[number]
export type Priority = (typeof priorities)[number]
export type Size = (typeof sizes)[number]
export type Stage = ReturnType<typeof stages>[number]

/** The fields that a list shows for each task. */
export interface TaskLine {
  id: string
  title: string
  status: Status
  /** Set if only a part of the task was done. */
  outcome?: 'partial'
  priority: Priority
  size: Size
}

/** A task with the tasks below it. Exported, because the type declarations of the package need its name. */
export interface Branch extends TaskLine {
  /** The spawn that works on the task. */
  by?: string
  /** The open tasks that this task itself waits on. Empty if only an ancestor of this task waits. */
  waitsOn?: string[]
  children?: Branch[]
}

export const closed = (status: Status): boolean => status === 'done' || status === 'cancelled'
