import { timeWarning } from '../kernel/time-estimates.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import { observeTask } from './observe-task.ts'
import { type CheckedRule, checkRules } from './rules/check-rules.ts'
import type { RuleFacts } from './rules/rule-facts.ts'

export interface CheckedTask {
  id: string
  spawn: string
  protocol: string
  rules: CheckedRule[]
  /** Warnings about phrases that promise a duration. */
  promises: string[]
}

/** Returns undefined if the task was never spawned. */
export const checkTask = async (context: Context, row: TaskRow): Promise<CheckedTask | undefined> => {
  const facts = await observeTask(context, row)
  return (
    facts && {
      id: row.id,
      spawn: facts.spawn,
      protocol: facts.protocol,
      rules: checkRules(facts),
      promises: promisesIn(row, facts),
    }
  )
}

const promisesIn = ({ title, description }: TaskRow, { entries, file }: RuleFacts): string[] => {
  const { key_findings, needs_followup } = entries.at(-1)?.body ?? {}
  const texts = [key_findings, needs_followup].flat().filter((text) => typeof text === 'string')
  return [
    ...timeWarning('the task', `${title}\n${description}`),
    ...timeWarning('the entry', texts.join('\n')),
    ...timeWarning('the output file', file?.text ?? ''),
  ]
}

export const failedIn = ({ rules }: CheckedTask): string[] =>
  rules.filter(({ result }) => result === 'fail').map(({ id }) => id)

/**
 * Returns the refusal code for the worst problem. As in `receive`, a missing entry comes first, and a wrong return
 * line second. Any other broken rule comes last.
 */
export const codeOf = (
  checked: readonly CheckedTask[],
): 'compliance.return' | 'compliance.entry' | 'compliance.failed' => {
  if (checked.some(isWithoutEntry)) return 'compliance.entry'
  return checked.flatMap(failedIn).includes('BASE-002') ? 'compliance.return' : 'compliance.failed'
}

/** BASE-001 also fails if there are several entries. BASE-004 is `na` only if there is no entry. */
const isWithoutEntry = ({ rules }: CheckedTask): boolean =>
  rules.some(({ id, result }) => id === 'BASE-001' && result === 'fail') &&
  rules.some(({ id, result }) => id === 'BASE-004' && result === 'na')
