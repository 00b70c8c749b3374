import { check } from '../../model/problems.ts'
import { fail } from '../../model/result.ts'
import type { QuestionRow } from '../../store/questions.ts'
import type { Context } from '../context.ts'

/** Waives as the person would: what an agent was refused, now in their name. Answers why it could not be done. */
export const grantWaiver = async (context: Context, { asked }: QuestionRow, reason: string | undefined) => {
  const { waive } = await import('../verify/waive.ts')
  const { input } = JSON.parse(asked) as { input?: object }
  const checked = check(waive.input, { ...input, ...(reason && { reason }) })
  if (!checked.ok) return fail('input.invalid', { problems: checked.problems })
  const result = await waive.run(checked.value, context)
  return result.ok ? undefined : result
}
