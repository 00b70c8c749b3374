import type { Size, TaskType } from '../../kernel/task.ts'

/** How much of a skill goes into a prompt, least first. */
export const strategies = ['minimal', 'standard', 'comprehensive'] as const
export type Strategy = (typeof strategies)[number]

export interface Circumstances {
  /** What the caller wants. */
  asked?: Strategy
  /** Percent of the context that is used up already. */
  contextUsed?: number
  budgetPerSkill: number
  labels: readonly string[]
  size: Size
  type: TaskType
  /** How many tasks it depends on. */
  depends: number
}

export interface Choice {
  strategy: Strategy
  /** What decided, for people. */
  rule: string
}

/** The first rule that applies decides. */
export const chooseStrategy = (task: Circumstances): Choice => {
  const { asked, contextUsed = 0, budgetPerSkill, labels, size, type, depends } = task
  if (asked) return { strategy: asked, rule: 'asked for' }
  if (contextUsed > 70) return { strategy: 'minimal', rule: 'more than 70 % of the context used' }
  if (budgetPerSkill < 800) return { strategy: 'minimal', rule: 'less than 800 tokens a skill' }
  if (budgetPerSkill < 3000) return { strategy: 'standard', rule: 'less than 3,000 tokens a skill' }
  if (labels.includes('simple')) return { strategy: 'minimal', rule: 'label simple' }
  if (size === 'small') return { strategy: 'minimal', rule: 'size small' }
  if (type === 'epic') return { strategy: 'comprehensive', rule: 'type epic' }
  if (depends > 3) return { strategy: 'comprehensive', rule: 'more than 3 dependencies' }
  if (size === 'large') return { strategy: 'comprehensive', rule: 'size large' }
  return { strategy: 'standard', rule: 'nothing special about the task' }
}
