import { innermostSchema, type Schema } from './innermost-schema.ts'
import { inputLimits } from './input-limits.ts'
import type { Problem } from './result.ts'

/**
 * Checking up to this many list items is cheap. If an input has more items, the lengths of its lists are checked
 * before the items.
 */
const cheapItems = 10_000

/** Counts the items of all lists in an input, and in the rows of a batch. */
const itemsIn = (input: object): number => {
  let items = 0
  for (const value of Object.values(input)) {
    if (!Array.isArray(value)) continue
    items += value.length
    for (const row of value) if (typeof row === 'object' && row !== null) items += itemsIn(row)
  }
  return items
}

/**
 * Returns the lists of a large input that exceed their limit. Checks only lengths, because checking and reporting
 * millions of items would take minutes, and gigabytes of memory.
 */
export const oversizedLists = (schema: Schema, input: object): Problem[] => {
  if (itemsIn(input) <= cheapItems) return []
  const problems: Problem[] = []
  let inRows = 0
  const examine = (shape: Schema, value: object, prefix: string): void => {
    for (const [key, entry] of Object.entries(innermostSchema(shape).entries ?? {})) {
      const list = (value as Record<string, unknown>)[key]
      if (!Array.isArray(list)) continue
      const path = prefix + key
      const limit = limitOf(entry)
      if (limit && list.length > limit.requirement) problems.push({ path, message: limit.message })
      else if (innermostSchema(entry).item && prefix === '') {
        const row = innermostSchema(entry).item!
        if (!innermostSchema(row).entries) continue
        for (const [i, each] of list.entries())
          if (typeof each === 'object' && each !== null) examine(row, each, `${path}.${i}.`)
      }
      if (prefix !== '') inRows += list.length
    }
  }
  examine(schema, input, '')
  if (inRows > inputLimits.batchItems) {
    const most = `the limit of all rows together is ${inputLimits.batchItems}`
    problems.push({ path: '', message: `the lists of the rows have ${inRows} items; ${most}` })
  }
  return problems
}

interface ListLimit {
  type: string
  requirement: number
  message: string
}

/** Returns the length limit of a list. The limit can be in any layer of the list's schema. */
const limitOf = (schema: Schema): ListLimit | undefined => {
  const { pipe, wrapped } = schema as unknown as { pipe?: (ListLimit & Schema)[]; wrapped?: Schema }
  for (const item of pipe ?? []) {
    if (item.type === 'max_length') return item
    const found = item.kind === 'schema' && (item as unknown) !== schema ? limitOf(item) : undefined
    if (found) return found
  }
  return wrapped && limitOf(wrapped)
}
