import { check } from '../../model/problems.ts'
import { type Failure, fail } from '../../model/result.ts'
import type { QuestionRow } from '../../store/questions.ts'
import type { Context } from '../context.ts'
import { load } from '../generated/load.ts'

/** Waives as the person would: the operation an agent was refused, now in their name. Answers why it could not be done. */
export const waive = async (
  context: Context,
  { asked }: QuestionRow,
  reason: string | undefined,
): Promise<Failure<'input.invalid'> | undefined> => {
  const { operation: name, input } = JSON.parse(asked) as { operation: string; input?: object }
  const operation = await load(name)
  const checked = operation && check(operation.input, { ...input, ...(reason && { reason }) })
  if (!checked?.ok) {
    const problems = checked?.problems ?? [{ path: 'id', message: 'nothing can be waived here yet' }]
    return fail('input.invalid', { problems })
  }
  const result = await operation!.run(checked.value, context)
  return result.ok ? undefined : (result as Failure<'input.invalid'>)
}
