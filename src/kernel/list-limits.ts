import { innermostSchema, type Schema } from './innermost-schema.ts'
import { inputLimits } from './input-limits.ts'
import type { Problem } from './result.ts'

/**
 * Checking up to this many list items is cheap. If an input has more items, the lengths of its lists are checked
 * before the items.
 */
const cheapItems = 10_000

/** Includes the lists in the rows of a batch. Stops soon after it has counted more than `most` items. */
const itemsIn = (input: object, most: number): number => {
  let items = 0
  for (const key in input) {
    const value: unknown = input[key as keyof typeof input]
    if (!Array.isArray(value)) continue
    items += value.length
    for (const row of value) {
      if (items > most) return items
      if (typeof row === 'object' && row !== null) items += itemsIn(row, most - items)
    }
  }
  return items
}

/** A field of a schema. It matters only if its value in the input is a list. */
interface ListField {
  key: string
  limit: ListLimit | undefined
  /** The schema of the rows, if the field is a batch. */
  row: Schema | undefined
}

const listFields = (shape: Schema): ListField[] =>
  Object.entries(innermostSchema(shape).entries ?? {}).map(([key, entry]) => {
    const { item } = innermostSchema(entry)
    return { key, limit: limitOf(entry), row: item && innermostSchema(item).entries ? item : undefined }
  })

/**
 * Checks only lengths, because checking and reporting millions of items would take minutes, and gigabytes of memory.
 */
export const oversizedLists = (schema: Schema, input: object): Problem[] => {
  if (itemsIn(input, cheapItems) <= cheapItems) return []
  const problems: Problem[] = []
  let inRows = 0
  const examine = (fields: readonly ListField[], value: object, prefix: () => string): void => {
    for (const { key, limit, row } of fields) {
      const list = (value as Record<string, unknown>)[key]
      if (!Array.isArray(list)) continue
      const isInRow = fields !== outer
      if (isInRow) inRows += list.length
      if (limit && list.length > limit.requirement)
        problems.push({ path: prefix() + key, message: limit.message })
      else if (row && !isInRow) {
        const inner = listFields(row)
        for (const [i, each] of list.entries())
          if (typeof each === 'object' && each !== null) examine(inner, each, () => `${key}.${i}.`)
      }
    }
  }
  const outer = listFields(schema)
  examine(outer, input, () => '')
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

/** The limit can be in any layer of the list's schema. */
const limitOf = (schema: Schema): ListLimit | undefined => {
  const { pipe, wrapped } = schema as unknown as { pipe?: (ListLimit & Schema)[]; wrapped?: Schema }
  for (const item of pipe ?? []) {
    if (item.type === 'max_length') return item
    const found = item.kind === 'schema' && (item as unknown) !== schema ? limitOf(item) : undefined
    if (found) return found
  }
  return wrapped && limitOf(wrapped)
}
