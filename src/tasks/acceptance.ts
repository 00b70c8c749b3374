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
  const texts = new Set<string>()
  const box = /^[^\S\n]*[-*+] \[[ xX]\][^\S\n]+([^\n]*\S)/gm
  for (let found = box.exec(description); found; found = box.exec(description)) {
    const { index, 1: text } = found
    if (!fences.some(({ start, end }) => start <= index && index < end))
      texts.add(text!.slice(0, limits.criterion))
  }
  return [...texts]
}

/**
 * Lists the given criteria first, then the criteria in the description. A criterion that existed before keeps its
 * state.
 */
export const mergeCriteria = (
  given: readonly string[],
  description: string,
  before: readonly Criterion[],
): Criterion[] => {
  if (given.length === 0 && !description.includes('[')) return []
  const states = before.length > 0 ? new Map(before.map(({ text, state }) => [text, state])) : undefined
  const merged: Criterion[] = []
  const add = (text: string, source: Criterion['source']): void => {
    merged.push({ text, source, n: merged.length + 1, state: states?.get(text) ?? 'open' })
  }
  for (const text of given) add(text, 'given')
  for (const text of criteriaIn(description)) if (!given.includes(text)) add(text, 'description')
  return merged
}

interface WithCriteria {
  description?: string
  acceptance?: readonly string[]
}

/** The check boxes in a description are also criteria. */
export const tooManyCriteria = (rows: readonly WithCriteria[]): Problem[] => {
  const problems: Problem[] = []
  if (areFew(rows)) return problems
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

/**
 * Whether the rows surely have no more criteria than the limits allow. Counts every `[` as a check box, which is much
 * faster than parsing the descriptions.
 */
const areFew = (rows: readonly WithCriteria[]): boolean => {
  let inAll = 0
  for (const { description = '', acceptance = [] } of rows) {
    let most = acceptance.length
    for (let at = description.indexOf('['); at >= 0; at = description.indexOf('[', at + 1)) most++
    if (most > limits.criteria) return false
    inAll += most
  }
  return inAll <= inputLimits.batchItems
}

export const criteriaMessage = (count: number): string =>
  `would have ${count} items, with the check boxes in the description; the limit is ${limits.criteria}`
