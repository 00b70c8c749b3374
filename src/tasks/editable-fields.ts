import * as v from 'valibot'
import { Acceptance, Depends, Description, Files, Labels, Title } from '../kernel/task-fields.ts'
import { Priority, Size, Stage, TaskType } from '../kernel/task-filters.ts'
import { TaskId } from '../kernel/task-id.ts'
import { describe } from '../kernel/text.ts'
import type { Code } from '../refusals/refusal-catalogue.ts'

/** The refusal codes that both `add` and `update` return for the fields below. */
export const fieldErrors = [
  'input.invalid',
  'parent.not_found',
  'parent.invalid',
  'parent.closed',
  'depth.exceeded',
  'dependency.not_found',
  'cycle',
] as const satisfies Code[]
export type FieldCode = (typeof fieldErrors)[number]

/** The fields of a task that `add` and `update` take. */
export const editableFields = {
  title: describe(Title, 'what to do, in one line'),
  description: describe(Description, 'everything an agent needs to know; `- [ ]` lines become criteria'),
  type: describe(TaskType, 'type (default: inferred from the parent)'),
  parent: describe(TaskId, 'epic or task that this task belongs to'),
  depends: describe(Depends, 'tasks that must be done first'),
  labels: describe(Labels, 'labels; a label that names a protocol, stage or skill makes the agent use it'),
  files: describe(Files, 'files, folders or globs that the task will change'),
  acceptance: describe(Acceptance, 'acceptance criteria, each checked separately'),
  priority: describe(Priority, 'priority (default medium)'),
  size: describe(
    Size,
    'small: one function, clear path; medium: several components, some unknowns; large: cross-cutting, significant unknowns',
  ),
  stage: describe(Stage, 'lifecycle stage'),
  completes: describe(
    v.picklist(['auto', 'manual']),
    'auto: done when its last child is done; manual: done only by `cleo complete`',
  ),
}
