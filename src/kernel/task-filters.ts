import * as v from 'valibot'
import { limits, priorities, sizes, stages, statuses, types } from './task.ts'
import { text } from './text.ts'

// The fields by which lists are filtered. They have a file of their own, because `list` needs no other fields, and
// making the schemas of all fields takes as long as reading the tasks.

export const TaskType = v.picklist(types)
export const Status = v.picklist(statuses)
export const Priority = v.picklist(priorities)
export const Size = v.picklist(sizes)
export const Stage = v.picklist(stages())

export const Label = v.pipe(
  text(limits.label),
  v.regex(/^[^,\s]+$/, 'a label cannot contain spaces or commas'),
)
