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

/** What can be said of a task, by `add` and `update` alike. */
export const fields = {
  title: describe(Title, 'what is to be done, in a line'),
  description: describe(Description, 'everything an agent has to know; `- [ ]` lines become criteria'),
  type: describe(TaskType, 'inferred from the parent when not given'),
  parent: describe(TaskId, 'the epic or task this is a part of'),
  depends: describe(Depends, 'tasks that must be done first'),
  labels: describe(Labels, 'words to find it by; a protocol, stage or skill name steers dispatch'),
  files: describe(Files, 'declared scope: files, folders or globs it will touch'),
  acceptance: describe(Acceptance, 'criteria, each checked on its own'),
  priority: describe(Priority, 'what comes first (default medium)'),
  size: describe(
    Size,
    'small: one function, clear path; medium: several components, some unknowns; large: cross-cutting, significant unknowns',
  ),
  stage: describe(Stage, 'where in the lifecycle it belongs'),
  completes: describe(v.picklist(['auto', 'manual']), 'whether it is done by itself once its last child is'),
}
