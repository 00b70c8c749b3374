import * as v from 'valibot'
import { describe, list } from './text.ts'

export const taskId = (n: number): string => `T${String(n).padStart(3, '0')}`

export const taskNumber = (id: string): number => Number(id.slice(1))

// Accepts `T012`, `t12` and `12`. Uses no regular expression: compiling one takes longer than everything else a
// command does with an id.
export const parseTaskId = (input: string): string | undefined => {
  const text = input.trim()
  const digits = text[0] === 'T' || text[0] === 't' ? text.slice(1) : text
  return digits.length <= 12 && isNumber(digits) && Number(digits) > 0 ? taskId(Number(digits)) : undefined
}

const isNumber = (digits: string): boolean => {
  for (const digit of digits) if (digit < '0' || digit > '9') return false
  return digits !== ''
}

export const TaskId = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const id = parseTaskId(dataset.value)
    if (id) return id
    addIssue({ message: `"${dataset.value.slice(0, 40)}" is not a task id; ids look like T012` })
    return NEVER
  }),
)

export const moreTasks = (about = 'more tasks; if one is refused, none is changed') =>
  v.optional(describe(v.pipe(list(TaskId, 'more tasks', 99), v.metadata({ rest: true })), about))

/**
 * Returns the canonical form of a spawn id, such as `T012.1` for `t12.01` or `12.1`. Without one form, a spawn could
 * act under two names.
 */
export const canonicalSpawnId = (id: string): string | undefined => {
  const dot = id.indexOf('.')
  if (dot < 0) return undefined
  const task = parseTaskId(id.slice(0, dot))
  const attempt = id.slice(dot + 1)
  return task && isNumber(attempt) ? `${task}.${Number(attempt)}` : undefined
}

export const parseSpawnId = (id: string): { task: string; attempt: number } | undefined => {
  if (canonicalSpawnId(id) !== id) return undefined
  const [task, attempt] = id.split('.')
  return { task: task!, attempt: Number(attempt) }
}

export const isSpawnOf = (actor: string, task: string): boolean => parseSpawnId(actor)?.task === task
