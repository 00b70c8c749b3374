import { inputLimits } from '../kernel/input-limits.ts'
import type { Problem } from '../kernel/result.ts'
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

interface WithCriteria {
  description?: string
  acceptance?: readonly string[]
}

/** Reports new tasks with too many criteria. The check boxes in a description are criteria too. */
export const tooManyCriteria = (rows: readonly WithCriteria[]): Problem[] => {
  const problems: Problem[] = []
  let inAll = 0
  for (const [i, { description = '', acceptance = [] }] of rows.entries()) {
    if (!description.includes('[')) continue
    const count = mergeCriteria(acceptance, description, []).length
    inAll += count
    const path = rows.length === 1 ? 'acceptance' : `batch.${i}.acceptance`
    if (count > limits.criteria) problems.push({ path, message: criteriaMessage(count) })
  }
  if (inAll > inputLimits.batchItems) {
    const most = `the limit of all rows together is ${inputLimits.batchItems}`
    problems.push({ path: 'batch', message: `the descriptions have ${inAll} criteria; ${most}` })
  }
  return problems
}

export const criteriaMessage = (count: number): string =>
  `would have ${count} items, with the check boxes in the description; the limit is ${limits.criteria}`
