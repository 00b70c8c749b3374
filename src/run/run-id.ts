import * as v from 'valibot'
import { parseNumbered } from '../kernel/numbered-id.ts'

/**
 * Returns the id of a run, such as `R001`. In the audit log, this id is also the actor of what the run does. A
 * resume keeps the id, so that the run still owns its spawns.
 */
export const runId = (seq: number): string => `R${String(seq).padStart(3, '0')}`

export const RunId = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const seq = parseNumbered('R', dataset.value)
    if (seq !== undefined) return seq
    addIssue({ message: `"${dataset.value.slice(0, 40)}" is not the id of a run; ids look like R001` })
    return NEVER
  }),
)
