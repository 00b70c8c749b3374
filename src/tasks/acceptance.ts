import { limits } from '../kernel/task.ts'
import { readBlocks } from '../markdown/blocks.ts'
import type { Criterion } from './sql/criteria.ts'

/** Returns the acceptance criteria in a description: its `- [ ]` and `- [x]` lines, except those in a code fence. */
export const criteriaIn = (description: string): string[] => {
  if (!description.includes('[')) return []
  const hasFences = description.includes('```') || description.includes('~~~')
  const fences = hasFences ? readBlocks(description).fences : []
  const found = description.matchAll(/^[^\S\n]*[-*+] \[[ xX]\][^\S\n]+([^\n]*\S)/gm)
  const texts = [...found].flatMap(({ index, 1: text }) =>
    fences.some(({ start, end }) => start <= index && index < end) ? [] : [text!.slice(0, limits.criterion)],
  )
  return [...new Set(texts)]
}

/** Lists the given criteria first, then those in the description. A criterion that existed before keeps its state. */
export const mergeCriteria = (
  given: readonly string[],
  description: string,
  before: readonly Criterion[],
): Criterion[] => {
  if (given.length === 0 && !description.includes('[')) return []
  const states = new Map(before.map(({ text, state }) => [text, state]))
  const fromText = criteriaIn(description).filter((text) => !given.includes(text))
  return [
    ...given.map((text) => ({ text, source: 'given' as const })),
    ...fromText.map((text) => ({ text, source: 'description' as const })),
  ].map((criterion, i) => ({ ...criterion, n: i + 1, state: states.get(criterion.text) ?? 'open' }))
}
