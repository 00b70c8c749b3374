import * as v from 'valibot'
import {
  Acceptance,
  Depends,
  Description,
  Files,
  Labels,
  Priority,
  Size,
  Stage,
  TaskType,
  Title,
} from '../kernel/task-fields.ts'
import { TaskId } from '../kernel/task-id.ts'
import { describe } from '../kernel/text.ts'

/** The fields of a task that `add` and `update` take. */
export const editableFields = {
  title: describe(Title, 'what to do, in one line'),
  description: describe(Description, 'everything an agent needs to know; `- [ ]` lines become criteria'),
  type: describe(TaskType, 'type (default: inferred from the parent)'),
  parent: describe(TaskId, 'epic or task that this task belongs to'),
  depends: describe(Depends, 'tasks that must be done first'),
  labels: describe(Labels, 'labels; the name of a protocol, stage or skill selects what the agent gets'),
  files: describe(Files, 'declared scope: files, folders or globs the task will touch'),
  acceptance: describe(Acceptance, 'acceptance criteria, each checked separately'),
  priority: describe(Priority, 'priority (default medium)'),
  size: describe(
    Size,
    'small: one function, clear path; medium: several components, some unknowns; large: cross-cutting, significant unknowns',
  ),
  stage: describe(Stage, 'lifecycle stage'),
  completes: describe(
    v.picklist(['auto', 'manual']),
    'auto: done when its last child is done; manual: only by `cleo complete`',
  ),
}
