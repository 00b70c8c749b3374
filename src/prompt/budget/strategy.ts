import type { Size, TaskType } from '../../kernel/task.ts'
import { closeAll, type FenceMarks } from './cut.ts'

/** How much of a skill goes into a prompt, least first. */
export const strategies = ['minimal', 'standard', 'comprehensive'] as const
export type Strategy = (typeof strategies)[number]

export interface StrategyFacts {
  requested?: Strategy
  /** How much of the caller's context is already used, in percent. */
  contextUsed?: number
  budgetPerSkill: number
  labels: readonly string[]
  size: Size
  type: TaskType
  depends: number
}

export interface StrategyChoice {
  strategy: Strategy
  rule: string
}

export const chooseStrategy = (task: StrategyFacts): StrategyChoice => {
  const { requested, contextUsed = 0, budgetPerSkill, labels, size, type, depends } = task
  if (requested) return { strategy: requested, rule: 'requested' }
  if (contextUsed > 70) return { strategy: 'minimal', rule: 'more than 70 % of the context used' }
  if (budgetPerSkill < 800) return { strategy: 'minimal', rule: 'fewer than 800 tokens per skill' }
  if (budgetPerSkill < 3000) return { strategy: 'standard', rule: 'fewer than 3,000 tokens per skill' }
  if (labels.includes('simple')) return { strategy: 'minimal', rule: 'label simple' }
  if (size === 'small') return { strategy: 'minimal', rule: 'size small' }
  if (type === 'epic') return { strategy: 'comprehensive', rule: 'type epic' }
  if (depends > 3) return { strategy: 'comprehensive', rule: 'more than 3 dependencies' }
  if (size === 'large') return { strategy: 'comprehensive', rule: 'size large' }
  return { strategy: 'standard', rule: 'default' }
}

/**
 * The template tokens are already replaced. The headings are already moved to lower levels, so that they stand below
 * the headings of the prompt.
 */
export interface SkillText {
  /** SKILL.md without its front matter. */
  body: string
  references: readonly { path: string; text: string }[]
}

/** `most` is the highest allowed number of reference files. */
export const strategyText = (
  { body, references }: SkillText,
  strategy: Strategy,
  closing?: FenceMarks,
  most = references.length,
): string => {
  const kept = strategy === 'minimal' ? closeAll(body.slice(0, minimalEnd(body)), closing) : body
  const files = strategy === 'comprehensive' ? inOrder(references).slice(0, most) : []
  return [kept.trimEnd(), ...files.map(({ path, text }) => `#### ${path}\n\n${text.trimEnd()}`)].join('\n\n')
}

export const minimalLines = 50

export const minimalEnd = (body: string): number => {
  let end = -1
  for (let line = 0; line < minimalLines; line++) {
    end = body.indexOf('\n', end + 1)
    if (end < 0) return body.length
  }
  return end
}

export const inOrder = <R extends { path: string }>(references: readonly R[]): R[] =>
  references.toSorted((a, b) => (a.path < b.path ? -1 : 1))
