import * as v from 'valibot'

const written = /^[Tt]?(\d{1,12})$/

/** `t12`, `12` and `T012` name the same task. */
export const taskId = (n: number): string => `T${String(n).padStart(3, '0')}`

export const taskNumber = (id: string): number => Number(id.slice(1))

export const parseTaskId = (input: string): string | undefined => {
  const digits = written.exec(input.trim())?.[1]
  return digits && Number(digits) > 0 ? taskId(Number(digits)) : undefined
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

/** A subagent's identity: the task and the attempt, `T012.1`. */
export const spawnId = /^T\d{3,}\.\d+$/
