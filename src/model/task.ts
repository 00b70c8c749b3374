import * as v from 'valibot'
import { TaskId } from './task-id.ts'
import { list, text } from './text.ts'

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
export const statuses = ['pending', 'active', 'blocked', 'done', 'cancelled'] as const
export const priorities = ['critical', 'high', 'medium', 'low'] as const
export const sizes = ['small', 'medium', 'large'] as const
export const stages = [
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

export const TaskType = v.picklist(types)
export const Status = v.picklist(statuses)
export const Priority = v.picklist(priorities)
export const Size = v.picklist(sizes)
export const Stage = v.picklist(stages)

export const Title = text('title', limits.title)
export const Description = v.pipe(
  v.string(),
  v.check((s) => Buffer.byteLength(s) <= limits.description, `description is limited to ${limits.description} bytes`),
)
export const Label = v.pipe(
  text('label', limits.label),
  v.regex(/^[^,\s]+$/, 'a label has no spaces and no commas'),
)
export const Labels = list(Label, 'labels', limits.labels)
export const Depends = list(TaskId, 'dependencies', limits.depends)
export const ScopeFile = v.pipe(
  text('file', limits.file),
  v.check((s) => !s.startsWith('/') && !s.split('/').includes('..'), 'a file is a path inside the project'),
)
export const Files = list(ScopeFile, 'files', limits.files)
export const Criterion = text('criterion', limits.criterion)
/** A criterion is a sentence and may hold commas. */
export const Acceptance = v.pipe(list(Criterion, 'criteria', limits.criteria), v.metadata({ commas: false }))
export const NoteText = v.pipe(
  v.string(),
  v.check((s) => s.trim() !== '', 'a note needs some text'),
  v.check((s) => Buffer.byteLength(s) <= limits.note, `a note is limited to ${limits.note} bytes`),
)
export const Reason = text('reason', limits.reason)

export type TaskType = v.InferOutput<typeof TaskType>
export type Status = v.InferOutput<typeof Status>
export type Priority = v.InferOutput<typeof Priority>
export type Size = v.InferOutput<typeof Size>
export type Stage = v.InferOutput<typeof Stage>

const Note = v.object({ at: v.string(), by: v.string(), text: v.string() })
export const Claim = v.object({ owner: v.string(), epoch: v.number(), expires: v.string() })

export const TaskLine = v.object({
  id: v.string(),
  title: v.string(),
  status: Status,
  priority: Priority,
  size: Size,
})
export type TaskLine = v.InferOutput<typeof TaskLine>

/** A task as people and agents see it; what is empty is left out. */
export const Task = v.object({
  ...TaskLine.entries,
  description: v.optional(v.string()),
  type: TaskType,
  parent: v.optional(v.string()),
  reason: v.optional(v.string()),
  labels: v.optional(v.array(v.string())),
  depends: v.optional(v.array(v.string())),
  files: v.optional(v.array(v.string())),
  acceptance: v.optional(
    v.array(v.object({ n: v.number(), text: v.string(), state: v.picklist(criterionStates) })),
  ),
  stage: v.optional(Stage),
  completes: v.optional(v.picklist(['manual'])),
  claim: v.optional(Claim),
  notes: v.optional(v.array(Note)),
  origin: v.string(),
  createdAt: v.string(),
  updatedAt: v.string(),
  completedAt: v.optional(v.string()),
  outcome: v.optional(v.picklist(['complete', 'partial'])),
})
export type Task = v.InferOutput<typeof Task>

export const closed = (status: Status): boolean => status === 'done' || status === 'cancelled'
