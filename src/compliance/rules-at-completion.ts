import type { Context } from '../operation/context.ts'
import type { BrokenRule } from '../standing/missing-requirements.ts'
import type { Standing } from '../standing/standing.ts'
import { observeSubmitted } from './observe-task.ts'
import { checkAtCompletion } from './rules/check-rules.ts'

export interface RulesAtCompletion {
  broken: BrokenRule[]
  warnings: string[]
}

/**
 * Checks submitted work against those rules of its protocol that decide whether the task may be done. With
 * `compliance: warn` in the configuration, a broken MUST rule is only a warning.
 */
export const rulesAtCompletion = async (context: Context, standing: Standing): Promise<RulesAtCompletion> => {
  const isRefused = context.config.compliance !== 'warn'
  const isVoteMissing = standing.vote?.cast === false
  const checked = checkAtCompletion(await observeSubmitted(context, standing)).filter(
    // If the vote is missing, leave out the rule that a voter must vote: the contract already reports this.
    ({ id }) => !(isVoteMissing && id === 'CONS-001'),
  )
  return {
    broken: checked.flatMap(({ id, result, open, fact, fix }): BrokenRule[] => {
      if (open) return [{ id, isOpen: true, fact }]
      if (result !== 'fail' || !isRefused) return []
      return [{ id, isOpen: false, fact, ...(fix && { fix }) }]
    }),
    warnings: checked.flatMap(({ id, result, open, fact }) =>
      (result === 'warning' && !open) || (result === 'fail' && !isRefused) ? [`${id}: ${fact}`] : [],
    ),
  }
}
