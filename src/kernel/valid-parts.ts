import * as v from 'valibot'
import { innermostSchema, type Schema } from './innermost-schema.ts'

/** Returns the valid fields and rows of an input, so that later checks can report the problems in these parts too. */
export const validParts = (schema: Schema, input: unknown): unknown => {
  const { entries, item } = innermostSchema(schema)
  if (entries && typeof input === 'object' && input !== null) {
    const given = Object.entries(entries).filter(([key]) => key in input)
    const fit = given.map(([key, entry]) => [key, validParts(entry, (input as Record<string, unknown>)[key])])
    return Object.fromEntries(fit.filter(([, value]) => value !== undefined))
  }
  if (item && innermostSchema(item).entries && Array.isArray(input))
    return input.map((each) => validParts(item, each) ?? {})
  const parsed = v.safeParse(schema, input)
  return parsed.success ? parsed.output : undefined
}
