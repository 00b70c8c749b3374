import { checkInput } from '../kernel/check-input.ts'
import { fail } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import type { QuestionRow } from '../questions/sql.ts'

/** Waives as the person would: what an agent was refused, now in their name. Answers why it could not be done. */
export const grantWaiver = async (context: Context, { asked }: QuestionRow, reason: string | undefined) => {
  const { waiveRequirement, WaiverInput } = await import('../evidence/waive.ts')
  const { input } = JSON.parse(asked) as { input?: object }
  const checked = checkInput(WaiverInput, { ...input, ...(reason && { reason }) })
  if (!checked.ok) return fail('input.invalid', { problems: checked.problems })
  const result = await waiveRequirement(context, checked.value)
  return result.ok ? undefined : result
}
